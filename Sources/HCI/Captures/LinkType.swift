/// What the packets of a pcap or pcapng interface are.
enum LinkType {
    /// LINKTYPE_BLUETOOTH_HCI_H4, 187: HCI packets with the H4 type byte before each.
    case h4
    /// LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR, 201: the same behind a direction; tcpdump's and Wireshark's own of `bluetooth0`.
    case directedH4
    /// LINKTYPE_BLUETOOTH_LE_LL, 251: packets from the air and nothing else.
    case linkLayer
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, 256: Ubertooth, Sniffle and others.
    case radioHeader
    /// LINKTYPE_NORDIC_BLE, 272: the nRF sniffer.
    case nordic

    init(number: UInt16) throws(CaptureFault) {
        switch number {
        case 187: self = .h4
        case 201: self = .directedH4
        case 251: self = .linkLayer
        case 256: self = .radioHeader
        case 272: self = .nordic
        default: throw .linkType("link type \(number)\(Self.name(number))")
        }
    }

    private static func name(_ number: UInt16) -> String {
        switch number {
        case 1: " (Ethernet)"
        case 105: " (Wi-Fi)"
        case 127: " (Wi-Fi with radio header)"
        case 189, 220, 249: " (USB)"
        case 254: " (Linux Bluetooth monitor)"
        case 255: " (Bluetooth BR/EDR)"
        default: ""
        }
    }

    /// How long the direction before a packet of link type 201 is: four bytes, big-endian.
    private static let directionLength = 4

    /// Which way a packet went. Where nothing says so, commands are sent and all else is received.
    func direction(of bytes: UnsafeRawBufferPointer) -> CaptureDirection {
        switch self {
        case .h4: bytes.first == 1 ? .sent : .received
        // Bit 0 is set in what comes from the controller. libpcap pcap/bluetooth.h
        case .directedH4: bytes.count >= Self.directionLength && bytes[3] & 1 == 0 ? .sent : .received
        case .linkLayer, .radioHeader, .nordic: .received
        }
    }

    func content(_ bytes: UnsafeRawBufferPointer, isCut: Bool) -> BorrowedContent {
        switch self {
        case .h4: return .h4(bytes, isCut: isCut)
        case .directedH4:
            if bytes.count < Self.directionLength { return .skipped(.tooShort) }
            return .h4(UnsafeRawBufferPointer(rebasing: bytes[Self.directionLength...]), isCut: isCut)
        case .linkLayer, .radioHeader, .nordic: break
        }
        // Without its end a packet has no checksum.
        if isCut { return .skipped(.cutByCapture) }
        return bytes.fields { cursor in
            switch self {
            case .nordic: Self.nordic(&cursor)
            case .linkLayer: Self.bare(&cursor)
            default: Self.radioHeader(&cursor)
            }
        }
    }

    /// Access address, PDU, CRC. https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL.html
    private static func bare(_ cursor: inout ByteCursor) -> BorrowedContent {
        guard let accessAddress = cursor.little(UInt32.self) else { return .skipped(.tooShort) }
        return linkLayer(
            // Nothing says on what PHY and channel: the coded PHY has a byte more before its PDU, which these packets do
            // not have, and an extended advert with data is never on a primary channel (Vol 6 Part B 2.3.1.6).
            &cursor, accessAddress: accessAddress, rssi: nil, phy: .le1M, isPrimary: false, isKnownWrong: false)
    }

    /// A 10-byte header, access address, PDU, CRC.
    /// https://www.tcpdump.org/linktypes/LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR.html
    private static func radioHeader(_ cursor: inout ByteCursor) -> BorrowedContent {
        guard let channel = cursor.byte(), let signal = cursor.little(Int8.self),
            // Noise, access address errors, the access address that was looked for.
            cursor.take(6) != nil, let flags = cursor.little(UInt16.self),
            let accessAddress = cursor.little(UInt32.self)
        else { return .skipped(.tooShort) }
        if flags & 0x0001 == 0 { return .skipped(.whitened) }
        let phy: RadioPHY = [.le1M, .le2M, .leCoded, .le1M][Int(flags >> 14)]
        return linkLayer(
            &cursor, accessAddress: accessAddress, rssi: flags & 0x0002 != 0 ? signal : nil, phy: phy,
            // RF channels: 0 is 2402 MHz; these three are the advertising channels 37, 38 and 39.
            isPrimary: channel == 0 || channel == 12 || channel == 39,
            // Checked at capture, and wrong.
            isKnownWrong: flags & 0x0C00 == 0x0400)
    }

    /// Board, then a header of 6 bytes and one of 10 whose first byte is that length, access address, PDU, CRC.
    ///
    /// Protocol versions 1 to 3 differ in what the first bytes and the time mean, not in where things are.
    /// Wireshark epan/dissectors/packet-nordic_ble.c, Nordic's SnifferAPI/Packet.py
    private static func nordic(_ cursor: inout ByteCursor) -> BorrowedContent {
        guard cursor.byte() != nil, cursor.take(2) != nil, let version = cursor.byte() else {
            return .skipped(.tooShort)
        }
        guard (1...3).contains(version) else { return .skipped(.unknownSnifferHeader(version)) }
        // Packet counter and packet type.
        guard cursor.take(3) != nil, let length = cursor.byte(), let header = cursor.take(Int(length) - 1) else {
            return .skipped(.tooShort)
        }
        var fields = ByteCursor(header)
        guard let flags = fields.byte(), let channel = fields.byte(), let loss = fields.byte(),
            let accessAddress = cursor.little(UInt32.self)
        else { return .skipped(.tooShort) }
        let phy: RadioPHY = [.le1M, .le2M, .leCoded][min(Int(flags >> 4 & 7), 2)]
        return linkLayer(
            &cursor, accessAddress: accessAddress,
            // The strength below 0 dBm, as a positive number.
            rssi: loss <= 128 ? Int8(-Int(loss)) : nil, phy: phy, isPrimary: (37...39).contains(channel),
            isKnownWrong: flags & 0x01 == 0)
    }

    private static func linkLayer(
        _ cursor: inout ByteCursor, accessAddress: UInt32, rssi: Int8?, phy: RadioPHY, isPrimary: Bool,
        isKnownWrong: Bool
    ) -> BorrowedContent {
        // The checksum of a connection starts with a number that only its two ends know.
        if accessAddress != LinkLayerPacket.advertisingAccessAddress {
            return isKnownWrong ? .crcRefused : .linkLayerOther
        }
        // On the coded PHY a byte says how the rest is coded.
        if phy == .leCoded && cursor.byte() == nil { return .skipped(.tooShort) }
        guard cursor.remaining >= 5 else { return .skipped(.tooShort) }
        guard !isKnownWrong, let packet = LinkLayerPacket(cursor.rest()) else { return .crcRefused }
        return packet.content(rssi: rssi, phy: phy, isPrimary: isPrimary)
    }
}
