import HCI

// Advertising and scanning with the commands of Bluetooth 5. Times after which a set or a scan ends by itself are not
// kept: nothing here asks for them.
extension VirtualController {
    /// Those that exclude the legacy ones (Core Spec Vol 4 Part E 3.1.1).
    static let extendedCommands: Set<Opcode> = [
        .setAdvertisingSetAddress, .setExtendedAdvertisingParameters, .setExtendedAdvertisingData,
        .setExtendedScanResponseData, .setExtendedAdvertisingEnable, .readAdvertisingDataLimit,
        .readAdvertisingSetCount, .removeAdvertisingSet, .clearAdvertisingSets, .setExtendedScanParameters,
        .setExtendedScanEnable,
    ]

    mutating func extendedResult(of command: Command) -> Outcome? {
        let parameters = command.parameters
        switch command.opcode {
        case .setAdvertisingSetAddress: return (setAddress(AdvertisingSetAddress(parameters)), [])
        case .setExtendedAdvertisingParameters: return setParameters(ExtendedAdvertisingParameters(parameters))
        case .setExtendedAdvertisingData:
            return (setData(ExtendedAdvertisingData(parameters), \.data), [])
        case .setExtendedScanResponseData:
            return (setData(ExtendedAdvertisingData(parameters), \.response), [])
        case .setExtendedAdvertisingEnable: return (enable(ExtendedAdvertisingEnable(parameters)), [])
        case .readAdvertisingDataLimit: return (.success, [UInt8(AdvertisingSet.dataLimit), 0])
        case .readAdvertisingSetCount: return (.success, [UInt8(VirtualController.setLimit)])
        case .removeAdvertisingSet: return (remove(parameters), [])
        case .clearAdvertisingSets:
            if sets.contains(where: { $0?.isEnabled == true }) { return (.commandDisallowed, []) }
            sets = Array(repeating: nil, count: VirtualController.setLimit)
            return (.success, [])
        case .setExtendedScanParameters: return (setScan(ExtendedScanParameters(parameters)), [])
        case .setExtendedScanEnable:
            guard let enable = ExtendedScanEnable(parameters) else { return (.invalidParameters, []) }
            return (scan(enable.enabled, filteringDuplicates: enable.duplicateFilter != 0), [])
        default: return nil
        }
    }

    private func index(of handle: UInt8) -> Int? { sets.firstIndex { $0?.parameters.handle == handle } }

    private mutating func setParameters(_ parameters: ExtendedAdvertisingParameters?) -> Outcome {
        guard let parameters else { return (.invalidParameters, []) }
        let status = AdvertisingSet.status(of: parameters, coded: model.hasCoded)
        guard status == .success else { return (status, []) }
        guard let index = index(of: parameters.handle) ?? sets.firstIndex(where: { $0 == nil }) else {
            return (.memoryExceeded, [])
        }
        var set = sets[index] ?? AdvertisingSet(parameters: parameters)
        if set.isEnabled { return (.commandDisallowed, []) }
        set.parameters = parameters
        // Legacy PDUs that are to send more than they can.
        if set.isLegacy, set.data.count > 31 || set.response.count > 31 { return (.invalidParameters, []) }
        sets[index] = set
        return (.success, [UInt8(bitPattern: set.selectedPower(atMost: model.txPower))])
    }

    private mutating func setAddress(_ command: AdvertisingSetAddress?) -> StatusCode {
        guard let command else { return .invalidParameters }
        guard let index = index(of: command.handle), let set = sets[index] else { return .unknownAdvertisingSet }
        if set.isEnabled, set.parameters.properties.contains(.connectable) { return .commandDisallowed }
        sets[index]?.randomAddress = command.address
        return .success
    }

    private mutating func setData(
        _ command: ExtendedAdvertisingData?, _ which: WritableKeyPath<AdvertisingSet, [UInt8]>
    ) -> StatusCode {
        guard let command else { return .invalidParameters }
        guard let index = index(of: command.handle), var set = sets[index] else { return .unknownAdvertisingSet }
        var data = set[keyPath: which]
        let status = set.change(&data, by: command)
        guard status == .success else { return status }
        set[keyPath: which] = data
        sets[index] = set
        return .success
    }

    private mutating func enable(_ command: ExtendedAdvertisingEnable?) -> StatusCode {
        guard let command else { return .invalidParameters }
        if command.sets.isEmpty {
            if command.enabled { return .invalidParameters }
            for index in sets.indices { sets[index]?.isEnabled = false }
            return .success
        }
        guard Set(command.sets.map(\.handle)).count == command.sets.count else { return .invalidParameters }
        var changed = sets
        for wanted in command.sets {
            guard let index = index(of: wanted.handle), let set = sets[index] else { return .unknownAdvertisingSet }
            if command.enabled, set.isUnfinished { return .commandDisallowed }
            if command.enabled, ownAddress(of: set) == nil { return .invalidParameters }
            changed[index]?.isEnabled = command.enabled
        }
        // All of them or none.
        sets = changed
        return .success
    }

    private mutating func remove(_ parameters: [UInt8]) -> StatusCode {
        guard parameters.count == 1 else { return .invalidParameters }
        guard let index = index(of: parameters[0]) else { return .unknownAdvertisingSet }
        if sets[index]?.isEnabled == true { return .commandDisallowed }
        sets[index] = nil
        return .success
    }

    private mutating func setScan(_ parameters: ExtendedScanParameters?) -> StatusCode {
        if isScanning { return .commandDisallowed }
        guard let parameters, parameters.ownAddressType <= 3, parameters.filterPolicy <= 3 else {
            return .invalidParameters
        }
        if parameters.leCoded != nil, !model.hasCoded { return .unsupportedFeature }
        var wanted: [ScanPHY] = []
        for (phy, listening) in [(RadioPHY.le1M, parameters.le1M), (.leCoded, parameters.leCoded)] {
            guard let listening else { continue }
            guard listening.interval >= 4, listening.window >= 4, listening.window <= listening.interval else {
                return .invalidParameters
            }
            // One receiver: the windows follow each other.
            wanted.append(
                ScanPHY(
                    phy: phy, isActive: listening.active, interval: listening.interval, window: listening.window,
                    offset: wanted.first.map { $0.window % listening.interval } ?? 0))
        }
        scanAddressType = parameters.ownAddressType
        scans = wanted
        return .success
    }
}
