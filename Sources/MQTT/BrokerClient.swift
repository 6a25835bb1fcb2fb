internal import Glibc
public import System

/// An MQTT 5 client that finds its way back by itself.
///
/// It belongs to one thread, which runs it: that thread calls `poll` again and again, looks at the events and
/// publishes while `canPublish`. Looking up a name may block `poll` for as long as the resolver takes (30 s with
/// two dead name servers), so the thread should have nothing else to do; to stop, wait for it a bounded time.
public final class BrokerClient {
    /// How many publishes may wait for their acknowledgement. libmosquitto keeps them in memory and sends them again
    /// at a reconnect, whether or not the caller does, so there should be few.
    public static let inFlightLimit = 20

    /// Whether incoming messages are left in the socket, because the caller has no room for them. TCP then stops the
    /// broker. Not for longer than the keepalive: answers to probes are not read either. One `poll` reads at
    /// most 21 packets (more only where a TLS record holds more).
    public var pausesReading = false

    private let session: Session
    private var state: ConnectionState
    private let settings: BrokerSettings
    private var events: [BrokerEvent] = []
    private var inFlight = InFlight()
    /// Packet id of each unanswered SUBSCRIBE.
    private var unanswered: [Int32: Subscription] = [:]
    private var nextKeepAlive = Duration.zero
    /// Why the socket broke, as far as the kernel said; better than the library's "error".
    private var lastFailure: String?

    /// Makes a client that has not tried to connect; throws where libmosquitto refuses the settings.
    public init(_ settings: BrokerSettings, limits: ConnectionLimits = ConnectionLimits()) throws(BrokerError) {
        session = try Session(settings, inFlight: Self.inFlightLimit)
        state = ConnectionState(limits: limits)
        self.settings = settings
    }

    /// Whether the broker accepted the connection and answered the subscriptions.
    public var isConnected: Bool { state.isConnected }

    /// Whether a publish would be taken.
    public var canPublish: Bool { state.isConnected && inFlight.hasRoom }

    /// How many publishes are not answered yet.
    public var inFlightCount: Int { inFlight.count }

    /// Changes the will; it holds from the next connection on, so that each connection can have a will of its own.
    public func setWill(_ will: Will) throws(BrokerError) { try session.set(will) }

    /// Works on the connection until something happened, until `wakeup` is rung (which is acknowledged) or until
    /// `timeout` passed. The caller then empties whatever the wake-up stands for.
    public func poll(wakeup: Wakeup?, timeout: Duration) -> [BrokerEvent] {
        let end = Self.now + timeout
        var woken = false
        repeat {
            perform(state.tick(at: Self.now, random: Self.random))
            // With news in hand, only look whether there is more.
            woken = wait(for: wakeup, until: events.isEmpty ? end : Self.now)
        } while events.isEmpty && !woken && Self.now < end
        defer { events.removeAll(keepingCapacity: true) }
        return events
    }

    /// Hands a message to the broker. Call it only while `canPublish`; throws where it can never be sent (too large,
    /// not a topic) and forgets it then. Else exactly one `.published` or `.dropped` with the token follows.
    public func publish(
        token: UInt64, topic: String, payload: [UInt8], qos: UInt8, retain: Bool, correlationData: [UInt8]? = nil
    ) throws(BrokerError) {
        precondition(canPublish, "a message published offline would be queued without bound")
        let packet = try session.publish(
            topic: topic, payload: payload, qos: qos, retain: retain, correlationData: correlationData)
        inFlight.add(packet: packet, token: token, qos: qos)
        collect()
    }

    /// Waits until what was published is answered, for at most `limit`, and disconnects so that the broker does not
    /// publish the will. What is unanswered is dropped. The client is of no use afterwards.
    public func disconnect(within limit: Duration) -> [BrokerEvent] {
        let end = Self.now + limit
        var all: [BrokerEvent] = []
        while state.isConnected, inFlight.count > 0, Self.now < end {
            all += poll(wakeup: nil, timeout: end - Self.now)
        }
        let wasUp = state.isConnected
        state.stop()
        if wasUp {
            session.disconnect()
            while session.descriptor != nil, Self.now < end { _ = wait(for: nil, until: end) }
        }
        session.close()
        collect()
        events += inFlight.removeAll().map { .dropped(token: $0) }
        defer { events.removeAll() }
        return all + events
    }

    // MARK: The socket

    /// Waits for the socket and the wake-up, and does what the socket is ready for. Returns whether it was woken.
    private func wait(for wakeup: Wakeup?, until end: Duration) -> Bool {
        var wanted = Int16(0)
        if !pausesReading { wanted |= Int16(POLLIN) }
        if session.wantsWrite { wanted |= Int16(POLLOUT) }
        let socket = state.usesSocket || state.phase == .stopped ? session.descriptor : nil
        var watched = [
            // poll ignores a negative descriptor.
            pollfd(fd: socket ?? -1, events: wanted, revents: 0),
            pollfd(fd: wakeup?.number ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        var until = min(end, state.deadline ?? end)
        if socket != nil { until = min(until, nextKeepAlive) }
        Glibc.poll(&watched, 2, milliseconds(until: until))

        if socket != nil { work(watched[0].revents) }
        guard watched[1].revents != 0 else { return false }
        wakeup?.acknowledge()
        return true
    }

    private func work(_ seen: Int16) {
        let broken = seen & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
        if broken { lastFailure = session.socketFailure() ?? lastFailure }
        if seen & Int16(POLLOUT) != 0 || broken { note(session.write()) }
        if session.descriptor != nil, seen & Int16(POLLIN) != 0 || broken { note(session.read()) }
        if session.descriptor != nil, Self.now >= nextKeepAlive {
            nextKeepAlive = Self.now + .seconds(1)
            note(session.keepAlive())
        }
        collect()
    }

    private func note(_ failure: String?) {
        if lastFailure == nil { lastFailure = failure }
    }

    // MARK: What happened

    /// Makes events of what the library called back about, and notices a connection that ended without a word.
    private func collect() {
        for record in session.takeRecords() { take(record) }
        if state.usesSocket, session.descriptor == nil { lost(.failed(text: lastFailure ?? "connection lost")) }
    }

    private func take(_ record: CallbackRecord) {
        switch record {
        case .acknowledged(0, let sessionPresent):
            perform(state.accepted(sessionPresent: sessionPresent, at: Self.now))
        case .acknowledged(let code, _):
            perform(state.refused(code: code, text: reasonText(code), at: Self.now, random: Self.random))
        case .disconnected(let result):
            lost(session.loss(result: result, failure: lastFailure))
        case .published(let packet, let code):
            if let token = inFlight.remove(packet: packet) {
                events.append(.published(token: token, reasonCode: code))
            }
        case .subscribed(let packet, let codes):
            guard let subscription = unanswered.removeValue(forKey: packet) else { return }
            if let code = codes.first, code >= 0x80 {
                events.append(.subscriptionRefused(filter: subscription.filter, code: code))
            }
            if unanswered.isEmpty { perform(state.subscribed(at: Self.now)) }
        case .received(let message):
            events.append(.received(message))
        }
    }

    private func lost(_ loss: ConnectionLoss) {
        forgetConnection()
        perform(state.lost(loss, at: Self.now, random: Self.random))
    }

    /// What goes with a connection: subscriptions under way, and QoS 0 that was not written. QoS 1 stays in flight,
    /// because the library sends it again.
    private func forgetConnection() {
        unanswered.removeAll()
        events += inFlight.removeUnacknowledged().map { .dropped(token: $0) }
    }

    // MARK: What to do

    private func perform(_ actions: [ConnectionAction]) {
        for action in actions {
            switch action {
            case .connect(let onlyIPv4): connect(onlyIPv4: onlyIPv4)
            case .close:
                session.close()
                // The state is not one of a connection any more, so what is left to learn is what was answered.
                for record in session.takeRecords() { take(record) }
                forgetConnection()
            case .subscribe: subscribe()
            case .report(let event): events.append(event)
            }
        }
    }

    private func connect(onlyIPv4: Bool) {
        lastFailure = nil
        nextKeepAlive = Self.now + .seconds(1)
        if let failure = session.connect(onlyIPv4: onlyIPv4) { lost(.failed(text: failure)) }
    }

    private func subscribe() {
        for subscription in settings.subscriptions {
            do throws(BrokerError) {
                unanswered[try session.subscribe(subscription)] = subscription
            } catch {
                // 0x8F: topic filter not valid (MQTT 5 section 3.9.3). A lost connection shows by itself.
                events.append(.subscriptionRefused(filter: subscription.filter, code: 0x8F))
            }
        }
        if unanswered.isEmpty { perform(state.subscribed(at: Self.now)) }
    }

    private func milliseconds(until end: Duration) -> Int32 {
        // An hour at most, so that no timeout overflows.
        let (seconds, attoseconds) = min(end - Self.now, .seconds(3600)).components
        if seconds < 0 || attoseconds < 0 { return 0 }
        // Rounded up, or the last part of a millisecond is spent spinning.
        return Int32(clamping: seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private static var now: Duration { .nanoseconds(MonotonicClock.nanoseconds) }
    private static var random: Double { .random(in: 0..<1) }
}
