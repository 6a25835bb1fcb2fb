/// A bounded queue from one thread to another, with a wake-up for the reader.
///
/// What must not be lost never shares a ring with what may be dropped: a ring either refuses when it is full
/// (`offer` returns false and the writer keeps the element) or is told to drop the oldest, and counts that.
public final class Ring<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element?]
        var head = 0
        var count = 0
        var dropped: UInt64 = 0
    }

    private let state: Locked<State>
    /// Rung whenever an element is put into the empty ring.
    public let wakeup: Wakeup
    /// How many elements fit.
    public let capacity: Int

    /// Makes an empty ring.
    public init(capacity: Int, wakeup: Wakeup) {
        precondition(capacity > 0)
        self.capacity = capacity
        self.wakeup = wakeup
        state = Locked(State(elements: Array(repeating: nil, count: capacity)))
    }

    /// Puts an element at the end; false when the ring is full.
    public func offer(_ element: Element) -> Bool {
        let (accepted, wasEmpty) = state.withLock { state -> (Bool, Bool) in
            guard state.count < capacity else { return (false, false) }
            state.elements[(state.head + state.count) % capacity] = element
            state.count += 1
            return (true, state.count == 1)
        }
        if wasEmpty { wakeup.ring() }
        return accepted
    }

    /// Puts an element at the end; when the ring is full the oldest one makes room, and is counted.
    public func push(_ element: Element) {
        let wasEmpty = state.withLock { state -> Bool in
            if state.count == capacity {
                state.elements[state.head] = nil
                state.head = (state.head + 1) % capacity
                state.count -= 1
                state.dropped += 1
            }
            state.elements[(state.head + state.count) % capacity] = element
            state.count += 1
            return state.count == 1
        }
        if wasEmpty { wakeup.ring() }
    }

    /// Takes the oldest element; nil when the ring is empty.
    public func take() -> Element? {
        state.withLock { state in
            guard state.count > 0 else { return nil }
            let element = state.elements[state.head]
            state.elements[state.head] = nil
            state.head = (state.head + 1) % capacity
            state.count -= 1
            return element
        }
    }

    /// How many elements wait.
    public var count: Int { state.withLock { $0.count } }

    /// How many elements `push` has dropped so far.
    public var dropped: UInt64 { state.withLock { $0.dropped } }
}
