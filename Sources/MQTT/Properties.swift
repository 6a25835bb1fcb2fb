internal import CMosquitto
internal import Glibc

/// MQTT 5 properties: a C list that has to be freed, and reading from one that belongs to the library.
struct Properties: ~Copyable {
    private(set) var list: OpaquePointer?

    deinit {
        var list = list
        mosquitto_property_free_all(&list)
    }

    init() { list = nil }

    /// Adds a four-byte integer. mosquitto_property_add_int32
    mutating func add(_ property: mqtt5_property, _ value: UInt32) throws(BrokerError) {
        try checked(
            "set a property", mosquitto_property_add_int32(&list, Int32(property.rawValue), value))
    }

    /// Adds bytes, 65,535 at most. mosquitto_property_add_binary
    mutating func add(_ property: mqtt5_property, _ value: [UInt8]) throws(BrokerError) {
        guard let length = UInt16(exactly: value.count) else {
            throw BrokerError(code: MOSQ_ERR_INVAL.rawValue, action: "set a property of \(value.count) bytes")
        }
        try checked(
            "set a property", mosquitto_property_add_binary(&list, Int32(property.rawValue), value, length))
    }

    /// A text property; nil where it is not there. mosquitto_property_read_string
    static func string(_ property: mqtt5_property, in list: OpaquePointer?) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard mosquitto_property_read_string(list, Int32(property.rawValue), &value, false) != nil, let value
        else { return nil }
        defer { free(value) }
        return String(cString: value)
    }

    /// A property of bytes; nil where it is not there. mosquitto_property_read_binary
    static func binary(_ property: mqtt5_property, in list: OpaquePointer?) -> [UInt8]? {
        var value: UnsafeMutableRawPointer?
        var length: UInt16 = 0
        guard mosquitto_property_read_binary(list, Int32(property.rawValue), &value, &length, false) != nil else {
            return nil
        }
        defer { free(value) }
        return [UInt8](UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : Int(length)))
    }
}
