internal import Beacon

/// The hash of an identity for the tables here: computed once an advert, then used for every look-up.
///
/// Two multiplications with secret words, folded, as in wyhash (Wang Yi, https://github.com/wangyi-fudan/wyhash); the
/// `Hasher` of the standard library takes several times as long. The secret is drawn anew by each process, so that
/// nobody can make beacons that collide; nothing that can be observed may depend on it.
struct IdentityHash: Sendable {
    private let first: UInt64
    private let second: UInt64
    private let third: UInt64

    /// Draws a secret.
    init(using generator: inout some RandomNumberGenerator) {
        first = generator.next()
        second = generator.next()
        // Odd, so that multiplying by it loses nothing.
        third = generator.next() | 1
    }

    /// Draws a secret that nobody can know.
    init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// The hash of an identity.
    @inline(__always)
    func callAsFunction(_ identity: BeaconIdentity) -> UInt64 { self(identity.words) }

    /// The hash of an identity's words.
    @inline(__always)
    func callAsFunction(_ words: (UInt64, UInt64, UInt64)) -> UInt64 {
        finish(begin(words.0, words.1), words.2)
    }

    /// The part of a hash that identities with the same first sixteen bytes share.
    @inline(__always)
    func begin(_ high: UInt64, _ middle: UInt64) -> UInt64 { fold(high ^ first, middle ^ second) }

    /// The rest of a hash.
    @inline(__always)
    func finish(_ begun: UInt64, _ last: UInt64) -> UInt64 { fold(begun ^ last, third) }

    /// The hash of an identity at an address, from that of the identity alone.
    @inline(__always)
    func adding(_ source: UInt64, to hash: UInt64) -> UInt64 { fold(hash ^ second, source ^ third) }

    @inline(__always)
    private func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
