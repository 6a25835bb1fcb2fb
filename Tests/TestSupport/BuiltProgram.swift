import Foundation

/// Where a program of this package was built: in `BEACOND_BIN_DIR` if that is set, else beside the tests that run.
public func builtProgram(_ name: String) -> String {
    if let folder = ProcessInfo.processInfo.environment["BEACOND_BIN_DIR"] { return "\(folder)/\(name)" }
    // Swift Testing runs in a helper of the toolchain, which is given the bundle as an argument.
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? Bundle.main.bundlePath
    let parts = bundle.split(separator: "/", omittingEmptySubsequences: false)
    let index = parts.firstIndex { $0.hasSuffix(".xctest") } ?? parts.endIndex
    return (parts[..<index] + [Substring(name)]).joined(separator: "/")
}
