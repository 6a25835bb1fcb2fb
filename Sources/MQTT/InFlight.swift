/// The publishes that libmosquitto has and that are not answered.
struct InFlight {
    private struct Entry {
        var packet: Int32
        var token: UInt64
        var qos: UInt8
        var serial: UInt64
    }

    // At most `BrokerClient.inFlightLimit`, where a scan is as good as a dictionary and keeps the order.
    private var entries: [Entry] = []
    private var serial: UInt64 = 0

    var count: Int { entries.count }

    /// Packet ids are 16 bits, and the library does not look whether one is in use. So one that is never answered
    /// must stop new ones long before they come round to it.
    var hasRoom: Bool {
        guard entries.count < BrokerClient.inFlightLimit else { return false }
        guard let oldest = entries.first else { return true }
        return serial - oldest.serial < 32768
    }

    mutating func add(packet: Int32, token: UInt64, qos: UInt8) {
        entries.append(Entry(packet: packet, token: token, qos: qos, serial: serial))
        serial += 1
    }

    /// The token of an answered packet; nil where it is not ours.
    mutating func remove(packet: Int32) -> UInt64? {
        guard let index = entries.firstIndex(where: { $0.packet == packet }) else { return nil }
        return entries.remove(at: index).token
    }

    /// Takes out what nobody will answer once the connection is gone.
    mutating func removeUnacknowledged() -> [UInt64] {
        let tokens = entries.filter { $0.qos == 0 }.map(\.token)
        entries.removeAll { $0.qos == 0 }
        return tokens
    }

    mutating func removeAll() -> [UInt64] {
        defer { entries.removeAll() }
        return entries.map(\.token)
    }
}
