/// Puts the pieces of fragmented extended adverts together again. Core Spec Vol 4 Part E 7.7.65.13
///
/// A piece has no number: it belongs to the chain of its sender and set, in order. So a chain whose end was lost
/// cannot be told from one whose end is yet to come, and is given up by the stated bounds, each of them counted.
struct FragmentAssembler {
    /// How many adverts may be in pieces at once. Controllers work on one or two; a flood of heads must cost no memory.
    static let chains = 8
    /// The longest data an advert can have. Core Spec Vol 4 Part E 7.8.57
    static let longestData = 1650
    /// A chain that saw this many other reports since its last piece is given up: at 2,600 adverts/s that is 0.1 s,
    /// many times what a controller needs for a chain.
    static let patience: UInt64 = 256

    /// Advert and scan response of one sender are two chains.
    private struct Key: Equatable {
        let address: DeviceAddress
        let sid: UInt8?
        let isScanResponse: Bool
    }

    private struct Chain {
        var key: Key
        var data: [UInt8]
        var lastPiece: UInt64
        /// Stays until its last piece went by, so that its tail is not taken for an advert of its own.
        var isTooLong: Bool
    }

    enum Outcome {
        /// The report is whole as it is: nothing was copied.
        case whole
        /// The piece was kept, or dropped with the rest of its chain.
        case waiting
        /// With this piece the advert in `assembled` is whole.
        case assembled
    }

    private var table: [Chain] = []
    private var clock: UInt64 = 0
    /// The last advert that was put together; valid until the next call.
    private(set) var assembled: [UInt8] = []
    /// Chains given up because their end did not come, or because another one needed the place.
    private(set) var abandoned = 0
    /// Chains given up because they were longer than an advert can be.
    private(set) var tooLong = 0

    mutating func take(_ report: AdvertisingReport, _ piece: UnsafeRawBufferPointer) -> Outcome {
        clock &+= 1
        let more = report.eventType.dataStatus == .moreToCome
        // The way of nearly every report: no search, no copy.
        if table.isEmpty && !more { return .whole }

        dropStale()
        let key = Key(address: report.address, sid: report.sid, isScanResponse: report.isScanResponse)
        guard let i = table.firstIndex(where: { $0.key == key }) else {
            if !more { return .whole }
            begin(key, piece)
            return .waiting
        }
        var chain = table.remove(at: i)
        if !chain.isTooLong && chain.data.count + piece.count > Self.longestData {
            chain.isTooLong = true
            chain.data = []
            tooLong += 1
        }
        if !chain.isTooLong { chain.data.append(contentsOf: piece) }
        chain.lastPiece = clock
        if more {
            // At the end: the table stays in the order of last pieces.
            table.append(chain)
            return .waiting
        }
        if chain.isTooLong { return .waiting }
        assembled = chain.data
        return .assembled
    }

    /// Forgets everything: the controller was reset or the scan restarted.
    mutating func forget() {
        abandoned += table.count
        table.removeAll(keepingCapacity: true)
    }

    private mutating func begin(_ key: Key, _ piece: UnsafeRawBufferPointer) {
        if table.count == Self.chains {
            // In order of arrival of the last piece, so the first has waited longest.
            table.removeFirst()
            abandoned += 1
        }
        // One report has room for 229 bytes of data, far less than the longest.
        table.append(Chain(key: key, data: Array(piece), lastPiece: clock, isTooLong: false))
    }

    private mutating func dropStale() {
        let before = table.count
        table.removeAll { clock &- $0.lastPiece > Self.patience }
        abandoned += before - table.count
    }
}
