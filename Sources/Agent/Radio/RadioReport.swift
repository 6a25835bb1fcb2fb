internal import Beacon
public import Presence

/// What the radio says of itself.
public enum RadioReport: Equatable, Sendable {
    /// The controller is scanning, in this way.
    case listening(Listening)
    /// The controller does not scan because it was told not to, for a moment.
    case paused
    /// Nothing can be heard, for this reason; `cause` is one word, `text` a sentence without its end.
    case blind(RadioState, cause: String, text: String)
    /// Something is done so that it hears again; `step` and `cause` are one word each, `text` a sentence without its end.
    /// Until it is `listening` again nothing is heard.
    case recovering(step: String, cause: String, text: String)
    /// Nobody was there to take what the controller sent, for a stretch of time that long and that ended now.
    case missed(Span)
    /// What is on air now.
    case advertising(AirState)
    /// Whether each beacon is told of once in about ten seconds only.
    case filtered(Bool)
    /// Something that a person should know and that stops nothing; a sentence without its end.
    case noted(String)
}

/// The states that Core Bluetooth knows of a radio, by the same names (Apple, CBManagerState).
public enum RadioState: String, Sendable, CaseIterable {
    /// It works.
    case poweredOn = "powered_on"
    /// It is there and may not send, or has no power.
    case poweredOff = "powered_off"
    /// This process may not use it.
    case unauthorized
    /// There is none here, or none that could do it.
    case unsupported
    /// It is lost for the moment, and being brought back.
    case resetting
    /// Nothing is known of it yet.
    case unknown
}

/// Which radio listens, and how.
public struct Listening: Equatable, Sendable {
    /// The adapter: `hci0`, or the address of a byte stream.
    public var adapter: String
    /// Its public address, where it is known.
    public var address: String?
    /// How the adapter is held, `exclusive` or `shared`; nil of a byte stream.
    public var access: String?
    /// Which set of commands it is driven with, `legacy` or `extended`; nil where nothing is driven.
    public var commands: String?
    /// The PHYs that are listened on, `1m` and `coded`, as far as that is known.
    public var phys: [String]

    /// Makes a description.
    public init(
        adapter: String, address: String? = nil, access: String? = nil, commands: String?,
        phys: [String]
    ) {
        self.adapter = adapter
        self.address = address
        self.access = access
        self.commands = commands
        self.phys = phys
    }
}

extension Listening: CustomStringConvertible {
    /// A few words for the log.
    public var description: String {
        let whole = [
            [adapter, address].compactMap { $0 }.joined(separator: " "), access, commands.map { "\($0) commands" },
            phys.isEmpty ? nil : "on \(phys.joined(separator: " and "))",
        ]
        return whole.compactMap { $0 }.joined(separator: ", ")
    }
}

/// What the controller says of advertising.
public enum AirState: Equatable, Sendable, CustomStringConvertible {
    /// Nothing was asked for, or it was switched off.
    case off
    /// The controller is lost at the moment, and nobody knows.
    case unknown
    /// The controller took these bytes and advertises them, with this power in dBm where it tells.
    case onAir(data: [UInt8], txPower: Int8?)
    /// The controller refused, with this status code (Core Spec Vol 1 Part F).
    case refused(code: UInt8)
    /// The controller does not know how.
    case unsupported

    /// Whether it is as configured.
    var isAsWanted: Bool {
        switch self {
        case .off, .unknown, .onAir: true
        case .refused, .unsupported: false
        }
    }

    /// A few words for the log.
    public var description: String {
        switch self {
        case .off: "off"
        case .unknown: "not known while the radio is lost"
        case .onAir(let data, let power):
            "on air: "
                + AdvertisingData.decode(data).frames.compactMap { $0.identity?.description }.joined(
                    separator: ", ") + (power.map { " at \($0) dBm" } ?? "")
        case .refused(let code): "the controller refuses with status 0x\(String(code, radix: 16))"
        case .unsupported: "the controller cannot advertise"
        }
    }
}
