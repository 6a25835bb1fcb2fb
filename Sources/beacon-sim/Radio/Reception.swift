import Glibc
import System

/// Why a host that scans does not hear an advert.
enum Miss: Equatable {
    /// It was on air outside the scan window.
    case outside
    /// The air lost it.
    case lost
    /// It was weaker than what the host hears.
    case weak
    /// A fault of the controller kept it back.
    case withheld
    /// A fault of the controller made nonsense of it.
    case malformed
}

/// How one beacon reaches one host: what stands between the two, and what chance does to each advert.
///
/// Each has a stream of random numbers of its own, so that one more host changes nothing for the others.
struct Reception {
    /// dB by which each advertising channel is better than distance alone says; constant.
    private let channels: (Double, Double, Double)
    private var random: SeededRandom
    /// Whether the channel is in a burst of losses, and until when; not known before the first advert.
    private var isBad = false
    private var until = Int64.min

    init(_ loss: PathLoss, seed: UInt64, beacon: Int, host: Int) {
        random = SeededRandom(seed: seed ^ 0x5265_6365_7074, stream: UInt64(beacon) << 8 | UInt64(host))
        let shadow = loss.shadowing * random.normal()
        channels = (
            shadow + loss.channels * random.normal(), shadow + loss.channels * random.normal(),
            shadow + loss.channels * random.normal()
        )
    }

    /// Whether the air loses an advert of that time; times never go back.
    mutating func loses(_ loss: PacketLoss, at time: Int64) -> Bool {
        if let bursts = loss.bursts, isBurst(bursts, time) { return true }
        return loss.independent > 0 && random.uniform() < loss.independent
    }

    /// dB on top of what the distance makes of the strength; `channel` is 0 for 37, 1 for 38, 2 for 39, and nil for
    /// a beacon without a place, which is as strong as the scenario says.
    mutating func gain(channel: Int?, _ fading: Fading) -> Double {
        let constant =
            switch channel {
            case 0: channels.0
            case 1: channels.1
            case 2: channels.2
            default: 0.0
            }
        return constant + fading.sample(&random)
    }

    private mutating func isBurst(_ bursts: PacketLoss.Bursts, _ time: Int64) -> Bool {
        // Ten such times later nothing is known any more, so that a long absence costs no more than a short one.
        let memory = Int64(10 * (bursts.length(isBad: true) + bursts.length(isBad: false)))
        if until == .min || time - until > memory {
            isBad = random.uniform() < bursts.loss
            until = time + duration(bursts)
        }
        while until <= time {
            isBad.toggle()
            until += duration(bursts)
        }
        return isBad
    }

    /// How long the state holds: exponential, so the time that has passed already does not matter.
    private mutating func duration(_ bursts: PacketLoss.Bursts) -> Int64 {
        // What is uniform is below 1, so that the logarithm is finite.
        max(1, Int64(-log(1 - random.uniform()) * bursts.length(isBad: isBad)))
    }
}
