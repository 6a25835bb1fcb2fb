internal import Glibc
internal import System

/// Lines of a stream, each of bounded length, in bounded memory.
struct InputLines: ~Copyable {
    enum Line {
        /// Without its end.
        case text([UInt8])
        /// Passed over.
        case tooLong
    }

    private let source: Descriptor
    private let longest: Int
    private var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    private var start = 0
    private var end = 0

    init(_ source: consuming Descriptor, longest: Int) {
        self.source = source
        self.longest = longest
    }

    /// Whether the next line is not all here yet.
    var hasToWait: Bool { !chunk[start..<end].contains(UInt8(ascii: "\n")) }

    /// The next line, nil at the end. What stands after the last line end is a line too, unless it is nothing.
    mutating func next() throws(SystemError) -> Line? {
        var text: [UInt8] = []
        var isTooLong = false
        var isAnything = false
        while true {
            if start == end { try fill() }
            if start == end {
                if !isAnything { return nil }
                break
            }
            isAnything = true
            let rest = chunk[start..<end]
            let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(lineEnd ?? end)]
            isTooLong = isTooLong || text.count + part.count > longest
            if !isTooLong { text += part }
            start = lineEnd.map { $0 + 1 } ?? end
            if lineEnd != nil { break }
        }
        return isTooLong ? .tooLong : .text(text)
    }

    private mutating func fill() throws(SystemError) {
        // Because withUnsafeMutableBytes does not pass a typed error on, it travels in a value.
        let filled = chunk.withUnsafeMutableBytes { room -> Result<Int?, SystemError> in
            do throws(SystemError) {
                return .success(try source.read(into: room))
            } catch {
                return .failure(error)
            }
        }
        start = 0
        end = 0
        switch filled {
        case .success(let count?): end = count
        // Somebody else made the stream non-blocking. To go on as at the end would hide the rest.
        case .success(nil): throw SystemError(code: EAGAIN, action: "read standard input")
        case .failure(let error): throw error
        }
    }
}
