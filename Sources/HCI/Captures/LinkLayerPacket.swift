/// A packet of the advertising channels whose checksum is right. Core Spec Vol 6 Part B 2.3
struct LinkLayerPacket {
    /// What every packet on the advertising channels starts with.
    static let advertisingAccessAddress: UInt32 = 0x8E89_BED6

    private enum PDU {
        static let advInd: UInt8 = 0
        static let advDirectInd: UInt8 = 1
        static let advNonconnInd: UInt8 = 2
        static let scanRsp: UInt8 = 4
        static let advScanInd: UInt8 = 6
        /// ADV_EXT_IND, AUX_ADV_IND, AUX_SCAN_RSP, AUX_CHAIN_IND and more.
        static let extended: UInt8 = 7
    }

    private let header: UInt8
    private let payload: UnsafeRawBufferPointer

    /// PDU and checksum; nil if the checksum is wrong, or not where the PDU's length says.
    ///
    /// What a sniffer says about the checksum is not enough: Ubertooth says that it did not look.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var cursor = ByteCursor(bytes)
        guard let header = cursor.byte(), let length = cursor.byte(), let payload = cursor.take(Int(length)) else {
            return nil
        }
        let pdu = UnsafeRawBufferPointer(rebasing: bytes[..<cursor.position])
        guard let low = cursor.little(UInt16.self), let high = cursor.byte(),
            CRC24.advertising(pdu) == UInt32(high) << 16 | UInt32(low)
        else { return nil }
        self.header = header
        self.payload = payload
    }

    func content(rssi: Int8?, phy: RadioPHY, isPrimary: Bool) -> BorrowedContent {
        var cursor = ByteCursor(payload)
        let eventType: AdvertisingEventType
        switch header & 0x0F {
        case PDU.advInd: eventType = .advInd
        case PDU.advDirectInd: eventType = .advDirectInd
        case PDU.advNonconnInd: eventType = .advNonconnInd
        case PDU.scanRsp: eventType = .scanRsp
        case PDU.advScanInd: eventType = .advScanInd
        case PDU.extended: return extended(&cursor, rssi: rssi, phy: phy, isPrimary: isPrimary)
        default: return .linkLayerOther
        }
        guard let address = cursor.address48() else { return .linkLayerOther }
        var report = AdvertisingReport(
            address: DeviceAddress(address, senderKind), eventType: eventType, primaryPHY: phy, rssi: rssi)
        if eventType.contains(.directed) {
            guard let target = cursor.address48() else { return .linkLayerOther }
            report.directAddress = DeviceAddress(target, targetKind)
            return .linkLayerAdvert(report, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        return .linkLayerAdvert(report, cursor.rest())
    }

    private var senderKind: DeviceAddress.Kind { header & 0x40 == 0 ? .public : .random }
    private var targetKind: DeviceAddress.Kind { header & 0x80 == 0 ? .public : .random }

    /// The common extended advertising payload, Vol 6 Part B 2.3.4, as far as it takes to reach the data.
    ///
    /// A packet that points to another one, or that does not name its sender, is part of something longer: it takes
    /// the sniffer's whole hopping to put that together, so it is no advert by itself.
    private func extended(
        _ cursor: inout ByteCursor, rssi: Int8?, phy: RadioPHY, isPrimary: Bool
    ) -> BorrowedContent {
        guard let first = cursor.byte(), let header = cursor.take(Int(first & 0x3F)) else { return .linkLayerOther }
        var fields = ByteCursor(header)
        guard let flags = fields.byte(), flags & 0x01 != 0, flags & 0x10 == 0, let address = fields.address48()
        else { return .linkLayerOther }
        var report = AdvertisingReport(
            address: DeviceAddress(address, senderKind),
            // The mode's bits are those of the event type: connectable, scannable.
            eventType: AdvertisingEventType(rawValue: UInt16(first >> 6)),
            primaryPHY: phy, secondaryPHY: isPrimary ? nil : phy, rssi: rssi)
        if flags & 0x02 != 0 {
            guard let target = fields.address48() else { return .linkLayerOther }
            report.directAddress = DeviceAddress(target, targetKind)
            report.eventType.insert(.directed)
        }
        // CTEInfo
        if flags & 0x04 != 0 && fields.byte() == nil { return .linkLayerOther }
        if flags & 0x08 != 0 {
            guard let information = fields.little(UInt16.self) else { return .linkLayerOther }
            report.sid = UInt8(information >> 12)
        }
        // SyncInfo
        if flags & 0x20 != 0 && fields.take(18) == nil { return .linkLayerOther }
        if flags & 0x40 != 0 {
            guard let power = fields.little(Int8.self) else { return .linkLayerOther }
            report.txPower = Absent.decibels(power)
        }
        return .linkLayerAdvert(report, cursor.rest())
    }
}
