internal import Agent
internal import MQTT
internal import Outbox
internal import System

/// What the loop, the store and the broker's thread have in common: the rings between them, and a few counters.
///
/// What must not be lost never shares a ring with what may be dropped: fleeting messages have a ring of their own, of
/// which the oldest makes room. All others refuse when they are full, and their writer keeps what it has.
final class Exchange: Sendable {
    /// Requests to the store. The loop fills it; the store empties it in microseconds, or after an fsync.
    static let storeCapacity = 1024
    /// Messages handed to the broker's thread; those in flight are libmosquitto's.
    static let handoverCapacity = 32
    /// Ranging and health on their way. A second of 250 regions.
    static let fleetingCapacity = 256
    /// What the loop is told. A control document is 64 KiB at most, so 4 MiB.
    static let inboxCapacity = 64

    let loopWakeup: Wakeup
    let inbox: Ring<Event>
    let requests: Ring<StoreRequest>
    let handover: Ring<OutgoingMessage>
    let fleeting: Ring<Message>
    let orders: Ring<BrokerOrder>
    let counters = Locked(DeliveryCounters())

    init() throws(SystemError) {
        loopWakeup = try Wakeup()
        let storeWakeup = try Wakeup()
        let brokerWakeup = try Wakeup()
        inbox = Ring(capacity: Self.inboxCapacity, wakeup: loopWakeup)
        requests = Ring(capacity: Self.storeCapacity, wakeup: storeWakeup)
        handover = Ring(capacity: Self.handoverCapacity, wakeup: brokerWakeup)
        fleeting = Ring(capacity: Self.fleetingCapacity, wakeup: brokerWakeup)
        orders = Ring(capacity: 16, wakeup: brokerWakeup)
    }
}

/// Something for the store to do.
enum StoreRequest: Sendable {
    /// Keep a message until the broker has it.
    case append(OutgoingMessage)
    /// Bring a file to the disk, or remove it, and tell the loop.
    case store(name: String, content: [UInt8]?, token: UInt64)
    /// Hold so many messages at most.
    case limit(events: Int, windows: Int)
    /// Whether messages can be handed to the broker's thread.
    case brokerIsConnected(Bool)
    /// The broker has it.
    case delivered(id: UInt64)
    /// It can never be sent.
    case refused(id: UInt64, reason: String)
    /// It was not sent, or nobody knows.
    case returned(id: UInt64)
    /// Deliver what is there, until a monotonic time in nanoseconds, then end.
    case finish(by: Int64, farewell: Message?)
}

/// Something for the broker's thread to do.
enum BrokerOrder: Sendable {
    /// Connect in this way, in place of any other.
    case connect(BrokerAccess)
    /// Publish the farewell and end.
    case end(farewell: Message?)
}

/// What has become of messages, as totals.
struct DeliveryCounters: Sendable {
    /// What did not even fit where the broker's thread keeps what its rings refuse.
    var spilled: UInt64 = 0
    var published: UInt64 = 0
    var queued: UInt64 = 0
    var queuedEvents: UInt64 = 0
    var dropped: UInt64 = 0
}

/// A writer's side of a ring that refuses: what does not fit waits here, in order.
///
/// Bounded by what the writer may produce while its reader is held up: the limit, and then it is counted.
struct Spillway<Element: Sendable> {
    private let ring: Ring<Element>
    private let limit: Int
    private var waiting: [Element] = []
    /// How many elements did not even fit here.
    private(set) var lost: UInt64 = 0

    init(_ ring: Ring<Element>, limit: Int) {
        self.ring = ring
        self.limit = limit
    }

    var isEmpty: Bool { waiting.isEmpty }

    mutating func send(_ element: Element) {
        flush()
        if waiting.isEmpty && ring.offer(element) { return }
        if waiting.count < limit { waiting.append(element) } else { lost += 1 }
    }

    /// Sends what waits, as far as there is room.
    mutating func flush() {
        guard !waiting.isEmpty else { return }
        var sent = 0
        while sent < waiting.count && ring.offer(waiting[sent]) { sent += 1 }
        waiting.removeFirst(sent)
    }
}
