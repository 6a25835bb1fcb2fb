/// What a filter makes of a transmitter's signal.
public struct FilteredSignal: Equatable, Sendable {
    /// In dBm.
    public var rssi: Double
    /// How many adverts are behind it, at least one: what the width of a distance's interval goes by.
    public var samples: Int
}

/// The signal strengths of one transmitter, filtered.
public struct SignalFilter: Sendable {
    private let kind: FilterKind
    private var trace = SignalTrace()

    /// Makes a filter that has heard nothing.
    public init(_ kind: FilterKind = .standard) { self.kind = kind }

    /// Adds a signal strength in dBm. A time before the last one counts as the last one.
    public mutating func add(_ rssi: Int8, at reading: Instant) { trace.add(rssi, at: reading, kind) }

    /// What the samples heard lately come to; nil when there are none.
    public func signal(at reading: Instant) -> FilteredSignal? { trace.signal(at: reading, kind) }

    /// The filtered signal strength in dBm; nil when nothing was heard lately.
    public func value(at reading: Instant) -> Double? { signal(at: reading)?.rssi }
}
