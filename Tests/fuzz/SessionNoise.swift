import HCI

/// A session with a controller that mostly does what it is told, and noise between: answers that are lost, cut, changed,
/// late or doubled, events of any kind, other programs, changes of plan, time. After the noise the session must scan
/// again within so many steps, or it is stuck.
struct SessionNoise {
    /// Steps from the end of the noise to the scan. A set-up with one change of commands takes about 45 answers and may
    /// be begun by two failures.
    static let patience = 200
    /// Executions are to be cheap: what a longer input holds is not looked at.
    static let longest = 32

    private var session: ControllerSession
    private var model: ControllerModel
    /// What the controller has answered and has not been delivered.
    private var answers: [[UInt8]] = []
    private var now: Int64 = 0
    private var bytes: UnsafeRawBufferPointer
    private var at = 0

    /// A session of the kind that the first byte says, at the point of its life that the second one says: how many
    /// commands its controller has answered.
    init(_ bytes: UnsafeRawBufferPointer) {
        let kind = Int(bytes.first ?? 0) & 0x1F
        let points = SessionNoise.beginnings[kind]
        self = points[min(Int(bytes.count > 1 ? bytes[1] : 0xFF), points.count - 1)]
        self.bytes = bytes
        at = 2
    }

    private init(kind: Int) {
        let access: AdapterAccess = kind & 1 == 0 ? .exclusive : .shared
        let remembered: CommandSet? = kind & 2 == 0 ? nil : (kind & 4 == 0 ? .legacy : .extended)
        model = ControllerModel(claimsExtended: kind & 8 == 0, hasExtended: kind & 16 == 0 && kind & 8 == 0)
        // As the model calls itself.
        let memory = ControllerMemory(text: remembered.map { "06:05:04:03:02:01 0001 \($0.rawValue)\n" } ?? "")
        session = ControllerSession(plan: Self.plans[0], access: access, entropy: 1, memory: memory)
        bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        perform(session.start(now: now))
    }

    /// Each kind of session with a controller that behaves, after each answer. Made once: a set-up at each execution
    /// would cost more than the noise.
    ///
    /// Unsafe only because of the pointer to the input, which is empty in all of these.
    nonisolated(unsafe) private static let beginnings: [[SessionNoise]] = (0..<32).map { kind in
        var noise = SessionNoise(kind: kind)
        var points = [noise]
        while !noise.answers.isEmpty {
            noise.deliverNext()
            points.append(noise)
        }
        precondition(noise.session.isSettled, "a controller that behaves brings the session to its plan")
        return points
    }

    /// Makes the noise, then listens.
    mutating func run() {
        var steps = 0
        while let operation = next(), steps < SessionNoise.longest {
            disturb(operation)
            steps += 1
        }
        perform(session.apply(Self.plans[0], now: now))
        for _ in 0..<SessionNoise.patience {
            if session.isSettled && session.provenUntil != nil { return }
            if !answers.isEmpty {
                deliver(answers.removeFirst())
            } else if let deadline = session.nextDeadline {
                now = max(now, deadline)
                perform(session.tick(now: now))
            } else {
                // It failed or stopped, and waits for its owner.
                perform(session.start(now: now))
            }
        }
        preconditionFailure("the session is stuck")
    }

    private mutating func disturb(_ operation: UInt8) {
        switch operation & 0x1F {
        case 0...9: deliverNext()
        case 10: answerWith(StatusCode(rawValue: next() ?? 0))
        case 11: if !answers.isEmpty { answers.removeFirst() }
        case 12: if let first = answers.first { deliver(first) }
        case 13: if answers.count > 1 { answers.swapAt(0, 1) }
        case 14: cut()
        case 15, 16: random()
        case 17: pass(Int64(next() ?? 0) * 20_000_000)
        case 18: if let deadline = session.nextDeadline { pass(max(0, deadline - now)) }
        case 19: deliver(ControllerEvent.hardwareErrorBytes(code: next() ?? 0))
        case 20: perform(session.framingLost(now: now))
        case 21: perform(session.packetsLost(now: now))
        case 22: perform(session.restartScan(now: now))
        case 23: perform(session.prove(now: now))
        case 24, 25: perform(session.apply(Self.plans[Int(next() ?? 0) % Self.plans.count], now: now))
        case 26: perform(session.stop(now: now))
        case 27:
            perform(session.disconnected())
            answers = []
        case 28: perform(session.start(now: now))
        case 29, 30: foreign()
        default: deliver(Self.grants[Int(next() ?? 0) & 1])
        }
    }

    private mutating func next() -> UInt8? {
        guard at < bytes.count else { return nil }
        defer { at += 1 }
        return bytes[at]
    }

    private mutating func deliverNext() {
        if answers.isEmpty {
            if session.nextDeadline == nil { perform(session.start(now: now)) }
        } else {
            deliver(answers.removeFirst())
        }
    }

    /// The next answer, with another status.
    private mutating func answerWith(_ status: StatusCode) {
        guard !answers.isEmpty else { return }
        var answer = answers.removeFirst()
        if answer.count > 6 { answer[6] = status.rawValue }
        deliver(answer)
    }

    /// The next answer, cut, with a length that may or may not tell the truth.
    private mutating func cut() {
        guard !answers.isEmpty, let where_ = next() else { return }
        let answer = answers.removeFirst()
        var short = Array(answer.prefix(1 + Int(where_ & 0x7F) % answer.count))
        if where_ & 0x80 != 0 && short.count > 2 { short[2] = UInt8(short.count - 3) }
        deliver(short)
    }

    /// An event made of the input's own bytes.
    private mutating func random() {
        guard let length = next() else { return }
        let end = min(at + Int(length & 0x1F), bytes.count)
        _ = session.handle(event: UnsafeRawBufferPointer(rebasing: bytes[at..<at]), now: now)
        perform(session.handle(event: UnsafeRawBufferPointer(rebasing: bytes[at..<end]), now: now))
        at = end
    }

    private mutating func pass(_ time: Int64) {
        now += time
        if let deadline = session.nextDeadline, deadline <= now { perform(session.tick(now: now)) }
    }

    /// Another program's command, which the controller performs.
    private mutating func foreign() {
        let command = Self.foreigners[Int(next() ?? 0) % Self.foreigners.count]
        answers.append(model.perform(command))
        perform(
            command.withUnsafeBytes {
                session.observe(command: UnsafeRawBufferPointer(rebasing: $0[1...]), now: now)
            })
    }

    private mutating func deliver(_ event: [UInt8]) {
        perform(
            event.withUnsafeBytes { session.handle(event: UnsafeRawBufferPointer(rebasing: $0[1...]), now: now) })
    }

    private mutating func perform(_ actions: [SessionAction]) {
        for case .send(let command) in actions {
            // A controller has room for a few commands; those that the session sends again are not more than that.
            if answers.count < 16 { answers.append(model.perform(command)) }
        }
    }

    private static let plans: [RadioPlan] = {
        let scan = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90))
        let coded = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90), active: true, coded: true)
        let one = AdvertisePlan(
            data: [2, 1, 6], powerByte: PowerByte(offset: 2, fallback: -59), interval: .milliseconds(100),
            txPower: 4,
            rotation: .seconds(5))
        let two = AdvertisePlan(data: [2, 1, 4], interval: .milliseconds(200), address: .public)
        return [
            RadioPlan(scan: scan, advertise: one), RadioPlan(scan: scan), RadioPlan(scan: scan, advertise: two),
            RadioPlan(scan: coded, advertise: one), RadioPlan(scan: nil, advertise: one), RadioPlan(scan: nil),
        ]
    }()

    /// Leave to send, and none.
    private static let grants: [[UInt8]] = [[4, 0x0E, 3, 0, 0, 0], [4, 0x0E, 3, 1, 0, 0]]

    private static let foreigners: [[UInt8]] = [
        Command.reset, .setScanEnable(false), .setScanEnable(true, filteringDuplicates: true),
        ExtendedScanEnable(false).command, ExtendedScanEnable(true, duplicateFilter: 1).command,
        Command(.clearAdvertisingSets), Command(.readLocalVersion), .setAdvertisingEnable(false),
        ExtendedAdvertisingEnable(false, []).command, .setRandomAddress(DeviceAddress(7, .random)),
        ScanParameters(active: true, interval: 16, window: 16).command,
        ExtendedScanParameters(le1M: .init(active: true, interval: 16, window: 16)).command,
    ].map(\.bytes)
}
