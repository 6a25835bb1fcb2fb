import HCI

/// One advertising set of a controller (Core Spec Vol 4 Part E 7.8.53 to 7.8.56).
struct AdvertisingSet: Equatable {
    /// As long as one report is, so that each advert is one (Part E 7.7.65.13).
    static let dataLimit = AdvertisingReportWriter.longestFragment

    var parameters: ExtendedAdvertisingParameters
    var data: [UInt8] = []
    var response: [UInt8] = []
    var randomAddress: DeviceAddress?
    var isEnabled = false
    /// Whether the first piece of the data has come and the last one has not.
    var isUnfinished = false

    var ownAddressType: UInt8 { parameters.ownAddressType }
    var isLegacy: Bool { parameters.properties.contains(.legacy) }

    /// What it has on air while it is enabled; `power` is the most that the controller can do, dBm.
    func advertisement(
        _ slot: Int, _ address: DeviceAddress, power: Int8
    ) -> VirtualController.Advertisement {
        // The lowest five bits are those of a report (Part E 7.7.65.13); the rest is about how it is sent.
        let type = AdvertisingEventType(rawValue: parameters.properties.rawValue & 0x17)
        let says = parameters.properties.contains(.includesPower)
        let isAnonymous = parameters.properties.contains(.anonymous)
        return VirtualController.Advertisement(
            slot: slot, type: type, data: data, response: response,
            address: isAnonymous ? DeviceAddress(0, .anonymous) : address, interval: parameters.longestInterval,
            primaryPHY: parameters.primaryPHY, secondaryPHY: isLegacy ? nil : parameters.secondaryPHY,
            sid: isLegacy ? nil : parameters.sid, txPower: says && !isLegacy ? selectedPower(atMost: power) : nil)
    }

    /// What the controller takes of the power that was wanted, dBm.
    func selectedPower(atMost power: Int8) -> Int8 { min(parameters.txPower ?? power, power) }

    /// Which properties legacy PDUs may have: ADV_IND, both directed ones, ADV_SCAN_IND and ADV_NONCONN_IND.
    private static let legacyProperties: Set<UInt16> = [0x13, 0x15, 0x1D, 0x12, 0x10]

    /// Why such parameters are refused, `success` if they are not.
    static func status(of parameters: ExtendedAdvertisingParameters, coded: Bool) -> StatusCode {
        let isLegacy = parameters.properties.contains(.legacy)
        let (connectable, scannable) =
            (parameters.properties.contains(.connectable), parameters.properties.contains(.scannable))
        guard parameters.handle <= 0xEF, parameters.shortestInterval >= 0x20,
            parameters.shortestInterval <= parameters.longestInterval, (1...7).contains(parameters.channels),
            parameters.ownAddressType <= 3, parameters.filterPolicy <= 3, parameters.sid <= 15,
            parameters.primaryPHY == .le1M || parameters.primaryPHY == .leCoded,
            isLegacy
                ? legacyProperties.contains(parameters.properties.rawValue) && parameters.primaryPHY == .le1M
                : !(connectable && scannable) && (1...3).contains(parameters.secondaryPHY.rawValue)
        else { return .invalidParameters }
        let phys = isLegacy ? [parameters.primaryPHY] : [parameters.primaryPHY, parameters.secondaryPHY]
        return phys.contains(.leCoded) && !coded || phys.contains(.le2M) ? .unsupportedFeature : .success
    }

    /// Takes a piece of data or response, or all of it; returns why not.
    mutating func change(_ data: inout [UInt8], by command: ExtendedAdvertisingData) -> StatusCode {
        if command.operation == .unchanged { return isEnabled && !data.isEmpty ? .success : .invalidParameters }
        // What is on air is never half of something.
        if isEnabled && command.operation != .complete { return .commandDisallowed }
        if isLegacy && (command.operation != .complete || command.data.count > 31) { return .invalidParameters }
        let isFirst = command.operation == .complete || command.operation == .first
        if !isFirst && (!isUnfinished || command.data.isEmpty) { return .invalidParameters }
        let whole = isFirst ? command.data : data + command.data
        guard whole.count <= AdvertisingSet.dataLimit else { return .memoryExceeded }
        data = whole
        isUnfinished = command.operation == .first || command.operation == .intermediate
        return .success
    }
}

extension StatusCode {
    /// Memory Capacity Exceeded (Core Spec Vol 1 Part F 2.7).
    static let memoryExceeded = StatusCode(rawValue: 0x07)
}
