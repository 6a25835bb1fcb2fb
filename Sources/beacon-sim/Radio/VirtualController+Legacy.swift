import HCI

// Advertising and scanning with the commands of Bluetooth 4.
extension VirtualController {
    /// Those that exclude the extended ones (Core Spec Vol 4 Part E 3.1.1).
    static let legacyCommands: Set<Opcode> = [
        .setAdvertisingParameters, .readAdvertisingPower, .setAdvertisingData, .setScanResponseData,
        .setAdvertisingEnable, .setScanParameters, .setScanEnable,
    ]

    mutating func legacyResult(of command: Command) -> Outcome? {
        let parameters = command.parameters
        switch command.opcode {
        case .setAdvertisingParameters: return (setAdvertising(AdvertisingParameters(parameters)), [])
        case .readAdvertisingPower: return (.success, [UInt8(bitPattern: model.txPower)])
        case .setAdvertisingData: return (Self.set(&data, parameters), [])
        case .setScanResponseData: return (Self.set(&response, parameters), [])
        case .setAdvertisingEnable: return (enableAdvertising(parameters), [])
        case .setScanParameters: return (setScan(ScanParameters(parameters)), [])
        case .setScanEnable:
            guard parameters.count == 2, parameters[0] <= 1, parameters[1] <= 1 else {
                return (.invalidParameters, [])
            }
            return (scan(parameters[0] == 1, filteringDuplicates: parameters[1] == 1), [])
        default: return nil
        }
    }

    /// Length first, then always 31 bytes.
    private static func set(_ data: inout [UInt8], _ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 32, parameters[0] <= 31 else { return .invalidParameters }
        data = Array(parameters[1...].prefix(Int(parameters[0])))
        return .success
    }

    private mutating func setAdvertising(_ parameters: AdvertisingParameters?) -> StatusCode {
        if isAdvertising { return .commandDisallowed }
        guard let parameters else { return .invalidParameters }
        let isSlow = parameters.kind == .scannable || parameters.kind == .nonConnectable
        let shortest = isSlow ? model.generation.shortestInterval : 0x20
        // High duty has a rhythm of its own, and its intervals mean nothing.
        let hasInterval = parameters.kind != .directedHighDuty
        guard
            !hasInterval
                || (parameters.shortestInterval >= shortest && parameters.longestInterval <= 0x4000
                    && parameters.shortestInterval <= parameters.longestInterval),
            parameters.ownAddressType <= 3, (1...7).contains(parameters.channels), parameters.filterPolicy <= 3
        else { return .invalidParameters }
        advertising = parameters
        return .success
    }

    private mutating func enableAdvertising(_ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 1, parameters[0] <= 1 else { return .invalidParameters }
        if parameters[0] == 1, ownAddress(advertising.ownAddressType) == nil { return .invalidParameters }
        isAdvertising = parameters[0] == 1
        return .success
    }

    private mutating func setScan(_ parameters: ScanParameters?) -> StatusCode {
        if isScanning { return .commandDisallowed }
        guard let parameters, (4...0x4000).contains(parameters.interval), (4...0x4000).contains(parameters.window),
            parameters.window <= parameters.interval, parameters.ownAddressType <= 3, parameters.filterPolicy <= 3
        else { return .invalidParameters }
        scanAddressType = parameters.ownAddressType
        scans = [
            ScanPHY(
                phy: .le1M, isActive: parameters.active, interval: parameters.interval, window: parameters.window)
        ]
        return .success
    }
}

extension AdvertisingParameters.Kind {
    var eventType: AdvertisingEventType {
        switch self {
        case .connectable: .advInd
        case .directedHighDuty, .directedLowDuty: .advDirectInd
        case .scannable: .advScanInd
        case .nonConnectable: .advNonconnInd
        }
    }
}
