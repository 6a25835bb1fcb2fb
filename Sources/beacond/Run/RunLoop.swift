internal import Agent
internal import Outbox
internal import Presence
internal import System

/// The loop of the radio and the domain: waits, lets the agent decide, performs what it wants.
///
/// Everything here happens on one thread, so `handle` cannot be interleaved.
final class RunLoop {
    /// What woke the loop.
    private enum Token {
        static let radio: UInt64 = 1
        static let inbox: UInt64 = 2
        static let signals: UInt64 = 3
    }

    /// While adverts come in, the loop wakes this often at most: at thousands a second it is wake-ups that cost, not
    /// adverts. 20 ms of 2,600 adverts a second are 52 packets, a quarter of what a socket holds.
    private static let busyTick: Int64 = 20_000_000
    /// The loop waits for nothing longer than this, in milliseconds, and so knows when it was stopped: by SIGSTOP, by a
    /// machine that was frozen or swapped, or by work of its own that took too long.
    private static let longestWait: Int32 = 1000
    /// From one turn to the next there is never more than `longestWait`. After twice as long nobody has listened: the
    /// socket holds some of what came meanwhile, and nobody knows how much.
    private static let stall: Int64 = 2 * Int64(longestWait) * 1_000_000
    /// The radio has so long to fall silent at the end.
    private static let radioStopLimit: Int64 = 2_000_000_000
    /// What waits for the broker has so long to be delivered at the end.
    private static let deliveryLimit: Int64 = 3_000_000_000
    /// The file of the state folder in which it stands which commands controllers take.
    static let memoryFile = "controllers"
    /// The agent's own files have tokens from 1 on.
    private static let memoryToken: UInt64 = 0
    /// How old the figure for resident memory may be.
    private static let memoryAge: Int64 = 5_000_000_000

    private let exchange: Exchange
    private let log: Log
    private let readFile: () -> Result<FileRead, FileRefusal>
    private var poller: Poller
    private let signals: Signals
    private var agent: NodeAgent
    private let radio: RadioLink
    private var toStore: Spillway<StoreRequest>
    private var nextID: UInt64 = 0
    private var counters = Counters()
    private var memoryReadAt: Int64?
    private var isStopping = false
    /// When the loop last turned.
    private var lastTurn: Int64?
    private var farewell: Message?
    private var isConnected = false

    /// Prepares a loop. `readFile` reads the configuration file again.
    init(
        _ agent: NodeAgent, radio: RadioLink, exchange: Exchange, signals: consuming Signals, log: Log,
        readFile: @escaping () -> Result<FileRead, FileRefusal>
    ) throws(SystemError) {
        self.agent = agent
        self.exchange = exchange
        self.log = log
        self.readFile = readFile
        self.signals = signals
        self.radio = radio
        // A connect in a region-rich store says 10,000 facts at once; a day's events are the store's to bound.
        toStore = Spillway(exchange.requests, limit: 100_000)
        poller = try Poller()
        try poller.add(exchange.loopWakeup.number, token: Token.inbox, .readable)
        try poller.add(self.signals.number, token: Token.signals, .readable)
    }

    /// Runs until a signal ends it.
    func run() throws(SystemError) {
        perform(agent.opening(at: moment()))
        var wokenAt: Int64 = 0
        while !isStopping {
            // Adverts that came in the meantime wait in the socket; commands and their answers do not wait.
            let now = MonotonicClock.nanoseconds
            if radio.isSettled, now - wokenAt < Self.busyTick {
                sleep(nanoseconds: Self.busyTick - (now - wokenAt))
            }
            try wait(milliseconds: patience())
            wokenAt = MonotonicClock.nanoseconds
            afterRadio()
            handle(.ticked(readCounters()))
            prove()
            toStore.flush()
        }
        try stop()
    }

    // MARK: - Waiting

    private func wait(milliseconds: Int32) throws(SystemError) {
        // One for each controller: there are two where one listens and another one advertises.
        var seenRadio: [(token: UInt64, Readiness)] = []
        var (seenInbox, seenSignals) = (false, false)
        try poller.wait(milliseconds: milliseconds) { token, seen in
            switch token {
            case Token.inbox: seenInbox = true
            case Token.signals: seenSignals = true
            default: seenRadio.append((token, seen))
            }
        }
        let now = MonotonicClock.nanoseconds
        // Before what waited in the socket, which would pass for a sign of life.
        if let lastTurn, now - lastTurn > Self.stall {
            log(
                .warning,
                "nothing was listened to for \((now - lastTurn) / 1_000_000) ms: the process stood still, or waited for the kernel"
            )
            handle(.radio(.missed(Span(nanoseconds: now - lastTurn))))
        }
        lastTurn = now
        // Adverts first: what waited in the socket was heard before anybody's silence is judged.
        for (token, seen) in seenRadio {
            radio.ready(seen, now: now, token: token) { heard in
                // What became of the radio before it heard this.
                if radio.hasNews { afterRadio() }
                perform(agent.handle(Event(heard), at: moment(now)))
            }
        }
        radio.tick(now: now, poller: &poller, token: Token.radio)
        if seenInbox { readInbox() }
        if seenSignals { readSignals() }
    }

    /// Until the next thing that is due, in whole milliseconds, never early.
    private func patience() -> Int32 {
        if !toStore.isEmpty { return 1 }
        let due = min(isUnproven ? .max : agent.nextDeadline.nanoseconds, radio.nextDeadline ?? .max)
        let left = due - MonotonicClock.nanoseconds
        return left <= 0 ? 0 : min(Int32(clamping: left / 1_000_000 + 1), Self.longestWait)
    }

    /// Whether the agent waits for nothing but a sign of life.
    private var isUnproven: Bool {
        guard let proven = radio.provenUntil else { return false }
        let due = agent.nextDeadline.nanoseconds
        return proven < due && due <= MonotonicClock.nanoseconds
    }

    /// Asks the controller for the sign of life without which the agent cannot judge what is due.
    private func prove() {
        if isUnproven { radio.prove(until: agent.nextDeadline.nanoseconds, now: MonotonicClock.nanoseconds) }
    }

    private func moment(_ now: Int64 = MonotonicClock.nanoseconds) -> Moment {
        Moment(
            instant: Instant(nanoseconds: now), wall: WallClock.nanoseconds,
            isSynchronised: counters.isClockSynchronised)
    }

    // MARK: - What comes in

    private func readInbox() {
        exchange.loopWakeup.acknowledge()
        while let event = exchange.inbox.take() {
            switch event {
            case .connected: isConnected = true
            case .disconnected: isConnected = false
            case .stored(Self.memoryToken, let failure):
                if let failure {
                    log(.warning, "radio: what was learned of the controller is not kept: \(failure)")
                }
                continue
            default: break
            }
            handle(event)
        }
    }

    private func readSignals() {
        while let signal = signals.next() {
            switch signal {
            case .hangUp:
                log(.info, "SIGHUP: reading the configuration file again")
                handle(.fileRead(readFile()))
            case .terminate, .interrupt: isStopping = true
            }
        }
    }

    private func afterRadio() {
        let reports = radio.reports
        radio.reports.removeAll(keepingCapacity: true)
        for report in reports { handle(.radio(report)) }
        if let learned = radio.learned {
            radio.learned = nil
            toStore.send(.store(name: Self.memoryFile, content: Array(learned.utf8), token: Self.memoryToken))
        }
    }

    private func readCounters() -> Counters {
        let delivery = exchange.counters.withLock { $0 }
        counters.adverts = radio.adverts
        counters.scanResponses = radio.scanResponses
        counters.malformed = radio.malformed
        counters.lost = radio.lost
        counters.radioProvenUntil = radio.provenUntil.map { Instant(nanoseconds: $0) }
        counters.published = delivery.published
        counters.queued = delivery.queued
        counters.queuedEvents = delivery.queuedEvents
        counters.dropped = delivery.dropped + delivery.spilled + toStore.lost + exchange.fleeting.dropped
        let now = MonotonicClock.nanoseconds
        if memoryReadAt.map({ now - $0 > Self.memoryAge }) ?? true {
            memoryReadAt = now
            counters.residentKiB = residentMemory().map { $0 / 1024 } ?? 0
            counters.isClockSynchronised = WallClock.isSynchronised
        }
        return counters
    }

    // MARK: - Deciding and doing

    private func handle(_ event: Event) { perform(agent.handle(event, at: moment())) }

    private func perform(_ effects: [Effect]) {
        // The path of almost every advert.
        if effects.isEmpty { return }
        for effect in effects {
            switch effect {
            case .publish(let message): publish(message)
            case .farewell(let message): farewell = message
            case .store(let name, let content, let token):
                toStore.send(.store(name: name, content: content, token: token))
            case .tune(let tuning): radio.apply(tuning, now: MonotonicClock.nanoseconds)
            case .reconnect(let access):
                // Only the newest counts, so where the ring is full the oldest may go.
                exchange.orders.push(.connect(access))
            case .limitQueue(let events, let windows): toStore.send(.limit(events: events, windows: windows))
            case .log(let level, let text): log(level, text)
            }
        }
        log.set(agent.logLevel)
    }

    private func publish(_ message: Message) {
        guard let kind = OutgoingMessage.Kind(message.kind) else {
            // Fleeting: now or not at all.
            if isConnected { exchange.fleeting.push(message) }
            return
        }
        nextID += 1
        toStore.send(
            .append(
                OutgoingMessage(
                    id: nextID, kind: kind, topic: message.topic, payload: message.payload, qos: message.qos,
                    retain: message.retain, correlation: message.correlation)))
    }

    // MARK: - The end

    /// Radio off, last messages delivered, status offline: in this order and in bounded time.
    private func stop() throws(SystemError) {
        log(.info, "stopping")
        // The radio first: what it hears until it is silent belongs to the last window.
        let end = MonotonicClock.nanoseconds + Self.radioStopLimit
        radio.stop(now: MonotonicClock.nanoseconds)
        while !radio.isStopped && MonotonicClock.nanoseconds < end { try wait(milliseconds: 20) }
        if !radio.isSilent {
            log(
                .warning,
                "radio: it did not confirm that it is silent, and may be on air; `beacond silence` tries again")
        }
        afterRadio()
        handle(.stopping)
        let deliveryEnd = MonotonicClock.nanoseconds + Self.deliveryLimit
        toStore.send(.finish(by: deliveryEnd, farewell: farewell))
        while !toStore.isEmpty && MonotonicClock.nanoseconds < deliveryEnd {
            toStore.flush()
            exchange.loopWakeup.wait(for: .milliseconds(1))
        }
    }
}

extension OutgoingMessage.Kind {
    /// How the outbox keeps a message of the agent's; nil if it does not.
    init?(_ kind: Message.Kind) {
        switch kind {
        case .event: self = .event
        case .latest: self = .latest
        case .reply: self = .reply
        case .window: self = .window
        case .fleeting: return nil
        }
    }
}
