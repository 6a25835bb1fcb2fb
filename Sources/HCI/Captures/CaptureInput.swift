internal import System

/// The bytes of a capture in order, from wherever they come, in one buffer.
///
/// What is taken stays in the buffer and is lent, until the next call. The buffer holds the longest piece that was ever
/// taken, and 64 KiB at least; it grows as the bytes come, so that memory follows what is there and not what a length
/// says.
struct CaptureInput {
    private static let bufferSize = 64 * 1024

    private let source: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
    private var buffer = CaptureBuffer(size: bufferSize)
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

    /// The next `count` bytes; fewer only at the end. They are valid until the next call.
    @inline(__always)
    mutating func take(_ count: Int) throws(CaptureFault) -> UnsafeRawBufferPointer {
        if end - start < count { try fetch(count) }
        let taken = min(count, end - start)
        let bytes = UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<start + taken])
        start += taken
        offset += taken
        return bytes
    }

    /// Passes over `count` bytes; false when the end comes first.
    mutating func skip(_ count: Int) throws(CaptureFault) -> Bool {
        var left = count
        while left > 0 {
            if start == end {
                (start, end) = (0, 0)
                try fill()
            }
            if start == end { return false }
            let n = min(left, end - start)
            start += n
            offset += n
            left -= n
        }
        return true
    }

    /// Has `count` bytes in the buffer, or all that there are.
    private mutating func fetch(_ count: Int) throws(CaptureFault) {
        if start > 0 {
            buffer.moveToFront(start..<end)
            (start, end) = (0, end - start)
        }
        while end < count && !isAtEnd {
            if end == buffer.bytes.count { buffer = CaptureBuffer(size: 2 * end, startingWith: buffer) }
            do throws(CaptureFault) {
                try fill()
            } catch {
                // What was there before is lost with it, and counts as read.
                offset += end
                throw error
            }
        }
    }

    /// Fills the buffer behind `end` with what the source has at hand.
    private mutating func fill() throws(CaptureFault) {
        if isAtEnd { return }
        let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[end...])
        do throws(SystemError) {
            // A source that says more than there is room for is taken at the room.
            let n = max(0, min(try source(room), room.count))
            end += n
            isAtEnd = n == 0
        } catch {
            throw .unreadable(error)
        }
    }
}

/// Memory that stays where it is, so that it can be lent.
private final class CaptureBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    /// Zeroed: what a source claims to have written and has not is at least nobody's secret.
    init(size: Int) {
        bytes = .allocate(byteCount: size, alignment: MemoryLayout<UInt64>.alignment)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    /// A larger one that begins with the bytes of another.
    convenience init(size: Int, startingWith other: CaptureBuffer) {
        self.init(size: size)
        bytes.copyMemory(from: UnsafeRawBufferPointer(other.bytes))
    }

    deinit { bytes.deallocate() }

    func moveToFront(_ range: Range<Int>) {
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
}

extension UnsafeRawBufferPointer {
    /// Reads fields from the start on.
    @inline(__always)
    func fields<Result>(_ body: (inout ByteCursor) -> Result) -> Result {
        var cursor = ByteCursor(self)
        return body(&cursor)
    }
}
