internal import CMosquitto

/// What libmosquitto refuses to do, in a sentence.
public struct BrokerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library's result code, MOSQ_ERR_*.
    public let code: Int32
    /// What was being done: "publish to beacons/x".
    public let action: String

    /// "cannot publish to beacons/x: Message too large (25)". mosquitto_strerror
    public var description: String { "cannot \(action): \(resultText(code)) (\(code))" }
}

/// Runs a libmosquitto call that must succeed; the place that looks at its result.
func checked(_ action: @autoclosure () -> String, _ result: Int32) throws(BrokerError) {
    if result != MOSQ_ERR_SUCCESS.rawValue { throw BrokerError(code: result, action: action()) }
}

/// The library's words for a result code, without the full stop of some. mosquitto_strerror
func resultText(_ code: Int32) -> String {
    switch code {
    case MOSQ_ERR_CONN_LOST.rawValue: "the broker closed the connection"
    // 2.0.11 has no words for it.
    case MOSQ_ERR_KEEPALIVE.rawValue: "the broker stopped answering"
    default: sentencePart(mosquitto_strerror(code))
    }
}

/// The library's words for a reason code of MQTT 5. mosquitto_reason_string
func reasonText(_ code: UInt8) -> String { sentencePart(mosquitto_reason_string(Int32(code))) }

private func sentencePart(_ text: UnsafePointer<CChar>?) -> String {
    guard let text else { return "unknown error" }
    var part = String(cString: text)
    if part.last == "." { part.removeLast() }
    return part
}
