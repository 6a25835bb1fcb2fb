import Agent
import Foundation
import Testing

@Suite("Configuration reference")
struct ConfigurationReferenceTests {
    /// The file beside Package.swift.
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("config.yaml")

    private func read(_ text: String) throws -> Configuration { try Configuration.read(text: Array(text.utf8)) }

    @Test("config.yaml is what the schema says; `beacond check --reference` writes it anew")
    func file() throws {
        if ProcessInfo.processInfo.environment["BEACOND_WRITE_REFERENCE"] != nil {
            try Configuration.reference.write(to: Self.file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == Configuration.reference)
    }

    @Test("the reference as it stands is valid, and all defaults")
    func valid() throws {
        let minimal = "site: store-12\nnode: s12-shelf-3\n"
        #expect(try read(Configuration.reference) == read(minimal))
    }

    @Test("the reference with every comment sign before a key taken away is valid, and changes examples only")
    func uncommented() throws {
        let lines = Configuration.reference.split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { $0.replacing(/^( *)#([a-z])/) { "\($0.1)\($0.2)" } }.joined(separator: "\n")
        let all = try read(text)
        var expected = try read(Configuration.reference)
        #expect(all.regions.map(\.id) == ["entrance", "pillar", "poster"])
        #expect(all.regions.map(\.identityPrefix?.length) == [20, 16, 9])
        expected.regions = all.regions
        #expect(all.calibrations.map(\.beacon.identityPrefix?.length) == [20])
        expected.calibrations = all.calibrations
        expected.advertise.adapter = "hci1"
        expected.advertise.uuid = all.advertise.uuid
        expected.advertise.namespace = all.regions[1].namespace
        expected.advertise.instance = all.regions[1].instance
        expected.advertise.url = "https://example.com/"
        expected.advertise.measuredPower = -59
        expected.advertise.txPower = 4
        expected.advertise.rotate = .seconds(900)
        expected.mqtt.username = "s12-shelf-3"
        expected.mqtt.passwordFile = "/etc/beacond/mqtt-password"
        #expect(all == expected)
    }

    @Test("no line is longer than a terminal")
    func width() {
        #expect(Configuration.reference.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
}
