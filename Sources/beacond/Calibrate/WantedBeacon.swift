internal import Agent
internal import Beacon
internal import System

/// The beacon that a command line names: as much of its ids as was given.
struct WantedBeacon: Equatable, Sendable {
    var format: BeaconFormat?
    var uuid: UUID128?
    var major: UInt16?
    var minor: UInt16?
    /// Twenty digits, and twelve.
    var namespace: String?
    var instance: String?
    var url: String?

    /// Any beacon.
    init() {}

    /// The options that name a beacon.
    static let options = ["format", "uuid", "major", "minor", "namespace", "instance", "url"].map {
        CommandLineOption($0, takesValue: true)
    }

    /// Takes the ids from a command line.
    init(_ line: CommandLineOptions) throws(LineMisuse) {
        let groups = [["uuid", "major", "minor"], ["namespace", "instance"], ["url"]]
        let given = groups.compactMap { group in group.first { line.has($0) } }
        if given.count > 1 {
            throw LineMisuse(
                sentence: "--\(given[0]) and --\(given[1]) are of two formats, of which a beacon has one")
        }
        if let format = try line.word("format", of: BeaconFormat.allCases.map { ($0.name, $0) }) {
            if let foreign = given.first, !Self.keys(of: format).contains(foreign) {
                throw LineMisuse(sentence: "a beacon of format \(format.name) has no --\(foreign)")
            }
            self.format = format
        }
        if let text = line["uuid"] {
            uuid = UUID128(text)
            if uuid == nil { throw LineMisuse(sentence: "--uuid is 32 hexadecimal digits, not \(quoted(text))") }
        }
        major = try line.number("major", in: 0...65_535).map(UInt16.init)
        minor = try line.number("minor", in: 0...65_535).map(UInt16.init)
        namespace = try Self.digits("namespace", 20, line)
        instance = try Self.digits("instance", 12, line)
        url = line["url"]
        if let url, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw LineMisuse(sentence: "--url begins with http:// or https://, and not as \(quoted(url))")
        }
    }

    private static func keys(of format: BeaconFormat) -> [String] {
        switch format {
        case .ibeacon, .altbeacon: ["uuid", "major", "minor"]
        case .eddystoneUID: ["namespace", "instance"]
        case .eddystoneURL: ["url"]
        }
    }

    private static func digits(
        _ name: String, _ count: Int, _ line: CommandLineOptions
    ) throws(LineMisuse) -> String? {
        guard let text = line[name] else { return nil }
        guard let bytes = Hexadecimal.bytes(text), bytes.count * 2 == count else {
            throw LineMisuse(sentence: "--\(name) is \(count) hexadecimal digits, not \(quoted(text))")
        }
        return Hexadecimal.text(bytes)
    }

    /// Whether nothing was named.
    var isAny: Bool { self == WantedBeacon() }

    /// Whether a beacon is one that was named. A URL counts as text, for one has several spellings on air.
    func matches(_ beacon: BeaconIdentity) -> Bool {
        (format.map { $0 == beacon.format } ?? true)
            && (uuid.map { $0 == beacon.uuid } ?? true)
            && (major.map { $0 == beacon.major } ?? true)
            && (minor.map { $0 == beacon.minor } ?? true)
            && (namespace.map { $0 == beacon.namespace } ?? true)
            && (instance.map { $0 == beacon.instance } ?? true)
            && (url.map { $0 == beacon.url } ?? true)
    }
}

extension BeaconIdentity {
    /// The options that name it in a shell. Its URL came from the air and may hold what a shell would act on.
    var naming: String {
        var parts = ["--format \(format.name)"]
        if let uuid { parts.append("--uuid \(uuid)") }
        if let major { parts.append("--major \(major)") }
        if let minor { parts.append("--minor \(minor)") }
        if let namespace { parts.append("--namespace \(namespace)") }
        if let instance { parts.append("--instance \(instance)") }
        // Within single quotes a shell acts on nothing but the next one.
        if let url {
            parts.append(
                "--url '\(url.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
            )
        }
        return parts.joined(separator: " ")
    }
}
