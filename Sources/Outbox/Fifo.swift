/// A queue in an array: taking from the front costs no move of the rest, and putting something back near the front
/// moves only what is before it.
struct Fifo<Element> {
    private var slots: [Element?] = []
    private var head = 0

    var count: Int { slots.count - head }
    var isEmpty: Bool { count == 0 }

    /// The element at a distance from the front.
    subscript(offset: Int) -> Element {
        get {
            guard let element = slots[head + offset] else {
                preconditionFailure("slots before head are empty only")
            }
            return element
        }
        set { slots[head + offset] = newValue }
    }

    mutating func append(_ element: Element) { slots.append(element) }

    /// Takes out the element at a distance from the front.
    mutating func remove(at offset: Int) -> Element {
        let element = self[offset]
        var index = head + offset
        while index > head {
            slots[index] = slots[index - 1]
            index -= 1
        }
        slots[head] = nil
        head += 1
        // Half of it unused: one move for as many takes, so that each take costs a constant on average.
        if head > 32, head * 2 > slots.count {
            slots.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Puts an element at a distance from the front.
    mutating func insert(_ element: Element, at offset: Int) {
        if head == 0 {
            slots.insert(element, at: offset)
            return
        }
        head -= 1
        for index in 0..<offset { slots[head + index] = slots[head + index + 1] }
        slots[head + offset] = element
    }

    /// The distance of the first element that fits.
    func firstOffset(where fits: (Element) -> Bool) -> Int? {
        for offset in 0..<count where fits(self[offset]) { return offset }
        return nil
    }
}
