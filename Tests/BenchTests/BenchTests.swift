import Testing

@testable import beacon_bench

@Suite("beacon-bench")
struct BenchTests {
    @Test("a yardstick that does not exist is a mistake of usage, and help is not")
    func usage() {
        #expect(Bench.run(["--help"]) == 0)
        #expect(Bench.run(["no-such-yardstick"]) == 64)
        #expect(Bench.run([]) == 64)
    }
}
