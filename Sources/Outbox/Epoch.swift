public import System

/// A start's number: no two starts of a node have the same, so that `node/epoch/seq` never repeats.
public struct EpochClaim: Equatable, Sendable {
    /// The number of this start; higher than all before.
    public let epoch: UInt64
    /// Where an unreadable counter was put, for the log.
    public let setAside: String?
}

extension StateFolder {
    private static let epochName = "epoch"
    private static let setAsidePrefix = "epoch.corrupt-"
    /// More starts than a node makes between two losses of its counter.
    private static let safeDistance: UInt64 = 1 << 20

    private static let year2026: Int64 = 1_767_225_600

    /// Counts a start, durably: once this returns, no later start gets the same number, whatever happens.
    ///
    /// The first start has number 1. Where the counter is lost (unreadable, or missing among other files) it is set
    /// aside and goes on from the wall clock, or the year 2026 where the clock is not set, which is higher than any
    /// count of starts; and, for clocks that go back, well above the number with which an earlier loss began.
    public func nextEpoch(wallSeconds: Int64) throws(SystemError) -> EpochClaim {
        let names = try names()
        var setAside: String?
        let epoch: UInt64
        if let last = lastEpoch(), last < UInt64(Int64.max) {
            epoch = last + 1
        } else if names.isEmpty {
            epoch = 1
        } else {
            let earlier = names.compactMap { name -> UInt64? in
                name.hasPrefix(Self.setAsidePrefix) ? UInt64(name.dropFirst(Self.setAsidePrefix.count)) : nil
            }
            // Bounded, so that a file with a strange name does not use the numbers up.
            let above = earlier.filter { $0 < UInt64(Int64.max) / 2 }.max().map { $0 + Self.safeDistance }
            epoch = max(UInt64(max(wallSeconds, Self.year2026)), above ?? 0)
            if names.contains(Self.epochName) {
                let name = "\(Self.setAsidePrefix)\(epoch)"
                try self.setAside(Self.epochName, as: name)
                setAside = name
            }
        }
        try write(Self.epochName, Array("\(epoch)\n".utf8))
        return EpochClaim(epoch: epoch, setAside: setAside)
    }

    /// The number that the file holds; nil where it holds none or cannot be read.
    private func lastEpoch() -> UInt64? {
        guard var digits = try? read(Self.epochName, limit: 32) else { return nil }
        if digits.last == 0x0A { digits.removeLast() }
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        guard let number = UInt64(String(decoding: digits, as: UTF8.self)), number > 0 else { return nil }
        return number
    }
}
