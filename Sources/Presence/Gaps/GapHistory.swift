/// What is known of the gaps between a beacon's adverts.
public struct GapHistory: Equatable, Sendable {
    init() {}
    mutating func learn(_ gap: Span) -> Bool { false }
    func silence(floor: Span) -> Span { floor }
    var isUncertain: Bool { false }
    var interval: Span? { nil }
    var loss: Double? { nil }
}
