/// How near a beacon seems. Core Location's `CLProximity`.
public enum Proximity: String, Sendable {
    /// Nearer than 0.5 m.
    case immediate
    /// Nearer than 3 m.
    case near
    /// 3 m or more.
    case far
    /// Not heard lately, or without a usable signal strength.
    case unknown

    /// The bounds between the classes in metres. Core Location publishes none; 0.5 and 3 are the commonest in public
    /// code, beside 0.5 and 4 in AltBeacon's old library and node-bleacon.
    static let immediateBelow = 0.5
    static let nearBelow = 3.0

    /// How far beyond a bound an estimate must be, by ratio, before a class is left.
    ///
    /// A beacon that stands still at a bound flips with every breath of its signal; 1.2 either way is what
    /// `beacon-bench distance` shows to be enough for less than one change a minute.
    static let hysteresis = 1.2

    /// The class of a distance in metres; a negative one, or none at all, is unknown.
    public init(accuracy: Double) {
        switch accuracy {
        case 0..<Self.immediateBelow: self = .immediate
        case Self.immediateBelow..<Self.nearBelow: self = .near
        case Self.nearBelow...: self = .far
        default: self = .unknown
        }
    }

    /// The class of a distance in metres for a beacon that was of this class: it is kept until the distance has passed
    /// the bound by a factor of 1.2.
    ///
    /// To and from unknown there is no hysteresis: what is not known is not kept, and what becomes known is news.
    public func following(accuracy: Double) -> Proximity {
        let plain = Proximity(accuracy: accuracy)
        switch (self, plain) {
        case (.unknown, _), (_, .unknown): return plain
        case (.immediate, .near), (.immediate, .far):
            return accuracy < Self.immediateBelow * Self.hysteresis
                ? .immediate : Proximity.near.following(accuracy: accuracy)
        case (.near, .immediate): return accuracy > Self.immediateBelow / Self.hysteresis ? .near : .immediate
        case (.near, .far): return accuracy < Self.nearBelow * Self.hysteresis ? .near : .far
        case (.far, .near), (.far, .immediate):
            return accuracy > Self.nearBelow / Self.hysteresis ? .far : Proximity.near.following(accuracy: accuracy)
        case (.immediate, .immediate), (.near, .near), (.far, .far): return plain
        }
    }
}
