/// What the packets of a pcap or pcapng interface are.
enum LinkType {
    /// LINKTYPE_BLUETOOTH_LE_LL_WITH_PHDR, 256: Ubertooth, Sniffle and others.
    case radioHeader
    /// LINKTYPE_NORDIC_BLE, 272: the nRF sniffer.
    case nordic

    init(number: UInt16) throws(CaptureFault) {
        switch number {
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
        case 187: " (Bluetooth HCI H4)"
        case 189, 220, 249: " (USB)"
        case 201: " (Bluetooth HCI H4 with direction)"
        case 251: " (Bluetooth LE without radio header)"
        case 254: " (Linux Bluetooth monitor)"
        case 255: " (Bluetooth BR/EDR)"
        default: ""
        }
    }

    func content(_ bytes: UnsafeRawBufferPointer, isCut: Bool) -> BorrowedContent {
        // Without its end a packet has no checksum.
        if isCut { return .skipped(.cutByCapture) }
        return bytes.fields { cursor in
            switch self {
            case .radioHeader: Self.radioHeader(&cursor)
            case .nordic: Self.nordic(&cursor)
            }
        }
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
