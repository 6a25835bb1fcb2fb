internal import Agent
internal import MQTT
internal import Outbox
internal import System

/// The thread that may wait for name servers and TLS: it owns the connection to the broker.
final class BrokerThread {
    /// How often a password file that cannot be read is tried again.
    private static let passwordPause = Duration.seconds(10)
    /// How long an end may take, once everything was delivered or given up.
    private static let farewellLimit = Duration.seconds(2)
    /// Set in the tokens of messages that nobody keeps.
    private static let fleetingBit: UInt64 = 1 << 63

    private let exchange: Exchange
    private let log: Log
    private let will: @Sendable (String) -> [UInt8]
    private let run: String
    private var client: BrokerClient?
    private var access: BrokerAccess?
    private var toStore: Spillway<StoreRequest>
    private var toLoop: Spillway<Event>
    private var connections = 0
    private var fleetingSent: UInt64 = 0
    private var said: BrokerCondition?
    private var saidPassword: String?
    /// What the file held when the connection was set up.
    private var password: [UInt8]?
    private var retryAt: Int64?
    private var saidSpilled: UInt64 = 0

    private init(_ exchange: Exchange, _ log: Log, _ will: @escaping @Sendable (String) -> [UInt8]) {
        self.exchange = exchange
        self.log = log
        self.will = will
        run = randomBytes(6).reduce(into: "") { text, byte in
            text += String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
        }
        // At most the messages in flight and in the handover are answered at once.
        toStore = Spillway(exchange.requests, limit: 4096)
        // Reading pauses while anything waits here, and one turn reads some twenty packets.
        toLoop = Spillway(exchange.inbox, limit: 256)
    }

    /// Starts the thread. `will` makes the payload of a session's will.
    static func start(
        _ exchange: Exchange, log: Log, will: @escaping @Sendable (String) -> [UInt8]
    ) throws(SystemError) -> WorkThread {
        try WorkThread(name: "broker") { BrokerThread(exchange, log, will).work() }
    }

    /// The name of the next connection, or of the one that stands.
    private var session: String { "\(run)-\(connections + 1)" }

    private func work() {
        while true {
            while let order = exchange.orders.take() {
                switch order {
                case .connect(let access): connect(access)
                case .end(let farewell):
                    end(farewell)
                    return
                }
            }
            if let retryAt, MonotonicClock.nanoseconds >= retryAt, let access { connect(access) }
            toStore.flush()
            toLoop.flush()
            turn()
            let spilled = toStore.lost + toLoop.lost
            if spilled > saidSpilled {
                saidSpilled = spilled
                exchange.counters.withLock { $0.spilled = spilled }
            }
        }
    }

    private func turn() {
        // Short while something waits for room in a ring, for nothing wakes this thread when there is some.
        let patience = toStore.isEmpty && toLoop.isEmpty ? Duration.seconds(1) : .milliseconds(20)
        guard let client else {
            exchange.orders.wakeup.wait(for: patience)
            return
        }
        client.pausesReading = !toLoop.isEmpty
        for event in client.poll(wakeup: exchange.orders.wakeup, timeout: patience) { take(event) }
        publish(client)
    }

    // MARK: - Connecting

    private func connect(_ access: BrokerAccess) {
        retryAt = nil
        // A broker that is left in good order publishes no will: it is told that this session is over.
        if let before = self.access, client != nil {
            sayLast(topic: before.statusTopic, payload: will("\(run)-\(connections)"))
        }
        leave()
        // What becomes of another broker is news, even if it is the same.
        if access != self.access { said = nil }
        self.access = access
        do throws(BrokerError) {
            guard let settings = settings(access) else { return }
            client = try BrokerClient(settings)
        } catch {
            log(.error, "broker: \(error)")
        }
    }

    /// Lets go of the connection that stands, in good order.
    private func leave() {
        guard let client else { return }
        for event in client.disconnect(within: Self.farewellLimit) { take(event) }
        self.client = nil
        isConnected(false)
    }

    private func settings(_ access: BrokerAccess) -> BrokerSettings? {
        password = nil
        if let file = access.passwordFile {
            do throws(PasswordFileError) {
                password = try readPassword(file)
                saidPassword = nil
            } catch {
                if saidPassword != error.text {
                    log(.error, "broker: \(error.text)")
                    saidPassword = error.text
                }
                retryAt = MonotonicClock.nanoseconds + Int64(Self.passwordPause.components.seconds) * 1_000_000_000
                return nil
            }
        }
        return BrokerSettings(
            host: access.host, port: access.port, clientID: access.clientID, username: access.username,
            password: password, keepalive: UInt16(clamping: access.keepalive.components.seconds),
            will: Will(topic: access.statusTopic, payload: will(session)),
            // Without retain-as-published the flag tells what comes from the broker's memory from what is new.
            subscriptions: access.subscriptions.map { Subscription(filter: $0, retainAsPublished: false) })
    }

    // MARK: - What happens

    private func take(_ event: BrokerEvent) {
        if let condition = event.condition { say(condition) }
        switch event {
        case .connected:
            connections += 1
            isConnected(true)
            toLoop.send(.connected(session: "\(run)-\(connections)"))
        case .disconnected: disconnected()
        case .published(let token, let code):
            if token & Self.fleetingBit != 0 { return }
            // What an acknowledgement with a failure means for an event is the durable queue's matter; in memory
            // a message that the broker refuses is refused for good.
            toStore.send(
                code < 0x80
                    ? .delivered(id: token)
                    : .refused(id: token, reason: "reason code 0x\(String(code, radix: 16))"))
        case .dropped(let token):
            if token & Self.fleetingBit == 0 { toStore.send(.returned(id: token)) }
        case .received(let message):
            toLoop.send(
                .received(
                    Received(
                        topic: message.topic, payload: message.payload, isRetained: message.retain,
                        correlation: message.correlationData)))
        case .subscriptionRefused(let filter, let code):
            log(
                .error,
                "broker: refuses the subscription \(filter) (0x\(String(code, radix: 16))); no documents come")
        case .refused: lookForPassword()
        case .unreachable, .identityConflict: break
        }
    }

    /// One line for each change of state, not for each attempt.
    private func say(_ condition: BrokerCondition) {
        guard condition != said, let access else { return }
        said = condition
        let level: LogLevel =
            switch condition {
            case .connected: .info
            case .refused, .identityConflict: .error
            case .disconnected, .unreachable: .warning
            }
        log(level, "broker: \(escaped(access.host)):\(access.port) \(escaped("\(condition)", limit: 200))")
    }

    private func disconnected() {
        isConnected(false)
        toLoop.send(.disconnected)
        // The next connection is another session, and its will says so.
        guard let client, let access else { return }
        do throws(BrokerError) {
            try client.setWill(Will(topic: access.statusTopic, payload: will(session)))
        } catch {
            log(.error, "broker: \(error)")
        }
    }

    /// A refusal may mean that the password was changed at both ends since the file was read: a node that went on with
    /// the old one would be cut off. If the file holds another one now, that is tried at once; the same one is not.
    private func lookForPassword() {
        guard let file = access?.passwordFile else { return }
        // A file that cannot be read now may be in the middle of being replaced; the next refusal looks again.
        guard let now = try? readPassword(file), now != password else { return }
        retryAt = MonotonicClock.nanoseconds
    }

    private func isConnected(_ isConnected: Bool) {
        toStore.send(.brokerIsConnected(isConnected))
        guard !isConnected else { return }
        while let message = exchange.handover.take() { toStore.send(.returned(id: message.id)) }
        while exchange.fleeting.take() != nil {}
    }

    // MARK: - Publishing

    private func publish(_ client: BrokerClient) {
        while client.canPublish {
            if let message = exchange.handover.take() {
                do throws(BrokerError) {
                    try client.publish(
                        token: message.id, topic: message.topic, payload: message.payload, qos: message.qos,
                        retain: message.retain, correlationData: message.correlation)
                } catch {
                    toStore.send(.refused(id: message.id, reason: "\(error)"))
                }
            } else if let message = exchange.fleeting.take() {
                fleetingSent += 1
                do throws(BrokerError) {
                    try client.publish(
                        token: fleetingSent | Self.fleetingBit, topic: message.topic, payload: message.payload,
                        qos: message.qos, retain: message.retain)
                } catch {
                    log(.debug, "broker: \(error)")
                }
            } else {
                return
            }
        }
        // What may be dropped is only worth something now.
        if !client.isConnected { while exchange.fleeting.take() != nil {} }
    }

    private func end(_ farewell: Message?) {
        if let client { publish(client) }
        if let farewell { sayLast(topic: farewell.topic, payload: farewell.payload) }
        leave()
    }

    /// Publishes the status that the broker keeps, behind everything else that is on its way.
    private func sayLast(topic: String, payload: [UInt8]) {
        guard let client else { return }
        let end = MonotonicClock.nanoseconds + Int64(Self.farewellLimit.components.seconds) * 1_000_000_000
        while client.isConnected && !client.canPublish && MonotonicClock.nanoseconds < end {
            for event in client.poll(wakeup: nil, timeout: .milliseconds(100)) { take(event) }
        }
        guard client.canPublish else { return }
        do throws(BrokerError) {
            try client.publish(token: Self.fleetingBit, topic: topic, payload: payload, qos: 1, retain: true)
        } catch {
            log(.error, "broker: the last status is not published: \(error)")
        }
    }
}
