internal import Agent
internal import Outbox
internal import System

/// The thread that may wait for the disk: it keeps messages until the broker has them, and writes files.
///
/// The queue is in memory; a durable one takes its place here, behind the same requests.
final class StoreThread {
    private let exchange: Exchange
    private let folder: StateFolder
    private let log: Log
    private var outbox = OutboxQueue()
    private var toLoop: Spillway<Event>
    private var isConnected = false
    /// Taken from the outbox and not yet accepted by the ring.
    private var held: OutgoingMessage?
    private var finish: (by: Int64, farewell: Message?)?
    private var saidDropped: UInt64 = 0
    /// The refusals that were told since the connection came about; there are as many as MQTT has reason codes.
    private var saidRefused: Set<String> = []

    private init(_ exchange: Exchange, _ folder: StateFolder, _ log: Log) {
        self.exchange = exchange
        self.folder = folder
        self.log = log
        // One document at a time is on its way to the disk.
        toLoop = Spillway(exchange.inbox, limit: 16)
    }

    /// Starts the thread.
    static func start(_ exchange: Exchange, folder: StateFolder, log: Log) throws(SystemError) -> WorkThread {
        try WorkThread(name: "store") {
            let store = StoreThread(exchange, folder, log)
            do throws(SystemError) { try store.run() } catch { log(.error, "store: \(error)") }
        }
    }

    private func run() throws(SystemError) {
        var poller = try Poller()
        try poller.add(exchange.requests.wakeup.number, token: 0, .readable)
        while true {
            try poller.wait(milliseconds: patience) { _, _ in exchange.requests.wakeup.acknowledge() }
            while let request = exchange.requests.take() { perform(request) }
            toLoop.flush()
            handOver()
            count()
            if let finish, isDone(finish.by) {
                end(finish.farewell)
                return
            }
        }
    }

    /// How long to wait without a request, in milliseconds; nil for ever.
    private var patience: Int32? { finish != nil || !toLoop.isEmpty ? 20 : nil }

    private func perform(_ request: StoreRequest) {
        switch request {
        case .append(let message): outbox.append(message)
        case .store(let name, let content, let token):
            toLoop.send(.stored(token: token, failure: store(name, content)))
        case .limit(let events, let windows):
            outbox.limit(events: events, windows: windows)
        case .brokerIsConnected(let isConnected):
            self.isConnected = isConnected
            saidRefused = []
        case .delivered(let id): outbox.delivered(id)
        case .refused(let id, let reason):
            outbox.refused(id)
            refused(reason)
        case .returned(let id): outbox.returned(id)
        case .finish(let by, let farewell): finish = (by, farewell)
        }
    }

    /// One line for each kind of refusal and connection, not for each message; each message is counted as dropped.
    private func refused(_ reason: String) {
        guard saidRefused.insert(reason).inserted else { return }
        log(.error, "broker: refuses messages, which are given up and counted: \(reason)")
    }

    private func store(_ name: String, _ content: [UInt8]?) -> String? {
        do throws(SystemError) {
            if let content { try folder.write(name, content) } else { try folder.remove(name) }
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func handOver() {
        while isConnected {
            guard let message = held ?? outbox.next() else { return }
            held = nil
            if !exchange.handover.offer(message) {
                held = message
                return
            }
        }
        // Without a connection what was held takes its place again: a newer fact may replace it.
        if let message = held {
            held = nil
            outbox.returned(message.id)
        }
    }

    private func count() {
        let dropped = outbox.counters.dropped.values.reduce(outbox.counters.refused, +)
        let published = outbox.counters.delivered
        let queued = OutgoingMessage.Kind.allCases.reduce(outbox.inFlightCount) { $0 + outbox.waitingCount($1) }
        let events = outbox.heldCount(.event)
        exchange.counters.withLock { counters in
            counters.published = published
            counters.queued = UInt64(queued)
            counters.queuedEvents = UInt64(events)
            counters.dropped = dropped
        }
        if let gap = outbox.takeGap(), saidDropped == 0 {
            log(.warning, "the queue of events is full; the oldest make room (\(gap.count) so far)")
            saidDropped = dropped
        }
        if events == 0 { saidDropped = 0 }
    }

    private func isDone(_ by: Int64) -> Bool {
        !isConnected || outbox.isEmpty || MonotonicClock.nanoseconds >= by
    }

    private func end(_ farewell: Message?) {
        let events = outbox.heldCount(.event)
        if events > 0 {
            let what = events == 1 ? "1 event was" : "\(events) events were"
            log(.warning, "\(what) not acknowledged by the broker before the end, and may be lost")
        }
        // The last order there is: older ones make room for it.
        exchange.orders.push(.end(farewell: farewell))
    }
}
