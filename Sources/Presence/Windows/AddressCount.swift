/// How many addresses a beacon was heard from in a window. Exact up to two, as many as a beacon has when it changes its
/// address; of one with more, an address that falls silent and comes back may count again.
struct AddressCount {
    private var known: (UInt64, UInt64) = (0, 0)
    private(set) var count: UInt32 = 0

    /// Counts an address unless it is known.
    mutating func insert(_ address: UInt64) {
        if count > 0 && known.0 == address || count > 1 && known.1 == address { return }
        switch count {
        case 0: known.0 = address
        case 1: known.1 = address
        default: break
        }
        if count < .max { count += 1 }
    }
}
