struct EnterEvidence: Equatable, Sendable {
    private var n = 0
    mutating func hears(at reading: Instant) -> Bool { n += 1; return n >= 5 }
}
