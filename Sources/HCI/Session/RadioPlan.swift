/// What the radio is to do.
public struct RadioPlan: Equatable, Sendable {
    /// How it listens; nil for an adapter that only advertises.
    public var scan: ScanPlan?
    /// What it advertises; nil for nothing.
    public var advertise: AdvertisePlan?

    /// Makes a plan.
    public init(scan: ScanPlan?, advertise: AdvertisePlan? = nil) {
        self.scan = scan
        self.advertise = advertise
    }
}

/// How the radio listens. What lies outside 2.5 ms…10.24 s is brought to the nearer end.
public struct ScanPlan: Equatable, Sendable {
    /// From the start of one window to the next.
    public var interval: Duration
    /// How long it listens in each interval; not more than the interval.
    public var window: Duration
    /// Whether it asks those it hears for their scan response, and so is heard itself.
    public var active: Bool
    /// Whether it also listens on the coded PHY, where the controller can. There is one receiver: each PHY gets half of
    /// the window.
    public var coded: Bool

    /// Makes a plan.
    public init(interval: Duration, window: Duration, active: Bool = false, coded: Bool = false) {
        self.interval = interval
        self.window = window
        self.active = active
        self.coded = coded
    }

    /// The scan interval and window in 0.625 ms.
    var slots: (interval: UInt16, window: UInt16) {
        let interval = HCI.slots(interval, in: 4...0x4000)
        return (interval, min(HCI.slots(window, in: 4...0x4000), interval))
    }
}

/// A time in the controller's unit of 0.625 ms, to the nearest and inside the bounds.
func slots(_ time: Duration, in bounds: ClosedRange<UInt16>) -> UInt16 {
    let (seconds, attoseconds) = time.components
    // 16 s is beyond every bound here, and far from overflow.
    if seconds >= 16 { return bounds.upperBound }
    if seconds < 0 { return bounds.lowerBound }
    let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    let units = UInt16(clamping: (microseconds + 312) / 625)
    return min(max(units, bounds.lowerBound), bounds.upperBound)
}
