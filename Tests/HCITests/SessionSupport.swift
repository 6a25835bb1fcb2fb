import Testing

@testable import HCI

/// Both ends of a conversation: a session, and the script of its controller.
struct Conversation {
    var session: ControllerSession
    var now: Int64 = 1_000_000_000
    /// What the session wants sent and has not been looked at yet.
    var sent: [[UInt8]] = []
    /// Everything else it said.
    var said: [SessionAction] = []

    static let millisecond: Int64 = 1_000_000
    static let scan = ScanPlan(interval: .milliseconds(100), window: .milliseconds(90))

    init(
        _ plan: RadioPlan = RadioPlan(scan: Conversation.scan), access: AdapterAccess = .exclusive,
        remembered: CommandSet? = nil
    ) {
        var memory = ControllerMemory()
        if let remembered { _ = memory.learn(remembered, of: Conversation.identity) }
        session = ControllerSession(plan: plan, access: access, entropy: 0x05DC_FD06_7848, memory: memory)
    }

    mutating func take(_ actions: [SessionAction]) {
        for action in actions {
            if case .send(let bytes) = action { sent.append(bytes) } else { said.append(action) }
        }
    }

    mutating func start() { take(session.start(now: now)) }
    mutating func apply(_ plan: RadioPlan) { take(session.apply(plan, now: now)) }
    mutating func stop() { take(session.stop(now: now)) }

    /// An event from the controller, H4 type byte first.
    mutating func receive(_ bytes: [UInt8]) {
        take(bytes.withUnsafeBytes { session.handle(event: UnsafeRawBufferPointer(rebasing: $0[1...]), now: now) })
    }

    mutating func answer(
        _ opcode: Opcode, _ status: StatusCode = .success, _ returned: [UInt8] = [], credits: UInt8 = 1
    ) {
        receive(ControllerEvent.commandCompleteBytes(opcode, credits: credits, status: status, returned: returned))
    }

    /// Moves time to the next deadline and lets it pass.
    mutating func tick() {
        guard let deadline = session.nextDeadline else { return }
        now = max(now, deadline)
        take(session.tick(now: now))
    }

    /// The one command that was sent since the last look.
    mutating func expect(_ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation) {
        #expect(sent == [bytes], sourceLocation: location)
        sent = []
    }

    mutating func expectNothing(_ location: SourceLocation = #_sourceLocation) {
        #expect(sent.isEmpty, sourceLocation: location)
        sent = []
    }

    /// What was said since the last look.
    mutating func expectSaid(_ actions: [SessionAction], _ location: SourceLocation = #_sourceLocation) {
        #expect(said == actions, sourceLocation: location)
        said = []
    }

    /// Answers the commands of the set-up as a willing controller does.
    mutating func setUp() {
        start()
        for (opcode, returned) in Conversation.setUpAnswers {
            expect(Conversation.setUpCommands[opcode] ?? [])
            answer(opcode, .success, returned)
        }
    }

    /// What a controller that knows everything returns.
    static let everything: [Opcode: [UInt8]] = [
        .readLocalVersion: [0x0B, 0x34, 0x12, 0x0B, 0x0F, 0x00, 0x09, 0x61],
        .readLocalCommands: [UInt8](repeating: 0xFF, count: 64),
        .readLocalFeatures: [0, 0, 0, 0, 0x40, 0, 0, 0],
        .readAddress: [0x06, 0x05, 0x04, 0x03, 0x02, 0x01],
        .readLowEnergyBufferSize: [0xFB, 0x00, 0x08],
        // LE Coded PHY, LE Extended Advertising: bits 11 and 12.
        .readLowEnergyFeatures: [0x01, 0x18, 0, 0, 0, 0, 0, 0],
        .readLowEnergyStates: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x03, 0, 0],
        .setExtendedAdvertisingParameters: [0x04],
        .readAdvertisingPower: [0xFC],
    ]

    static func opcode(_ command: [UInt8]) -> Opcode {
        Opcode(rawValue: UInt16(command[1]) | UInt16(command[2]) << 8)
    }

    /// Answers commands, each as it comes, until none is left; with a status where one is given. Returns all commands.
    @discardableResult
    mutating func obey(
        refusing refusals: [Opcode: StatusCode] = [:], returning returns: [Opcode: [UInt8]] = everything
    ) -> [[UInt8]] {
        var commands: [[UInt8]] = []
        while !sent.isEmpty && commands.count < 100 {
            let command = sent.removeFirst()
            commands.append(command)
            let opcode = Conversation.opcode(command)
            answer(opcode, refusals[opcode] ?? .success, refusals[opcode] == nil ? returns[opcode] ?? [] : [])
        }
        return commands
    }

    /// The same, as what they are.
    mutating func obeyed(
        refusing refusals: [Opcode: StatusCode] = [:], returning returns: [Opcode: [UInt8]] = everything
    ) -> [Opcode] {
        obey(refusing: refusals, returning: returns).map(Conversation.opcode)
    }

    /// A session with a controller that knows everything, at its plan.
    static func extended(_ plan: RadioPlan) -> Conversation {
        var talk = Conversation(plan)
        talk.start()
        talk.obey()
        talk.said = []
        return talk
    }

    /// Sets up and scans.
    mutating func setUpAndScan() {
        setUp()
        expect([0x01, 0x0C, 0x20, 0x02, 0x00, 0x00])
        answer(.setScanEnable)
        expect([0x01, 0x0B, 0x20, 0x07, 0x00, 0xA0, 0x00, 0x90, 0x00, 0x00, 0x00])
        answer(.setScanParameters)
        expect([0x01, 0x0C, 0x20, 0x02, 0x01, 0x00])
        answer(.setScanEnable)
        expectNothing()
    }

    /// Sets up, advertises and scans.
    mutating func setUpAndAdvertise() {
        setUp()
        for opcode in [
            Opcode.setScanEnable, .setAdvertisingParameters, .setAdvertisingData, .setAdvertisingEnable,
            .setScanParameters, .setScanEnable,
        ] {
            answer(opcode)
        }
        sent = []
        said = []
    }

    /// All commands but the extended ones, and the reads of what nobody needs.
    static let legacyCommands: [UInt8] = {
        var octets = [UInt8](repeating: 0xFF, count: 64)
        octets[25] = 0xBF
        octets[28] = 0xF7
        octets[36] = 0
        octets[37] = 0
        return octets
    }()

    static let setUpAnswers: [(Opcode, [UInt8])] = [
        (.reset, []),
        (.readLocalVersion, [0x08, 0x34, 0x12, 0x08, 0x0F, 0x00, 0x09, 0x61]),
        (.readLocalCommands, legacyCommands),
        (.readLocalFeatures, [0, 0, 0, 0, 0x40, 0, 0, 0]),
        (.readAddress, [0x06, 0x05, 0x04, 0x03, 0x02, 0x01]),
        (.setEventMask, []),
        (.setLowEnergyEventMask, []),
        (.readLowEnergyBufferSize, [0xFB, 0x00, 0x08]),
        (.readLowEnergyFeatures, [0x01, 0, 0, 0, 0, 0, 0, 0]),
        (.setRandomAddress, []),
    ]

    static let setUpCommands: [Opcode: [UInt8]] = [
        .reset: [0x01, 0x03, 0x0C, 0x00],
        .readLocalVersion: [0x01, 0x01, 0x10, 0x00],
        .readLocalCommands: [0x01, 0x02, 0x10, 0x00],
        .readLocalFeatures: [0x01, 0x03, 0x10, 0x00],
        .readAddress: [0x01, 0x09, 0x10, 0x00],
        .setEventMask: [0x01, 0x01, 0x0C, 0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20],
        .setLowEnergyEventMask: [0x01, 0x01, 0x20, 0x08, 0x02, 0, 0, 0, 0, 0, 0, 0],
        .readLowEnergyBufferSize: [0x01, 0x02, 0x20, 0x00],
        .readLowEnergyFeatures: [0x01, 0x03, 0x20, 0x00],
        .setRandomAddress: [0x01, 0x05, 0x20, 0x06, 0x48, 0x78, 0x06, 0xFD, 0xDC, 0xC5],
    ]

    static var identity: ControllerIdentity {
        var identity = ControllerIdentity()
        identity.version = 8
        identity.manufacturer = 15
        identity.firmware = 0x6109
        identity.commands = legacyCommands
        identity.features = 0x40_0000_0000
        identity.address = DeviceAddress(0x0102_0304_0506, .`public`)
        identity.lowEnergyFeatures = 1
        return identity
    }
}

/// Two payloads that no test may mix up.
let oldData: [UInt8] = [0x02, 0x01, 0x06]
let newData: [UInt8] = [0x02, 0x01, 0x04]

func advertising(
    _ data: [UInt8]?, interval: Duration = .milliseconds(100), address: OwnAddress = .random
) -> RadioPlan {
    RadioPlan(
        scan: Conversation.scan,
        advertise: data.flatMap { AdvertisePlan(data: $0, interval: interval, address: address) })
}

func dataCommand(_ data: [UInt8]) -> [UInt8] {
    [0x01, 0x08, 0x20, 0x20, UInt8(data.count)] + data + [UInt8](repeating: 0, count: 31 - data.count)
}
