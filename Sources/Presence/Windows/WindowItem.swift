public import Beacon

extension Window {
    /// One beacon's adverts.
    ///
    /// In 96 bytes, for a window may have 10,000 of them: what is published in tenths or hundredths is kept in 24 bits of
    /// precision, and numbers that do not fit stop at their ends.
    public struct Item: Equatable, Sendable {
        /// Which beacon.
        public var identity: BeaconIdentity
        private var weakest: Int8 = 0
        private var strongest: Int8 = 0
        /// First and last advert, measured from the window's start.
        public var first: Span
        /// See `first`.
        public var last: Span
        private var advertCount: UInt32 = 0
        private var addressCount: UInt32 = 0
        private var mean: Float = 0
        private var deviation: Float = 0
        private var accuracy: Float = -1
        /// The ends of the distance's interval in metres; below zero where there is none.
        private var nearest: Float = -1
        private var farthest: Float = -1
        /// In milliseconds; 0 where it is not known.
        private var intervalLength: UInt32 = 0
        /// Below zero where it is not known.
        private var lossShare: Float = -1
        private var advertsSent: UInt32 = 0
        private var uptime: UInt32 = 0
        private var battery: UInt16 = 0
        private var temperature: Int16 = 0
        private var middle: Int8 = 0
        private var flags: Flags = []

        /// What there is, and whether its power is suspect.
        private struct Flags: OptionSet {
            var rawValue: UInt8
            static let signal = Flags(rawValue: 1)
            static let telemetry = Flags(rawValue: 2)
            static let battery = Flags(rawValue: 4)
            static let temperature = Flags(rawValue: 8)
            static let suspectPower = Flags(rawValue: 16)
        }

        init(
            identity: BeaconIdentity, adverts: Int, first: Span, last: Span, signal: Signal?, interval: Span?,
            loss: Double?, addresses: Int, telemetry: Telemetry?, distance: DistanceEstimate, powerIsSuspect: Bool
        ) {
            self.identity = identity
            self.first = first
            self.last = last
            self.adverts = adverts
            self.signal = signal
            self.interval = interval
            self.loss = loss
            self.addresses = addresses
            self.telemetry = telemetry
            self.distance = distance
            self.powerIsSuspect = powerIsSuspect
        }
    }
}

extension Window.Item {
    /// Adverts heard, 0 to 2^32 − 1.
    public var adverts: Int {
        get { Int(advertCount) }
        set { advertCount = UInt32(clamping: newValue) }
    }

    /// From how many addresses it was heard, 0 to 2^32 − 1.
    public var addresses: Int {
        get { Int(addressCount) }
        set { addressCount = UInt32(clamping: newValue) }
    }

    /// Signal strength in dBm; nil where no advert had one.
    public var signal: Window.Signal? {
        get {
            guard flags.contains(.signal) else { return nil }
            return Window.Signal(
                minimum: Int(weakest), maximum: Int(strongest), mean: Double(mean), median: Int(middle),
                deviation: Double(deviation))
        }
        set {
            set(.signal, newValue != nil)
            weakest = Int8(clamping: newValue?.minimum ?? 0)
            strongest = Int8(clamping: newValue?.maximum ?? 0)
            mean = Float(newValue?.mean ?? 0)
            middle = Int8(clamping: newValue?.median ?? 0)
            deviation = Float(newValue?.deviation ?? 0)
        }
    }

    /// The time between two adverts that the beacon sends, as far as it was learned; in whole milliseconds, at least
    /// one.
    public var interval: Span? {
        get { intervalLength == 0 ? nil : .milliseconds(Int64(intervalLength)) }
        set { intervalLength = newValue.map { UInt32(clamping: max(1, $0.milliseconds)) } ?? 0 }
    }

    /// The share of its adverts that were not heard, 0...1, as far as it was learned.
    public var loss: Double? {
        get { lossShare < 0 ? nil : Double(lossShare) }
        set { lossShare = newValue.map { Float($0) } ?? -1 }
    }

    /// How the beacon does, where it says so.
    public var telemetry: Telemetry? {
        get {
            guard flags.contains(.telemetry) else { return nil }
            return Telemetry(
                battery: flags.contains(.battery) ? battery : nil,
                temperatureSteps: flags.contains(.temperature) ? temperature : nil, adverts: advertsSent,
                uptimeDeciseconds: uptime)
        }
        set {
            set(.telemetry, newValue != nil)
            set(.battery, newValue?.battery != nil)
            set(.temperature, newValue?.temperatureSteps != nil)
            battery = newValue?.battery ?? 0
            temperature = newValue?.temperatureSteps ?? 0
            advertsSent = newValue?.adverts ?? 0
            uptime = newValue?.uptimeDeciseconds ?? 0
        }
    }

    /// The distance that the median signal strength stands for.
    public var distance: DistanceEstimate {
        get {
            DistanceEstimate(
                accuracy: Double(accuracy), range: nearest < 0 ? nil : Double(nearest)...Double(farthest))
        }
        set {
            accuracy = Float(newValue.accuracy)
            nearest = newValue.range.map { Float($0.lowerBound) } ?? -1
            farthest = newValue.range.map { Float($0.upperBound) } ?? -1
        }
    }

    /// Whether the beacon's measured power was implausible.
    public var powerIsSuspect: Bool {
        get { flags.contains(.suspectPower) }
        set { set(.suspectPower, newValue) }
    }

    private mutating func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }
}
