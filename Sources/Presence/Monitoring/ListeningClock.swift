/// Time in which the node could hear: the monotonic clock less the time in which it was blind.
///
/// Silence only counts while somebody listens, so every presence timer runs on this clock.
struct ListeningClock: Sendable {
    /// Blind time that has ended.
    private var pastBlindness = Span.zero
    /// Since when the node has been blind; nil while it hears.
    private(set) var blindSince: Instant?

    /// Starts blind or hearing.
    init(blindSince: Instant?) { self.blindSince = blindSince }

    /// The reading at a time. It stands still while the node is blind.
    func reading(at now: Instant) -> Instant {
        (blindSince ?? now) - pastBlindness
    }

    /// All blind time up to now.
    func blindness(at now: Instant) -> Span { now - reading(at: now) }

    /// When the reading will be `reading`, if the node goes on listening; nil while it is blind.
    func instant(ofReading reading: Instant) -> Instant? {
        blindSince == nil ? reading + pastBlindness : nil
    }

    /// The node can hear from now on. Returns whether that is news.
    mutating func hears(from now: Instant) -> Bool {
        guard let since = blindSince else { return false }
        pastBlindness = pastBlindness + (now - since)
        blindSince = nil
        return true
    }

    /// The node cannot hear from now on. Returns whether that is news.
    mutating func isBlind(from now: Instant) -> Bool {
        guard blindSince == nil else { return false }
        blindSince = now
        return true
    }
}
