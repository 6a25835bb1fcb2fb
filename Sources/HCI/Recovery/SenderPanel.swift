/// A few senders that are heard often, and how often: enough to tell whether many fell silent in the same moment. Pure.
struct SenderPanel: Equatable, Sendable {
    /// So many are looked at; more would not say more.
    static let size = 8
    /// So many of them that fall silent together are no chance.
    static let together = 3
    /// A member that is silent for so long, in nanoseconds, and for ten of its gaps, has left and makes room.
    static let patience: Int64 = 30_000_000_000
    /// Members heard in so long before the silence, in nanoseconds, were there then.
    static let recently: Int64 = 10_000_000_000
    /// Two that are heard often fall silent together when that is no farther apart, in nanoseconds.
    static let moment: Int64 = 300_000_000
    /// So many gaps make a rhythm.
    static let fewestGaps = 3
    /// The longest gap that is learned, in nanoseconds.
    static let longestGap: Int64 = 60_000_000_000

    private struct Member: Equatable, Sendable {
        var sender: UInt64
        var at: Int64
        /// Nanoseconds, of the last few.
        var gap: Int64 = 0
        var gaps = 0
    }

    private var members: [Member] = []

    init() { members.reserveCapacity(SenderPanel.size) }

    /// Takes an advert of anybody.
    mutating func heard(_ sender: UInt64, now: Int64) {
        var stalest = 0
        for i in members.indices {
            if members[i].sender == sender {
                let gap = min(max(now - members[i].at, 0), SenderPanel.longestGap)
                members[i].gaps = min(members[i].gaps + 1, 8)
                members[i].gap += (gap - members[i].gap) / Int64(members[i].gaps)
                members[i].at = now
                return
            }
            if members[i].at < members[stalest].at { stalest = i }
        }
        if members.count < SenderPanel.size {
            members.append(Member(sender: sender, at: now))
        } else if now - members[stalest].at > max(SenderPanel.patience, 10 * members[stalest].gap) {
            members[stalest] = Member(sender: sender, at: now)
        }
    }

    /// Whether most of those that were there when something was heard last fell silent in that moment.
    func fellSilentTogether(at heardAt: Int64) -> Bool {
        var (there, together) = (0, 0)
        for member in members where member.gaps >= SenderPanel.fewestGaps {
            let silence = heardAt - member.at
            if silence <= max(SenderPanel.recently, 3 * member.gap) { there += 1 }
            if silence <= max(SenderPanel.moment, 2 * member.gap) { together += 1 }
        }
        return together >= SenderPanel.together && 3 * together >= 2 * there
    }
}
