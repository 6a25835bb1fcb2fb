/// What becomes of a link to a controller, for whoever tells people.
public enum LinkReport: Equatable, Sendable {
    /// The controller scans.
    case listening(LinkDetails)
    /// It does not scan because it was told not to, for a moment.
    case paused
    /// Nothing can be heard or sent.
    case blind(LinkTrouble)
    /// A step to bring it back is taken now; what it is against, in one word and as a sentence.
    case recovering(Recovery.Step, cause: String, text: String)
    /// For so many nanoseconds that ended now nobody knows whether it heard.
    case missed(nanoseconds: Int64)
    /// What is on air.
    case advertising(AdvertisingState)
    /// Whether each sender is reported once in about ten seconds only, as if somebody filtered duplicates.
    case filtered(Bool)
    /// Something that a person should know once.
    case noted(String)
    /// A controller has shown which commands it takes; worth remembering.
    case learned(ControllerMemory)
}

/// Which controller a link has, and how.
public struct LinkDetails: Equatable, Sendable {
    /// "hci0", or the address of a stream.
    public var name: String
    /// The controller's own address, where it told.
    public var address: DeviceAddress?
    /// How an adapter of the kernel's is used; nil for a stream.
    public var access: AdapterAccess?
    /// Which commands it scans and advertises with.
    public var commands: CommandSet
    /// The PHYs that it listens on.
    public var phys: [RadioPHY]

    /// Makes details.
    public init(
        name: String, address: DeviceAddress?, access: AdapterAccess?, commands: CommandSet, phys: [RadioPHY]
    ) {
        self.name = name
        self.address = address
        self.access = access
        self.commands = commands
        self.phys = phys
    }
}

/// Why a link hears and sends nothing.
public enum LinkTrouble: Equatable, Sendable, CustomStringConvertible {
    /// The adapter cannot be used.
    case adapter(AdapterProblem)
    /// The way to the controller has ended.
    case way(name: String, TransportFailure)
    /// The controller fails.
    case controller(name: String, SessionFailure)
    /// The controller fails, and nothing that was tried has helped; the next try is so many nanoseconds away.
    case lasting(name: String, SessionFailure, pause: Int64)
    /// It was reset so often that it is left alone for so many nanoseconds.
    case spared(name: String, pause: Int64)
    /// It answers every command and hears nothing, although everything was tried.
    case deaf(name: String)

    /// The trouble in one word, for messages.
    public var cause: String {
        switch self {
        case .adapter(let problem): problem.cause
        case .way(_, .ended): "unplugged"
        case .way: "unreachable"
        case .controller(_, let failure): RecoveryCause(failure).rawValue
        case .lasting: "unrecovered"
        case .spared: "reset_budget"
        case .deaf: "deaf"
        }
    }

    /// A sentence without a full stop.
    public var description: String {
        switch self {
        case .adapter(let problem): "\(problem)"
        case .way(let name, let failure): "the controller at \(name): \(failure)"
        case .controller(let name, let failure): "\(name): \(failure)"
        case .lasting(let name, let failure, let pause):
            "\(name) does not come back, whatever was tried: \(failure); the next try is in "
                + "\(pause / 1_000_000_000) s; unplug it and plug it in, or use another adapter"
        case .spared(let name, let pause):
            "\(name) was reset too often to be reset again at once; it is left alone for \(pause / 1_000_000_000) s"
        case .deaf(let name):
            "\(name) answers and hears nothing any more, since one moment in which several beacons were there, and no "
                + "reset has helped; look after the beacons' power, and then for another adapter"
        }
    }
}
