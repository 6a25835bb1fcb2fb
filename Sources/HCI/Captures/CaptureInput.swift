internal import System

/// The bytes of a capture in order, from wherever they come, with one buffer of fixed size.
struct CaptureInput {
    private static let bufferSize = 64 * 1024

    private let source: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    private var buffer = [UInt8](repeating: 0, count: bufferSize)
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    /// How many bytes were taken so far.
    private(set) var offset = 0
    /// Where the record began that is being read.
    private(set) var recordStart = 0

    init(_ source: @escaping (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int) { self.source = source }

    /// A record begins here.
    mutating func mark() { recordStart = offset }

    /// The next `count` bytes; fewer only at the end.
    ///
    /// Memory follows what is there, not what a length says.
    mutating func take(_ count: Int) throws(CaptureFault) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if start == end { try fill() }
            if start == end { break }
            let n = min(count - bytes.count, end - start)
            bytes.append(contentsOf: buffer[start..<start + n])
            start += n
            offset += n
        }
        return bytes
    }

    /// Passes over `count` bytes; false when the end comes first.
    mutating func skip(_ count: Int) throws(CaptureFault) -> Bool {
        var left = count
        while left > 0 {
            if start == end { try fill() }
            if start == end { return false }
            let n = min(left, end - start)
            start += n
            offset += n
            left -= n
        }
        return true
    }

    private mutating func fill() throws(CaptureFault) {
        if isAtEnd { return }
        // Because withUnsafeMutableBytes does not pass a typed error on, it travels in a value.
        let filled = buffer.withUnsafeMutableBytes { room -> Result<Int, SystemError> in
            do throws(SystemError) {
                return .success(try source(room))
            } catch {
                return .failure(error)
            }
        }
        let n: Int
        switch filled {
        case .success(let count): n = count
        case .failure(let error): throw .unreadable(error)
        }
        start = 0
        // A source that says more than there is room for is taken at the room.
        end = max(0, min(n, buffer.count))
        isAtEnd = end == 0
    }
}

extension [UInt8] {
    /// Reads fields from the start on.
    func fields<Result>(_ body: (inout ByteCursor) -> Result) -> Result {
        withUnsafeBytes {
            var cursor = ByteCursor($0)
            return body(&cursor)
        }
    }
}
