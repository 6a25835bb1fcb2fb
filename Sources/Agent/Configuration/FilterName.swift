public import Presence

/// A filter by its name.
public struct FilterName: Equatable, CaseIterable, Sendable {
    /// The name.
    public let name: String
    /// What it is.
    public let kind: FilterKind

    /// All filters that have names.
    public static let allCases = FilterKind.named.map { FilterName(name: $0.name, kind: $0.kind) }
    /// The default.
    public static let standard = FilterName(name: "trimmed_mean", kind: .standard)
}
