/// How many addresses a beacon was heard from in a window. Exact up to four, which is more than any beacon has; of one
/// with more, an address that falls silent and comes back may count again.
struct AddressCount {
    private(set) var count = 0
    private var known: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Counts an address unless it is known.
    mutating func insert(_ address: UInt64) {
        if count > 0 && known.0 == address || count > 1 && known.1 == address { return }
        if count > 2 && known.2 == address || count > 3 && known.3 == address { return }
        switch count {
        case 0: known.0 = address
        case 1: known.1 = address
        case 2: known.2 = address
        case 3: known.3 = address
        default: break
        }
        count += 1
    }
}
