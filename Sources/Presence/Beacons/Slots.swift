/// Values in numbered places that are used again: a number stays what it is until its value is removed.
struct Slots<Element> {
    private var elements: [Element] = []
    private var free: [Int32] = []

    /// How many values there are.
    var count: Int { elements.count - free.count }

    /// All places there are, those that are free among them.
    var all: Range<Int32> { 0..<Int32(elements.count) }

    subscript(slot: Int32) -> Element {
        @inline(__always) _read { yield elements[Int(slot)] }
        @inline(__always) _modify { yield &elements[Int(slot)] }
    }

    /// Puts a value into a free place.
    mutating func insert(_ element: Element) -> Int32 {
        if let slot = free.popLast() {
            elements[Int(slot)] = element
            return slot
        }
        elements.append(element)
        return Int32(elements.count - 1)
    }

    /// Frees a place. What is in it stays there until the place is used again, and means nothing.
    mutating func remove(_ slot: Int32) { free.append(slot) }
}
