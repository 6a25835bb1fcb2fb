// swift-tools-version: 6.0
// 6.0 is the compiler that Debian 13 and Raspberry Pi OS ship as `swiftlang`: no syntax or library of later ones.
import PackageDescription

/// `any` is written out (SE-0335), and an import is private to its file unless it says otherwise (SE-0409), so
/// that a C type that leaks into a public signature does not compile.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A Swift target with the settings above.
func swift(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A program with the settings above.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A test target with the settings above.
func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil) -> Target {
    .testTarget(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let package = Package(
    name: "beacond",
    products: [
        .executable(name: "beacond", targets: ["beacond"]),
        .executable(name: "beacon-sim", targets: ["beacon-sim"]),
        .executable(name: "beacon-bench", targets: ["beacon-bench"]),
    ],
    targets: [
        // C libraries from Debian. No `pkgConfig:`, it adds the host's library folder to a cross build.
        .systemLibrary(name: "CBluetooth", providers: [.apt(["libbluetooth-dev"])]),
        .systemLibrary(name: "CMosquitto", providers: [.apt(["libmosquitto-dev"])]),
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CSystem"),

        // The values, each of which knows nothing of the others.
        swift("System", ["CSystem"]),
        swift("Beacon"),
        swift("Presence", ["Beacon"]),
        swift("HCI", ["CBluetooth", "CZlib", "System"]),
        swift("YAML", ["CYAML"]),
        swift("JSON"),
        swift("MQTT", ["CMosquitto", "System"]),
        swift("Outbox", ["System"]),
        swift("Trust", ["CCrypto"]),

        // What they make together.
        swift("Agent", ["Beacon", "Presence", "YAML", "JSON"]),
        program(
            "beacond",
            ["Agent", "Beacon", "HCI", "JSON", "MQTT", "Outbox", "Presence", "System", "Trust", "YAML"]),
        program("beacon-sim", ["Beacon", "HCI", "JSON", "System", "YAML"]),
        program("beacon-bench", ["Agent", "Beacon", "HCI", "JSON", "Presence", "System", "YAML"]),

        // What several test targets start and stop: programs, brokers, folders.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),

        tests("SystemTests", ["System", "TestSupport"]),
        tests("BeaconTests", ["Beacon", "TestSupport"], resources: [.copy("Fixtures")]),
        tests("PresenceTests", ["Beacon", "Presence", "TestSupport"]),
        tests("HCITests", ["HCI", "System", "TestSupport"], resources: [.copy("Fixtures")]),
        tests("YAMLTests", ["YAML"]),
        tests("JSONTests", ["JSON", "TestSupport"]),
        tests("MQTTTests", ["MQTT", "System", "TestSupport"]),
        tests("OutboxTests", ["Outbox", "System", "TestSupport"]),
        tests("TrustTests", ["Trust"]),
        tests("AgentTests", ["Agent", "Beacon", "JSON", "Presence", "TestSupport", "YAML"]),
        tests(
            "BeacondTests",
            ["beacond", "Agent", "Beacon", "HCI", "JSON", "Outbox", "Presence", "System", "TestSupport", "YAML"]),
        tests(
            "FaultTests",
            ["beacond", "beacon-sim", "Agent", "HCI", "JSON", "Presence", "System", "TestSupport", "YAML"]),
        tests("SimulatorTests", ["beacon-sim", "Beacon", "HCI", "JSON", "System", "TestSupport", "YAML"]),
        tests(
            "BenchTests", ["beacon-bench", "Agent", "Beacon", "HCI", "JSON", "Presence", "System", "TestSupport"]),
        tests("StructureTests", []),
        tests("EndToEndTests", ["JSON", "TestSupport"], resources: [.copy("Fixtures")]),
    ],
    swiftLanguageModes: [.v6]
)

// Only where it is asked for: libFuzzer brings the main function, so a plain build could not link it.
if Context.environment["BEACOND_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "beacond-fuzz", dependencies: ["Agent", "Beacon", "HCI", "JSON", "YAML"], path: "Tests/fuzz",
            exclude: ["seeds.py"],
            swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]))
}
