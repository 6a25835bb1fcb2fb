import Foundation
import TestSupport

/// BlueZ's daemon on a message bus of its own, as a desktop or an untouched Raspberry Pi OS has it.
final class Bluetoothd {
    private let folder: TemporaryFolder
    private let bus: Child
    private let daemon: Child

    /// Starts both.
    init() throws {
        folder = try TemporaryFolder()
        let address = "unix:path=\(folder.path("bus"))"
        let configuration = try folder.write(
            "bus.conf",
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>system</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
                <allow user="*"/>
              </policy>
            </busconfig>

            """)
        bus = try Child(
            Self.program("usr/bin/dbus-daemon"), ["--nofork", "--print-address", "--config-file", configuration])
        try bus.wait(forLine: "unix:", within: Guest.limit)
        let packages = Guest.packages ?? ""
        daemon = try Child(
            Self.program("usr/libexec/bluetooth/bluetoothd", "usr/lib/bluetooth/bluetoothd"),
            ["-n", "-d", "-f", try folder.write("main.conf", "[Policy]\nAutoEnable=true\n")],
            environment: [
                "DBUS_SYSTEM_BUS_ADDRESS": address,
                "LD_LIBRARY_PATH":
                    ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"].map { "\(packages)/\($0)" }
                    .joined(separator: ":"),
            ])
    }

    deinit {
        daemon.kill()
        bus.kill()
    }

    /// Waits until it has powered an adapter.
    func wait(forPowered adapter: Int) throws {
        try daemon.wait(forLine: "hci\(adapter) has been enabled", within: Guest.limit)
    }

    /// Where a program is: among the packages of the guest, or installed.
    private static func program(_ paths: String...) throws -> String {
        for root in [Guest.packages ?? "", ""] {
            for path in paths where FileManager.default.isExecutableFile(atPath: "\(root)/\(path)") {
                return "\(root)/\(path)"
            }
        }
        throw TestFailure(description: "there is no \(paths[0])")
    }
}
