public import Beacon
public import Presence

/// What the node is to do: the file with the documents over it, valid as a whole.
///
/// The initial values here are the defaults. What a key is called, what it may be and what it is good for stands in
/// the schema, and nowhere else.
public struct Configuration: Equatable, Sendable {
    /// Where the node is: an id.
    public var site = ""
    /// Which node this is in the whole fleet: an id.
    public var node = ""
    /// The folder for what must survive a restart: an absolute path.
    public var stateFolder = "/var/lib/beacond"
    /// How the radio listens.
    public var radio = Radio()
    /// What the node sends.
    public var advertise = Advertise()
    /// The regions, in the order of the file.
    public var regions: [RegionSettings] = []
    /// Beacons whose power at one metre was measured.
    public var calibrations: [CalibrationSettings] = []
    /// Window messages.
    public var windows = Windows()
    /// Distances.
    public var distance = Distance()
    /// Bounds.
    public var limits = Limits()
    /// The log.
    public var log = Log()
    /// The broker.
    public var mqtt = MQTT()
    /// Documents from the broker.
    public var control = Control()

    init() {}

    /// How the radio listens.
    public struct Radio: Equatable, Sendable {
        /// A PHY that adverts can begin on (Core Spec Vol 6 Part B 2.3.4).
        public enum PHY: String, Sendable, CaseIterable {
            /// LE 1M, on which all beacons of these formats send.
            case oneM = "1m"
            /// LE Coded, which reaches farther.
            case coded
        }

        /// Which controller: `auto`, its address, `hciN`, or a byte stream.
        public var adapter = "auto"
        /// How an adapter of the kernel's is taken.
        public var access = RadioTuning.Access.auto
        /// What is listened on; `oneM` is always among them.
        public var phys = [PHY.oneM]
        /// The time from the start of one scan window to the next.
        public var interval: Duration = .milliseconds(100)
        /// How long a scan window is; not longer than the interval.
        public var window: Duration = .milliseconds(90)
        /// Whether beacons are asked for a scan response.
        public var active = false
    }

    /// What the node sends: one beacon.
    public struct Advertise: Equatable, Sendable {
        /// Which address the adverts come from.
        public enum Address: String, Sendable, CaseIterable {
            /// A random static one.
            case random
            /// The controller's own.
            case `public`
        }

        /// Whether anything is sent.
        public var enabled = false
        /// Which adapter sends; nil is the one that listens.
        public var adapter: String?
        /// What kind of beacon it is. What the kind needs is there wherever `enabled` is true.
        public var format = BeaconFormat.ibeacon
        /// The UUID of an iBeacon or AltBeacon.
        public var uuid: UUID128?
        /// The major number.
        public var major: UInt16 = 0
        /// The minor number.
        public var minor: UInt16 = 0
        /// The ten bytes of an Eddystone UID's namespace.
        public var namespace: [UInt8]?
        /// The six bytes of its instance.
        public var instance: [UInt8]?
        /// The URL of an Eddystone URL.
        public var url: String?
        /// The power at one metre that is sent, in dBm; nil is what the adapter's own power makes of it.
        public var measuredPower: Int8?
        /// The power to send with, in dBm; nil is the controller's choice.
        public var txPower: Int8?
        /// The time between two adverts.
        public var interval: Duration = .milliseconds(100)
        /// Which address the adverts come from.
        public var address = Address.random
        /// How often a random address becomes another one; nil is never.
        public var rotate: Duration?
    }

    /// Window messages.
    public struct Windows: Equatable, Sendable {
        /// How long a window is.
        public var length: Duration = .seconds(10)
    }

    /// Distances.
    public struct Distance: Equatable, Sendable {
        /// The power at one metre, in dBm, of beacons that send an implausible one.
        public var measuredPower = -59
        /// The formula.
        public var model = DistanceLaw.prior
        /// The path loss exponent of the formulae that do not fix one.
        public var exponent = DistanceModel.freeSpace
        /// The name of the filter.
        public var filter = FilterName.standard
    }

    /// Bounds.
    public struct Limits: Equatable, Sendable {
        /// How many beacons are remembered.
        public var beacons = 10_000
        /// How many events wait for the broker.
        public var queuedEvents = 100_000
        /// How many window messages wait for the broker.
        public var queuedWindows = 10_000
    }

    /// The log.
    public struct Log: Equatable, Sendable {
        /// What is logged: this and what is more urgent.
        public var level = LogLevel.info
    }

    /// The broker.
    public struct MQTT: Equatable, Sendable {
        /// Host name or address.
        public var host = "localhost"
        /// TCP port.
        public var port: UInt16 = 1883
        /// What all topics start with.
        public var prefix = "beacons"
        /// User name, if the broker asks for one.
        public var username: String?
        /// The file that holds the password, if the broker asks for one.
        public var passwordFile: String?
        /// How many bytes a window message may have.
        public var maxPayload = 65_536
        /// How long the connection may be silent; whole seconds.
        public var keepalive: Duration = .seconds(30)
    }

    /// Documents from the broker.
    public struct Control: Equatable, Sendable {
        /// Whether documents are taken.
        public var enabled = true
    }
}
