internal import CMosquitto

/// What libmosquitto called back about, in order, as values.
enum CallbackRecord: Equatable {
    case acknowledged(code: UInt8, sessionPresent: Bool)
    /// MOSQ_ERR_* below 0x80, from there on the reason code of the broker's DISCONNECT.
    case disconnected(code: Int32)
    case published(packet: Int32, reasonCode: UInt8)
    case subscribed(packet: Int32, codes: [UInt8])
    case received(IncomingMessage)
}

/// The context that libmosquitto hands to its callbacks. They only take down what happened: the library holds locks
/// while it calls, and treats a publish in a callback differently, so everything else waits until it has returned.
final class Callbacks {
    private(set) var records: [CallbackRecord] = []

    /// Takes the records out.
    func take() -> [CallbackRecord] {
        defer { records.removeAll(keepingCapacity: true) }
        return records
    }

    /// Makes the library call back. The object must live as long as `handle`, whose context it has to be.
    func register(with handle: OpaquePointer) {
        mosquitto_connect_v5_callback_set(handle) { _, context, code, flags, _ in
            // Bit 0 of the Connect Acknowledge Flags is Session Present (MQTT 5 section 3.2.2.1).
            record(context, .acknowledged(code: UInt8(truncatingIfNeeded: code), sessionPresent: flags & 1 != 0))
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, code, _ in
            record(context, .disconnected(code: code))
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, packet, code, _ in
            record(context, .published(packet: packet, reasonCode: UInt8(truncatingIfNeeded: code)))
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, context, packet, count, granted, _ in
            let codes = UnsafeBufferPointer(start: granted, count: granted == nil ? 0 : Int(max(count, 0)))
            record(context, .subscribed(packet: packet, codes: codes.map { UInt8(truncatingIfNeeded: $0) }))
        }
        mosquitto_message_v5_callback_set(handle) { _, context, message, properties in
            guard let message, let topic = message.pointee.topic else { return }
            // The payload pointer is null when the payload is empty.
            let length = message.pointee.payload == nil ? 0 : Int(max(message.pointee.payloadlen, 0))
            let payload = [UInt8](UnsafeRawBufferPointer(start: message.pointee.payload, count: length))
            record(
                context,
                .received(
                    IncomingMessage(
                        topic: String(cString: topic), payload: payload,
                        qos: UInt8(truncatingIfNeeded: message.pointee.qos), retain: message.pointee.retain,
                        responseTopic: Properties.string(MQTT_PROP_RESPONSE_TOPIC, in: properties),
                        correlationData: Properties.binary(MQTT_PROP_CORRELATION_DATA, in: properties))))
        }
    }

    fileprivate func append(_ record: CallbackRecord) { records.append(record) }
}

private func record(_ context: UnsafeMutableRawPointer?, _ record: CallbackRecord) {
    guard let context else { return }
    // Unretained because the client that owns the handle owns the callbacks too, and destroys the handle first.
    Unmanaged<Callbacks>.fromOpaque(context).takeUnretainedValue().append(record)
}
