import Foundation

/// A folder that is removed with its owner.
public final class TemporaryFolder: Sendable {
    /// Its path, short enough for a Unix socket in it.
    public let path: String

    /// Makes an empty folder.
    public init() throws {
        var template = Array("/tmp/beacond-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure(description: "cannot make a temporary folder") }
        path = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of something in the folder.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// Writes a file and returns its path.
    @discardableResult
    public func write(_ name: String, _ content: String) throws -> String {
        try Data(content.utf8).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    /// A file's content.
    public func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path(name))), as: UTF8.self)
    }
}
