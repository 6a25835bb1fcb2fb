import HCI
import Testing

@Suite("Reconnection")
struct ReconnectionTests {
    private static let second: Int64 = 1_000_000_000

    /// Loses a controller that scanned for so many seconds, again and again; returns the seconds until each next try.
    private func delays(scanning seconds: Int64, times: Int) -> [Int64] {
        var reconnection = Reconnection()
        var now: Int64 = 0
        return (0..<times).map { _ in
            reconnection.scans(since: now)
            now += seconds * Self.second
            let next = reconnection.lost(at: now)
            defer { now = next }
            return (next - now) / Self.second
        }
    }

    @Test("a controller that dies soon after each start is tried less and less often")
    func flapping() {
        #expect(delays(scanning: 1, times: 8) == [0, 1, 2, 4, 8, 16, 30, 30])
        #expect(delays(scanning: 59, times: 4) == [0, 1, 2, 4])
    }

    @Test("one that was steady is tried again at once")
    func steady() { #expect(delays(scanning: 60, times: 3) == [0, 0, 0]) }

    @Test("one that never scans is tried less and less often")
    func absent() {
        var reconnection = Reconnection()
        #expect(
            (0..<4).map { _ in reconnection.lost(at: 5) } == [
                5, 5 + Self.second, 5 + 2 * Self.second, 5 + 4 * Self.second,
            ])
    }
}
