import Glibc
import Presence
import System

/// What lies between a beacon and the node: how often it sends, what is lost, when the scanner listens.
struct Air: Equatable, Sendable {
    /// How the scanner's windows meet the adverts.
    enum Scan: String, CaseIterable, Sendable {
        /// Each advert meets a window with the duty's probability, as where scan interval and advertising interval have
        /// nothing to do with each other.
        case random
        /// A window at the start of every 100 ms. Intervals of the grid are multiples of that or nearly so: only the
        /// random delay of an advert takes a beacon out of a time in which it is never heard.
        case windows
    }

    /// Advertising interval in seconds, without the delay.
    var interval: Double
    /// Share of adverts lost, 0…1, besides those that meet no scan window.
    var loss = 0.0
    /// Mean length in seconds of the times in which everything is lost; 0 where each advert is lost by itself.
    var burst = 0.0
    /// Share of time in which the scanner listens, 0…1.
    var duty = 1.0

    /// The random delay before each advert is 0 to this many seconds (Core Specification Vol 6 Part B 4.4.2.2).
    static let longestDelay = 0.01
    static let scanInterval = 0.1

    /// Mean time between adverts received, in seconds.
    var meanGap: Double { (interval + Self.longestDelay / 2) / ((1 - loss) * duty) }

    /// When the adverts received of a beacon that is there from `from` to `until`, in seconds, arrive.
    func adverts(from: Double = 0, until: Double, scan: Scan = .random, _ dice: inout SeededRandom) -> [Instant] {
        var received: [Instant] = []
        var channel = Channel(self, from: from, &dice)
        let phase = dice.uniform() * Self.scanInterval
        var time = from + dice.uniform() * interval
        while time < until {
            if !channel.loses(at: time, &dice), meetsWindow(time + phase, scan, &dice) {
                received.append(Instant(seconds: time))
            }
            time += interval + dice.uniform() * Self.longestDelay
        }
        return received
    }

    private func meetsWindow(_ time: Double, _ scan: Scan, _ dice: inout SeededRandom) -> Bool {
        if duty >= 1 { return true }
        switch scan {
        case .random: return dice.says(duty)
        case .windows: return fmod(time, Self.scanInterval) < Self.scanInterval * duty
        }
    }
}

/// Loss, by itself or by turns of good and bad times of exponential length (Gilbert's channel, all lost in bad times).
private struct Channel {
    private let loss: Double
    private let meanBad: Double
    private let meanGood: Double
    private var isBad = false
    private var changesAt = Double.infinity

    init(_ air: Air, from: Double, _ dice: inout SeededRandom) {
        loss = air.loss
        meanBad = air.burst
        // So that the share of bad time is the loss.
        meanGood = air.loss > 0 ? air.burst * (1 - air.loss) / air.loss : 0
        if meanBad > 0, loss > 0 {
            isBad = dice.says(loss)
            changesAt = from + dice.wait(mean: isBad ? meanBad : meanGood)
        }
    }

    mutating func loses(at time: Double, _ dice: inout SeededRandom) -> Bool {
        if meanBad == 0 { return loss > 0 && dice.says(loss) }
        while changesAt < time {
            isBad.toggle()
            changesAt += dice.wait(mean: isBad ? meanBad : meanGood)
        }
        return isBad
    }
}

extension Instant {
    /// Seconds of simulated time.
    init(seconds: Double) { self.init(nanoseconds: Int64(seconds * 1e9)) }
    /// Seconds of simulated time.
    var seconds: Double { Double(nanoseconds) / 1e9 }
}

extension Span {
    /// Seconds of simulated time.
    var seconds: Double { Double(nanoseconds) / 1e9 }
}
