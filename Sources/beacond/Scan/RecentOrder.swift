/// Places 0, 1, 2 … in the order in which they were used last; all in constant time.
struct RecentOrder {
    private static let none = -1
    private var newer: [Int] = []
    private var older: [Int] = []
    private var first = none
    private var last = none

    /// The place that was not used for longest; nil when there are none.
    var oldest: Int? { last == Self.none ? nil : last }

    /// Makes a place the newest one; it may be the next new one.
    mutating func use(_ place: Int) {
        if place == newer.count {
            newer.append(Self.none)
            older.append(Self.none)
        } else {
            if place == first { return }
            remove(place)
        }
        older[place] = first
        newer[place] = Self.none
        if first == Self.none { last = place } else { newer[first] = place }
        first = place
    }

    /// Takes a place out; `use` puts it in again.
    mutating func remove(_ place: Int) {
        let (before, after) = (newer[place], older[place])
        if before != Self.none { older[before] = after } else if first == place { first = after }
        if after != Self.none { newer[after] = before } else if last == place { last = before }
        newer[place] = Self.none
        older[place] = Self.none
    }
}
