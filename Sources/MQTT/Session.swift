internal import CMosquitto
internal import Glibc
internal import System

/// Facts about the library that this program runs with.
public enum BrokerLibrary {
    /// The version of the libmosquitto in use, not of the one compiled against: "2.0.11". mosquitto_lib_version
    public static var version: String {
        var (major, minor, revision): (Int32, Int32, Int32) = (0, 0, 0)
        mosquitto_lib_version(&major, &minor, &revision)
        return "\(major).\(minor).\(revision)"
    }

    // mosquitto_lib_init is not safe to call from two threads at once; Swift initialises a static once.
    fileprivate static let initialised: Int32 = mosquitto_lib_init()
}

/// One `struct mosquitto`: every call to the library about a session is made here. Used by one thread.
final class Session {
    private let handle: OpaquePointer
    private let callbacks: Callbacks
    private let settings: BrokerSettings

    /// Makes a session that has not been connected.
    init(_ settings: BrokerSettings, inFlight: Int) throws(BrokerError) {
        try checked("start libmosquitto", BrokerLibrary.initialised)
        let callbacks = Callbacks()
        // Clean start off: the broker keeps what came for the node while it was away.
        guard
            let handle = mosquitto_new(
                settings.clientID, false, Unmanaged.passUnretained(callbacks).toOpaque())
        else { throw BrokerError(code: MOSQ_ERR_INVAL.rawValue, action: "use the client id \(settings.clientID)") }
        self.handle = handle
        self.callbacks = callbacks
        self.settings = settings
        callbacks.register(with: handle)
        try configure(inFlight: inFlight)
    }

    deinit { mosquitto_destroy(handle) }

    private func configure(inFlight: Int) throws(BrokerError) {
        let options: [(mosq_opt_t, Int32)] = [
            (MOSQ_OPT_PROTOCOL_VERSION, Int32(MQTT_PROTOCOL_V5)),
            (MOSQ_OPT_SEND_MAXIMUM, Int32(inFlight)),
            // Messages are small and each is worth sending at once.
            (MOSQ_OPT_TCP_NODELAY, 1),
        ]
        for (option, value) in options {
            try checked("set an option of libmosquitto", mosquitto_int_option(handle, option, value))
        }
        if let username = settings.username { try authenticate(username) }
        if let will = settings.will { try set(will) }
        try storeConnectProperties()
    }

    /// Sets the will of the next connection. mosquitto_will_set_v5
    func set(_ will: Will) throws(BrokerError) {
        try checked(
            "set the will",
            mosquitto_will_set_v5(
                handle, will.topic, Int32(clamping: will.payload.count), will.payload, Int32(will.qos), will.retain,
                nil))
    }

    private func authenticate(_ username: String) throws(BrokerError) {
        var password = settings.password
        if let bytes = password, bytes.contains(0) {
            throw BrokerError(code: MOSQ_ERR_INVAL.rawValue, action: "use a password with a zero byte in it")
        }
        password?.append(0)
        let result =
            password?.withUnsafeBufferPointer { bytes in
                bytes.withMemoryRebound(to: CChar.self) {
                    mosquitto_username_pw_set(handle, username, $0.baseAddress)
                }
            } ?? mosquitto_username_pw_set(handle, username, nil)
        try checked("use the user name and password", result)
    }

    /// There is no asynchronous connect with properties. The blocking one stores them before it connects, and they
    /// stay for all later connects; here it is given a Unix socket that cannot exist ("/" is a folder), so that it
    /// returns at once and touches no network.
    private func storeConnectProperties() throws(BrokerError) {
        var properties = Properties()
        try properties.add(MQTT_PROP_SESSION_EXPIRY_INTERVAL, settings.sessionExpiry)
        try properties.add(MQTT_PROP_MAXIMUM_PACKET_SIZE, settings.maximumPacketSize)
        let result = mosquitto_connect_bind_v5(handle, "/", 0, Int32(settings.keepalive), nil, properties.list)
        // Without Unix sockets in the library it is "not supported", by then they are stored too.
        if result != MOSQ_ERR_ERRNO.rawValue, result != MOSQ_ERR_NOT_SUPPORTED.rawValue {
            throw BrokerError(code: result, action: "set the connect properties")
        }
    }

    /// The socket; nil when there is none. It is another one after each connect. mosquitto_socket
    var descriptor: Int32? {
        let number = mosquitto_socket(handle)
        return number < 0 ? nil : number
    }

    /// Whether there is something to write. mosquitto_want_write
    var wantsWrite: Bool { mosquitto_want_write(handle) }

    /// What a disconnect that libmosquitto reports as `result` means; `failure` is what the socket said.
    func loss(result: Int32, failure: String?) -> ConnectionLoss {
        if let code = UInt8(exactly: result), code >= 0x80 {
            return .ended(code: code, text: "the broker ended the connection: \(reasonText(code))")
        }
        switch result {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_CONN_LOST.rawValue:
            return .closed(text: resultText(MOSQ_ERR_CONN_LOST.rawValue))
        case MOSQ_ERR_ERRNO.rawValue: return .failed(text: failure ?? resultText(result))
        default: return .failed(text: resultText(result))
        }
    }

    /// What happened in the calls so far.
    func takeRecords() -> [CallbackRecord] { callbacks.take() }

    /// Starts to connect; the name is looked up before this returns, which may take the resolver's time. Returns why
    /// it failed already. mosquitto_connect_bind_async
    func connect(onlyIPv4: Bool) -> String? {
        // A null string takes an earlier binding back; passed to the connect call itself it would leave it.
        let bound = mosquitto_string_option(handle, MOSQ_OPT_BIND_ADDRESS, onlyIPv4 ? "0.0.0.0" : nil)
        if bound != MOSQ_ERR_SUCCESS.rawValue { return resultText(bound) }
        let result = mosquitto_connect_bind_async(
            handle, settings.host, Int32(settings.port), Int32(settings.keepalive), nil)
        let reason = errno
        switch result {
        case MOSQ_ERR_SUCCESS.rawValue, MOSQ_ERR_CONN_PENDING.rawValue: return nil
        case MOSQ_ERR_ERRNO.rawValue: return SystemError(code: reason, action: "").reason
        // The resolver's own code, left in errno by the library.
        case MOSQ_ERR_EAI.rawValue: return "\(settings.host): \(String(cString: gai_strerror(reason)))"
        default: return resultText(result)
        }
    }

    /// Reads what came, a bounded number of packets. Returns why the connection broke. mosquitto_loop_read
    func read() -> String? { failure(of: mosquitto_loop_read(handle, 1)) }

    /// Writes what waits. Returns why the connection broke. mosquitto_loop_write
    func write() -> String? { failure(of: mosquitto_loop_write(handle, 1)) }

    /// Keeps the connection alive; to be called about once a second. mosquitto_loop_misc
    func keepAlive() -> String? { failure(of: mosquitto_loop_misc(handle)) }

    private func failure(of result: Int32) -> String? {
        let reason = errno
        if result == MOSQ_ERR_SUCCESS.rawValue { return nil }
        return result == MOSQ_ERR_ERRNO.rawValue
            ? SystemError(code: reason, action: "").reason : resultText(result)
    }

    /// Why the socket broke, if it did; asked before the library writes to it, because it only says "error". SO_ERROR
    func socketFailure() -> String? {
        guard let descriptor else { return nil }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        return code == 0 ? nil : SystemError(code: code, action: "").reason
    }

    /// Closes the socket without a DISCONNECT. The library has no call for that: it closes a socket that fails.
    func close() {
        // Bounded because each round reads at least one packet of what was received before.
        for _ in 0..<Self.closeRounds {
            guard let descriptor else { return }
            shutdown(descriptor, Int32(SHUT_RDWR))
            _ = mosquitto_loop_read(handle, 1)
        }
    }

    /// Enough for 200 KiB (a socket's receive buffer) of packets, if most are not of the smallest size.
    private static let closeRounds = 10_000

    /// Subscribes; returns the packet id by which the answer comes. mosquitto_subscribe_v5
    func subscribe(_ subscription: Subscription) throws(BrokerError) -> Int32 {
        var packet: Int32 = 0
        var options = Int32(subscription.retainHandling.rawValue) << 4
        if subscription.retainAsPublished { options |= Int32(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue) }
        try checked(
            "subscribe to \(subscription.filter)",
            mosquitto_subscribe_v5(
                handle, &packet, subscription.filter, Int32(subscription.qos), options, nil))
        return packet
    }

    /// Publishes; returns the packet id by which the answer comes. mosquitto_publish_v5
    func publish(
        topic: String, payload: [UInt8], qos: UInt8, retain: Bool, correlationData: [UInt8]?
    ) throws(BrokerError) -> Int32 {
        var properties = Properties()
        if let correlationData { try properties.add(MQTT_PROP_CORRELATION_DATA, correlationData) }
        var packet: Int32 = 0
        let result = mosquitto_publish_v5(
            handle, &packet, topic, Int32(clamping: payload.count), payload, Int32(qos), retain, properties.list)
        switch result {
        // The connection broke meanwhile: the library has QoS 1 in its queue and will send it again, so only time
        // will tell.
        case MOSQ_ERR_NO_CONN.rawValue, MOSQ_ERR_CONN_LOST.rawValue, MOSQ_ERR_ERRNO.rawValue:
            return packet
        default:
            try checked("publish to \(topic)", result)
            return packet
        }
    }

    /// Sends DISCONNECT, so that the broker does not publish the will. mosquitto_disconnect_v5
    func disconnect() { mosquitto_disconnect_v5(handle, 0, nil) }
}
