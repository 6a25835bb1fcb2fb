/// What waits for the broker, what it was handed, and what had to be given up.
///
/// A pure value for one thread. Which message is next:
/// - Replies go first, somebody waits for them. Then facts: they say what is now, the rest says what was. Then
///   events, then windows. Within a class the order is that of `append`.
/// - Every eighth message is the oldest of all, whatever its class, so that none waits for ever.
/// - Of each fact's topic one message at most is at the broker, so that an older one can never overtake a newer one.
///
/// A message that was handed out is in flight until it is `delivered`, `refused` or `returned`.
public struct OutboxQueue {
    /// How much is kept, in messages of a class, those in flight included.
    public struct Limits: Equatable, Sendable {
        /// Events; the oldest makes room.
        public var events: Int
        /// Windows, which `windowBytes` bounds too; the oldest makes room.
        public var windows: Int
        /// Topics of facts; the oldest makes room.
        public var latest: Int
        /// Replies; the oldest makes room.
        public var replies: Int

        /// The limits of a node that configures none: a day of a busy shelf, a day of windows of 10 s, every region
        /// there can be, and more replies than an operator sends documents in a minute.
        public init(events: Int = 10_000, windows: Int = 10_000, latest: Int = 20_000, replies: Int = 64) {
            precondition(events > 0 && windows > 0 && latest > 0 && replies > 0, "a class needs room")
            self.events = events
            self.windows = windows
            self.latest = latest
            self.replies = replies
        }

        fileprivate subscript(kind: OutgoingMessage.Kind) -> Int {
            switch kind {
            case .reply: replies
            case .latest: latest
            case .event: events
            case .window: windows
            }
        }
    }

    /// Bytes of payload of the windows that are kept, those in flight included.
    ///
    /// A window's message takes up to `mqtt.max_payload`, and at its default of 64 KiB ten thousand of them would take
    /// 650 MB: a Raspberry Pi with 512 MB would lose its events together with the process. It must stay above what can
    /// be in flight at once, which cannot make room. 256 messages of 64 KiB fit, and ten thousand of 1.6 kB.
    public static let windowBytes = 16 << 20

    private struct Entry {
        var message: OutgoingMessage
        /// Its place: rises with each append.
        var place: UInt64
    }

    private var limits: Limits
    private var waiting = [Fifo<Entry>](repeating: Fifo(), count: OutgoingMessage.Kind.allCases.count)
    private var inFlight: [UInt64: Entry] = [:]
    private var inFlightOfKind = [Int](repeating: 0, count: OutgoingMessage.Kind.allCases.count)
    /// Bytes of payload of the windows that wait or are in flight.
    private var heldWindowBytes = 0
    /// Place of the waiting fact of each topic.
    private var waitingFacts: [String: UInt64] = [:]
    /// Topics of the facts in flight.
    private var factsInFlight: Set<String> = []
    private var nextPlace: UInt64 = 0
    private var handedOut: UInt64 = 0
    private var gap: Gap?

    /// What happened so far, and what is there.
    public private(set) var counters = Counters()

    /// Makes an empty outbox.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Every eighth message is the oldest: an eighth of the line for old ones, and no visible delay of new ones.
    private static let oldestEvery: UInt64 = 8

    /// Changes how many events and windows are kept; what is too much is given up at once, the oldest first.
    public mutating func limit(events: Int, windows: Int) {
        precondition(events > 0 && windows > 0, "a class needs room")
        limits.events = events
        limits.windows = windows
        for kind in [OutgoingMessage.Kind.event, .window] {
            while count(of: kind) > limits[kind] { if !dropOldest(of: kind) { break } }
        }
    }

    // MARK: In

    /// Puts a message at the end of its class. A fact takes the place of an older one of its topic that waits.
    /// Where the class is full its oldest messages are given up; where all of them are in flight, the new one is.
    public mutating func append(_ message: OutgoingMessage) {
        precondition(inFlight[message.id] == nil, "an id names one message")
        if message.kind == .latest, let place = waitingFacts[message.topic] {
            let kind = Int(message.kind.rawValue)
            if let offset = offset(of: place, in: kind) {
                waiting[kind][offset].message = message
                counters.replaced += 1
                return
            }
        }
        while !hasRoom(for: message) {
            guard dropOldest(of: message.kind) else {
                countDropped(message)
                return
            }
        }
        if message.kind == .latest { waitingFacts[message.topic] = nextPlace }
        if message.kind == .window { heldWindowBytes += message.payload.count }
        waiting[Int(message.kind.rawValue)].append(Entry(message: message, place: nextPlace))
        nextPlace += 1
    }

    // MARK: Out

    /// The next message to hand to the broker; it is in flight from now on. nil when none waits.
    public mutating func next() -> OutgoingMessage? {
        let takesOldest = handedOut % Self.oldestEvery == Self.oldestEvery - 1
        var choice: (kind: Int, offset: Int, place: UInt64)?
        for kind in waiting.indices {
            guard let offset = firstReady(in: kind) else { continue }
            let place = waiting[kind][offset].place
            if let chosen = choice, !takesOldest || chosen.place < place { continue }
            choice = (kind, offset, place)
            if !takesOldest { break }
        }
        guard let choice else { return nil }
        handedOut += 1
        let entry = waiting[choice.kind].remove(at: choice.offset)
        inFlight[entry.message.id] = entry
        inFlightOfKind[choice.kind] += 1
        if entry.message.kind == .latest {
            waitingFacts[entry.message.topic] = nil
            factsInFlight.insert(entry.message.topic)
        }
        return entry.message
    }

    /// The broker has it.
    public mutating func delivered(_ id: UInt64) {
        if land(id) != nil { counters.delivered += 1 }
    }

    /// It can never be sent.
    public mutating func refused(_ id: UInt64) {
        if land(id) != nil { counters.refused += 1 }
    }

    /// Whether the broker has it is not known: it takes its place again, before all that came later. A fact of which
    /// a newer one waits is forgotten.
    public mutating func returned(_ id: UInt64) {
        guard let entry = land(id) else { return }
        counters.returned += 1
        let kind = Int(entry.message.kind.rawValue)
        if entry.message.kind == .latest {
            if waitingFacts[entry.message.topic] != nil {
                counters.replaced += 1
                return
            }
            waitingFacts[entry.message.topic] = entry.place
        }
        if entry.message.kind == .window { heldWindowBytes += entry.message.payload.count }
        let offset = waiting[kind].firstOffset { $0.place > entry.place } ?? waiting[kind].count
        waiting[kind].insert(entry, at: offset)
    }

    private mutating func land(_ id: UInt64) -> Entry? {
        guard let entry = inFlight.removeValue(forKey: id) else { return nil }
        inFlightOfKind[Int(entry.message.kind.rawValue)] -= 1
        if entry.message.kind == .latest { factsInFlight.remove(entry.message.topic) }
        if entry.message.kind == .window { heldWindowBytes -= entry.message.payload.count }
        return entry
    }

    private func firstReady(in kind: Int) -> Int? {
        let queue = waiting[kind]
        if queue.isEmpty { return nil }
        guard kind == Int(OutgoingMessage.Kind.latest.rawValue), !factsInFlight.isEmpty else { return 0 }
        // At most as many steps as there are facts in flight, and one.
        return queue.firstOffset { !factsInFlight.contains($0.message.topic) }
    }

    /// Places rise along a queue, so that one is found by halving.
    private func offset(of place: UInt64, in kind: Int) -> Int? {
        var low = 0
        var high = waiting[kind].count
        while low < high {
            let middle = (low + high) / 2
            if waiting[kind][middle].place < place { low = middle + 1 } else { high = middle }
        }
        return low < waiting[kind].count && waiting[kind][low].place == place ? low : nil
    }

    // MARK: Room

    private func count(of kind: OutgoingMessage.Kind) -> Int {
        waiting[Int(kind.rawValue)].count + inFlightOfKind[Int(kind.rawValue)]
    }

    private func hasRoom(for message: OutgoingMessage) -> Bool {
        if count(of: message.kind) >= limits[message.kind] { return false }
        return message.kind != .window || heldWindowBytes + message.payload.count <= Self.windowBytes
    }

    private mutating func dropOldest(of kind: OutgoingMessage.Kind) -> Bool {
        guard !waiting[Int(kind.rawValue)].isEmpty else { return false }
        let entry = waiting[Int(kind.rawValue)].remove(at: 0)
        if kind == .latest { waitingFacts[entry.message.topic] = nil }
        if kind == .window { heldWindowBytes -= entry.message.payload.count }
        countDropped(entry.message)
        return true
    }

    private mutating func countDropped(_ message: OutgoingMessage) {
        counters.dropped[message.kind, default: 0] += 1
        guard message.kind == .event else { return }
        if gap == nil { gap = Gap(count: 0, first: message.id, last: message.id) }
        gap?.count += 1
        gap?.last = message.id
    }
}

extension OutboxQueue {
    /// Events that were given up since the last look.
    public struct Gap: Equatable, Sendable {
        /// How many.
        public var count: UInt64
        /// The id of the first of them.
        public var first: UInt64
        /// The id of the last of them.
        public var last: UInt64
    }

    /// Numbers for `health` and `state`.
    public struct Counters: Equatable, Sendable {
        /// Messages that the broker acknowledged.
        public var delivered: UInt64 = 0
        /// Messages that could not be sent at all.
        public var refused: UInt64 = 0
        /// Messages that took their place again.
        public var returned: UInt64 = 0
        /// Facts that a newer one replaced.
        public var replaced: UInt64 = 0
        /// Messages that were given up for want of room, by class.
        public var dropped: [OutgoingMessage.Kind: UInt64] = [:]
    }

    /// How many messages of a class wait.
    public func waitingCount(_ kind: OutgoingMessage.Kind) -> Int { waiting[Int(kind.rawValue)].count }

    /// How many messages of a class the broker has not acknowledged: waiting or in flight.
    public func heldCount(_ kind: OutgoingMessage.Kind) -> Int { count(of: kind) }

    /// How many messages are in flight.
    public var inFlightCount: Int { inFlight.count }

    /// Whether nothing waits and nothing is in flight.
    public var isEmpty: Bool { inFlight.isEmpty && waiting.allSatisfy(\.isEmpty) }

    /// The events given up since the last call; nil when there were none.
    public mutating func takeGap() -> Gap? {
        defer { gap = nil }
        return gap
    }
}
