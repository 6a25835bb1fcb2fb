/// A point on the store's floor, metres.
struct Position: Equatable {
    let x: Double
    let y: Double

    /// Metres, at least 0.1: nearer than that no formula for the strength holds.
    func distance(to other: Position) -> Double {
        let (x, y) = (x - other.x, y - other.y)
        return max(0.1, (x * x + y * y).squareRoot())
    }
}

/// A point of a walk.
struct Waypoint: Equatable {
    let position: Position
    /// Nanoseconds since the beacon came in.
    let time: Int64
}

/// Where a beacon is.
enum Whereabouts: Equatable {
    /// Nowhere in particular; it is heard as strong as the scenario says, by every host.
    case unplaced
    /// At one place.
    case still(Position)
    /// In straight lines from waypoint to waypoint, of which there are two at least, in the order of their times.
    case walking([Waypoint])

    /// Where it is that many nanoseconds after it came in: before the first waypoint's time at that, after the last
    /// one's at the last; nil where it has no place.
    func position(after elapsed: Int64) -> Position? {
        switch self {
        case .unplaced: return nil
        case .still(let position): return position
        case .walking(let waypoints):
            guard let next = waypoints.firstIndex(where: { $0.time > elapsed }) else {
                return waypoints.last?.position
            }
            guard next > 0 else { return waypoints[0].position }
            let (from, to) = (waypoints[next - 1], waypoints[next])
            let part = Double(elapsed - from.time) / Double(to.time - from.time)
            return Position(
                x: from.position.x + part * (to.position.x - from.position.x),
                y: from.position.y + part * (to.position.y - from.position.y))
        }
    }

    /// When it has arrived at its last place, in nanoseconds after it came in; nil where it does not walk.
    var arrival: Int64? {
        if case .walking(let waypoints) = self { waypoints.last?.time } else { nil }
    }
}
