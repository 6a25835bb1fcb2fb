import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `beacond replay` of what gzip compressed.
    @Suite("Replay")
    struct ReplayTests {
        private static let configuration = "regions:\n  shelf: {uuid: \(Stage.uuid)}\n"

        /// A folder with a capture of half a minute, plain and compressed by gzip(1).
        private func captures() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            var capture = Capture()
            capture.adverts(from: 100, to: 30_000, every: 100, Capture.beacon())
            try capture.bytes.write(to: URL(fileURLWithPath: folder.path("plain")))
            let gzip = try Child(
                "/bin/sh", ["-c", #"gzip -c "$1/plain" > "$1/compressed""#, "sh", folder.path("")])
            #expect(try gzip.waitForExit() == 0)
            return folder
        }

        @Test("a compressed capture gives the same bytes as the capture")
        func compressed() throws {
            let folder = try captures()
            let plain = try Replayed(file: folder.path("plain"), Self.configuration)
            let compressed = try Replayed(file: folder.path("compressed"), Self.configuration)
            #expect(plain.of("enter/shelf").count == 1)
            #expect(plain.output == compressed.output)
        }

        @Test("a compressed capture that was cut is printed as far as it goes, and told")
        func cut() throws {
            let folder = try captures()
            let file = folder.path("compressed")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            try bytes.dropLast(100).write(to: URL(fileURLWithPath: file))
            let replay = try Child(builtProgram("beacond"), ["replay", file])
            #expect(try replay.waitForExit() == 65)
            #expect(replay.output.count > 3)
            let errors = replay.errors
            try #require(errors.count == 3)
            #expect(errors[0] == "beacond replay: no regions are configured; the windows show every beacon")
            let packets = try #require(errors[1].split(separator: " ").dropFirst(2).first)
            #expect(errors[1].hasPrefix("beacond replay: \(packets) packets, "))
            #expect(
                errors[2]
                    == "beacond replay: '\(file)': the gzip data is cut at byte \(bytes.count - 100) "
                    + "(\(packets) packets read before it)")
        }
    }
}
