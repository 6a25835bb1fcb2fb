/// The formats that carry an identity and are therefore tracked.
///
/// Eddystone TLM has none, the one in EID changes every few minutes and only its owner can resolve it.
public enum BeaconFormat: UInt8, Sendable, CaseIterable {
    case ibeacon
    case altbeacon
    case eddystoneUID
    case eddystoneURL

    /// The name in configuration and messages.
    public var name: String {
        switch self {
        case .ibeacon: "ibeacon"
        case .altbeacon: "altbeacon"
        case .eddystoneUID: "eddystone-uid"
        case .eddystoneURL: "eddystone-url"
        }
    }

    /// The format of this name, which is taken in lower case only.
    public init?(name: String) {
        guard let format = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = format
    }
}

extension BeaconFormat: Comparable {
    /// Orders by the place in the list above, which decides ties in sorted output.
    public static func < (left: Self, right: Self) -> Bool {
        left.rawValue < right.rawValue
    }
}
