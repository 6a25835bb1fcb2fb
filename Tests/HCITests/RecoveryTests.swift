import HCI
import Testing

@Suite("Recovery") struct RecoveryTests {
    static let second: Int64 = 1_000_000_000
    static let all: Recovery.Means = [.reset, .powerCycle, .reprobe, .nextAdapter]

    /// A link whose steps take a time and do not help, and what was done until a time.
    struct Trial {
        var recovery = Recovery()
        var now: Int64 = 0
        var steps: [Recovery.Step] = []
        var pauses: [Int64] = []
        var resets: [Int64] = []

        /// Fails, takes steps, each of which takes `duration`, and fails again.
        mutating func fail(
            _ cause: RecoveryCause, _ means: Recovery.Means, taking duration: Int64 = 0, until end: Int64,
            _ body: (inout Trial) -> Void = { _ in }
        ) {
            while now < end {
                let (step, at) = recovery.failed(cause, now: now, means: means)
                steps.append(step)
                pauses.append((at - now) / second)
                body(&self)
                now = at
                if step != .restartScan && cause != .absent && recovery.mayReset(now: now) { resets.append(now) }
                now += duration
            }
        }
    }

    @Test("a controller that comes back each time has not been tried for long, however often it fails")
    func wobbly() {
        var recovery = Recovery()
        for minute in 0..<9 as Range<Int64> {
            let now = minute * 40 * Self.second
            let (_, at) = recovery.failed(.hardwareError, now: now, means: Self.all)
            #expect(at == now)
            #expect(!recovery.isExhausted)
            recovery.scans(since: at + Self.second)
        }
        // One that is plugged in again is not made to wait either.
        let (_, at) = recovery.failed(.lost, now: 400 * Self.second, means: [])
        #expect(at == 400 * Self.second)
    }

    @Test("the steps go from cheap to thorough, each later than the one before") func ladder() {
        var trial = Trial()
        trial.fail(.hardwareError, Self.all, until: 60 * Self.second)
        #expect(trial.steps.prefix(4) == [.reset, .powerCycle, .reprobe, .nextAdapter])
        #expect(trial.pauses.prefix(8) == [0, 1, 2, 4, 8, 15, 15, 15])
        var silent = Trial()
        silent.fail(.silence, [.reset, .powerCycle], until: 4 * Self.second)
        #expect(silent.steps.prefix(3) == [.restartScan, .reset, .powerCycle])
    }

    @Test(
        "no step that failed is taken again while others are untried, and none twice in a row where there are two",
        arguments: RecoveryCause.allCases)
    func neverTheSame(cause: RecoveryCause) {
        for bits in UInt8(0)..<16 {
            let means = Recovery.Means(rawValue: bits)
            var trial = Trial()
            trial.fail(cause, means, until: 3600 * Self.second)
            let kinds = Set(trial.steps)
            for round in stride(from: 0, to: trial.steps.count - kinds.count, by: kinds.count) {
                #expect(Set(trial.steps[round..<round + kinds.count]) == kinds, "\(cause) \(bits)")
            }
            if kinds.count > 1 {
                for (one, next) in zip(trial.steps, trial.steps.dropFirst()) { #expect(one != next) }
            }
        }
    }

    @Test(
        "a controller that fails every reset for an hour never gets more than the budget",
        arguments: [0, 4, 14] as [Int64])
    func budget(seconds: Int64) {
        var trial = Trial()
        var scans = 0
        trial.fail(.commandTimeout, Self.all, taking: seconds * Self.second, until: 3600 * Self.second) { trial in
            // Some of them scan for a moment, which is no recovery.
            scans += 1
            if scans % 3 == 0 { trial.recovery.scans(since: trial.now) }
        }
        #expect(trial.resets.count <= 30)
        #expect(trial.resets.count >= 10)
        for at in trial.resets {
            let hour = trial.resets.count { $0 >= at && $0 < at + 3600 * Self.second }
            #expect(hour <= 30)
            let minutes = trial.resets.count { $0 >= at && $0 < at + 180 * Self.second }
            #expect(minutes <= 11)
        }
    }

    @Test("who asks for more than the budget gets no more") func greedy() {
        var recovery = Recovery()
        var resets = 0
        for tenth in 0..<36_000 {
            if recovery.mayReset(now: Int64(tenth) * Self.second / 10) { resets += 1 }
        }
        #expect(resets == 29)
    }

    @Test(
        "one that does not come back is said not to within 150 s, whatever a step takes, and then tried each 3 min",
        arguments: [0, 2, 4, 10] as [Int64])
    func unrecoverable(seconds: Int64) {
        var trial = Trial()
        var said: Int64?
        trial.fail(.commandTimeout, Self.all, taking: seconds * Self.second, until: 3600 * Self.second) { trial in
            if trial.recovery.isExhausted && said == nil { said = trial.now }
        }
        // It took 14 s to notice at worst.
        #expect((said ?? .max) <= (150 - 14) * Self.second)
        #expect(trial.pauses.suffix(10).allSatisfy { $0 == 180 })
    }

    @Test("an explicit fault is met at once, so that it is over within 15 s") func quick() {
        for cause in RecoveryCause.allCases {
            var recovery = Recovery()
            let (_, at) = recovery.failed(cause, now: 7, means: Self.all)
            #expect(at == 7)
        }
    }

    @Test("what cured a fault is tried first when it comes again; what scanned for a moment did not cure")
    func cures() {
        var recovery = Recovery()
        var now: Int64 = 0
        #expect(recovery.failed(.commandTimeout, now: now, means: Self.all).step == .reset)
        now += 5 * Self.second
        recovery.scans(since: now)
        now += 10 * Self.second
        #expect(recovery.failed(.commandTimeout, now: now, means: Self.all).step == .powerCycle)
        now += 5 * Self.second
        recovery.scans(since: now)
        now += 3600 * Self.second
        let (step, at) = recovery.failed(.commandTimeout, now: now, means: Self.all)
        #expect(step == .powerCycle)
        #expect(at == now)
        // Then the others, in their order; another cause has no cure yet.
        #expect(recovery.failed(.commandTimeout, now: now, means: Self.all).step == .reset)
        recovery.scans(since: now)
        now += 3600 * Self.second
        #expect(recovery.failed(.hardwareError, now: now, means: Self.all).step == .reset)
        recovery.scans(since: now)
        now += 3600 * Self.second
        // Where the cure is not possible any more it is not tried.
        #expect(recovery.failed(.commandTimeout, now: now, means: [.reset]).step == .reset)
    }

    @Test("what cured a fault is known also where the way was not there for a moment") func curedAfterAbsence() {
        var recovery = Recovery()
        #expect(recovery.failed(.commandTimeout, now: 0, means: Self.all).step == .reset)
        #expect(recovery.failed(.commandTimeout, now: Self.second, means: Self.all).step == .powerCycle)
        for cause in [RecoveryCause.lost, .absent] { _ = recovery.failed(cause, now: 2 * Self.second, means: []) }
        recovery.scans(since: 3 * Self.second)
        #expect(recovery.failed(.commandTimeout, now: 3600 * Self.second, means: Self.all).step == .powerCycle)
    }

    @Test("a way that is not there is tried less and less often, for nothing, and never given up") func absent() {
        var trial = Trial()
        trial.fail(.absent, [.reset], until: 3600 * Self.second)
        #expect(trial.pauses.prefix(9) == [0, 1, 2, 4, 8, 10, 10, 10, 10])
        #expect(trial.pauses.allSatisfy { $0 <= 10 })
        #expect(!trial.recovery.isExhausted)
        #expect((0..<10).allSatisfy { _ in trial.recovery.mayReset(now: trial.now) })
        var choice = Trial()
        choice.fail(.lost, [.reset, .powerCycle, .reprobe, .nextAdapter], until: 2 * Self.second)
        #expect(choice.steps.prefix(2) == [.reset, .nextAdapter])
    }

    @Test("a controller without LE is left for another one where there is one") func notLowEnergy() {
        var recovery = Recovery()
        #expect(recovery.failed(.notLowEnergy, now: 0, means: Self.all).step == .nextAdapter)
        var alone = Recovery()
        #expect(alone.failed(.notLowEnergy, now: 0, means: [.reset]).step == .reset)
    }

    @Test("beside the kernel there is no Reset, and starting again costs none") func shared() {
        var trial = Trial()
        trial.fail(.hardwareError, [.powerCycle], until: 20 * Self.second)
        #expect(trial.steps.prefix(4) == [.restartScan, .powerCycle, .restartScan, .powerCycle])
        var bare = Trial()
        bare.fail(.hardwareError, [], until: 3600 * Self.second)
        #expect(Set(bare.steps) == [.restartScan])
        #expect(bare.recovery.isExhausted)
        #expect((0..<10).allSatisfy { _ in bare.recovery.mayReset(now: bare.now) })
    }

    @Test("a failure after a steady time is a new one") func steady() {
        var recovery = Recovery()
        for _ in 0..<4 { _ = recovery.failed(.hardwareError, now: 0, means: [.reset]) }
        recovery.scans(since: Self.second)
        let (_, soon) = recovery.failed(.hardwareError, now: 10 * Self.second, means: [.reset])
        #expect(soon == 18 * Self.second)
        recovery.scans(since: 20 * Self.second)
        let (_, late) = recovery.failed(.hardwareError, now: 80 * Self.second, means: [.reset])
        #expect(late == 80 * Self.second)
    }
}
