internal import System

/// The bytes of a capture in order, from wherever they come, in one buffer.
///
/// What is taken stays in the buffer and is lent, until the next call. The buffer holds the longest piece that was ever
/// taken, and 64 KiB at least; it grows as the bytes come, so that memory follows what is there and not what a length
/// says.
struct CaptureInput {
    private static let bufferSize = 64 * 1024

    private let source: (UnsafeMutableRawBufferPointer) throws(CaptureFault) -> Int
    private var buffer = CaptureBuffer(size: bufferSize)
    private var start = 0
    private var end = 0
    private var isAtEnd = false
    /// How many bytes were taken so far.
    private(set) var offset = 0
    /// Where the record began that is being read.
    private(set) var recordStart = 0

    init(_ source: @escaping (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int) {
        self.source = { (room) throws(CaptureFault) in
            do throws(SystemError) {
                return try source(room)
            } catch {
                throw .unreadable(error)
            }
        }
    }

    /// What the rest of another input unpacks to. The other one is then used by this one alone.
    init(unpacking packed: CaptureInput) throws(CaptureFault) {
        let stream = try GzipStream(packed)
        source = { (room) throws(CaptureFault) in try stream.read(into: room) }
    }

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

    /// The next `count` bytes without taking them; fewer only at the end. They are valid until the next call.
    mutating func peek(_ count: Int) throws(CaptureFault) -> UnsafeRawBufferPointer {
        if end - start < count { try fetch(count) }
        return UnsafeRawBufferPointer(rebasing: buffer.bytes[start..<start + min(count, end - start)])
    }

    /// All that is at hand, and if that is nothing what comes next; empty only at the end.
    mutating func takeAll() throws(CaptureFault) -> UnsafeRawBufferPointer {
        if start == end {
            (start, end) = (0, 0)
            try fill()
        }
        return try take(end - start)
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
        // A source that says more than there is room for is taken at the room.
        let n = max(0, min(try source(room), room.count))
        end += n
        isAtEnd = n == 0
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
