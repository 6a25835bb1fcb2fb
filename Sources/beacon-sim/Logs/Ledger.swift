/// What one connection was sent: an advert counts once the kernel has taken its last byte.
struct Ledger {
    /// What a host was sent of one sender.
    struct Account: Equatable {
        var adverts: UInt64 = 0
        /// Adverts that found no room because the host did not read, or that it left unread in our queue.
        var dropped: UInt64 = 0
        /// Adverts that the air lost, that were too weak, and that were outside the scan window.
        var lost: UInt64 = 0
        var weak: UInt64 = 0
        var outside: UInt64 = 0
        /// Adverts that a fault of the controller kept back, and those of which it made nonsense.
        var withheld: UInt64 = 0
        var malformed: UInt64 = 0
        /// When the first and the last of `adverts` were taken.
        var first: Int64 = 0
        var last: Int64 = 0
    }

    private struct Waiting {
        /// Where in the stream its last byte is.
        let end: UInt64
        let sender: Sender
    }

    private(set) var accounts: [Sender: Account] = [:]
    private var waiting: [Waiting] = []
    private var head = 0

    /// An advert was put in line; its last byte is the `end`th of the stream.
    mutating func queued(_ sender: Sender, end: UInt64) { waiting.append(Waiting(end: end, sender: sender)) }

    /// An advert found no room.
    mutating func dropped(_ sender: Sender) { accounts[sender, default: Account()].dropped += 1 }

    /// An advert never reached the host's controller.
    mutating func missed(_ sender: Sender, _ miss: Miss) {
        switch miss {
        case .lost: accounts[sender, default: Account()].lost += 1
        case .weak: accounts[sender, default: Account()].weak += 1
        case .outside: accounts[sender, default: Account()].outside += 1
        case .withheld: accounts[sender, default: Account()].withheld += 1
        case .malformed: accounts[sender, default: Account()].malformed += 1
        }
    }

    /// The kernel has taken that many bytes of the stream.
    mutating func written(_ bytes: UInt64, now: Int64) {
        while head < waiting.count, waiting[head].end <= bytes {
            count(waiting[head].sender, now)
            head += 1
        }
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            head = 0
        } else if head > waiting.count / 2 {
            waiting.removeFirst(head)
            head = 0
        }
    }

    /// The connection is over: what still waits was never sent.
    mutating func close() {
        for left in waiting[head...] { dropped(left.sender) }
        waiting.removeAll()
        head = 0
    }

    private mutating func count(_ sender: Sender, _ now: Int64) {
        var account = accounts[sender] ?? Account()
        if account.adverts == 0 { account.first = now }
        account.last = now
        account.adverts += 1
        accounts[sender] = account
    }
}
