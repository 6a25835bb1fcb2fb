internal import CZlib
internal import Glibc
internal import System

/// Unpacks what is gzip-compressed (RFC 1952) as it is asked for, in the memory that zlib needs, about 40 KiB.
///
/// A class because zlib's state must stay where it is. Every member of the file is unpacked, as gzip(1) does, which also
/// passes over zeros that fill up the end.
final class GzipStream {
    /// What a member starts with.
    static let magic: [UInt8] = [0x1F, 0x8B]
    /// The most bytes that a file unpacks to: 16 GiB, a day of the fullest air (2,600 adverts a second, 70 bytes each). It
    /// bounds time and not memory: unpacking that takes a minute or two.
    static let mostUnpacked: Int64 = 16 << 30
    /// The most bytes that one byte unpacks to. Every packet has a time of its own, so that captures do not come near it;
    /// gzip's utmost is 1032.
    static let mostExpansion: Int64 = 250
    /// How many bytes any file may unpack to, before the expansion is looked at: a short one may well be all the same.
    static let expansionFree: Int64 = 16 << 20

    private let zlib: UnsafeMutablePointer<z_stream>
    private var packed: CaptureInput
    /// What zlib still has to read; lent by `packed` until that is asked for more.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)
    /// How many bytes were unpacked.
    private var unpacked: Int64 = 0
    private var isBetweenMembers = false
    private let mostUnpacked: Int64

    /// Unpacks what is left of an input.
    init(_ packed: CaptureInput, mostUnpacked: Int64 = GzipStream.mostUnpacked) throws(CaptureFault) {
        self.packed = packed
        self.mostUnpacked = mostUnpacked
        zlib = .allocate(capacity: 1)
        zlib.initialize(to: z_stream())
        // 16 more than the largest window means gzip and nothing else. The version and size say which zlib.h was read.
        let result = inflateInit2_(zlib, MAX_WBITS + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
        if result != Z_OK {
            throw .unreadable(SystemError(code: result == Z_MEM_ERROR ? ENOMEM : ENOTSUP, action: "use zlib"))
        }
    }

    deinit {
        _ = inflateEnd(zlib)
        zlib.deinitialize(count: 1)
        zlib.deallocate()
    }

    /// Where the next byte is in the file.
    private var offset: Int { packed.offset - input.count }

    /// Fills `room` as far as it can at once; 0 only at the end. What was unpacked before something that is wrong is given
    /// first, and the fault at the next call.
    func read(into room: UnsafeMutableRawBufferPointer) throws(CaptureFault) -> Int {
        while true {
            if unpacked > mostUnpacked { throw fault(.tooMuch(mostUnpacked)) }
            if input.isEmpty { input = try packed.takeAll() }
            if isBetweenMembers, try !beginMember() { return 0 }
            if unpacked > Self.expansionFree, unpacked / Self.mostExpansion > Int64(offset) {
                throw fault(.tooDense(Self.mostExpansion))
            }
            // At the end of the file too: something may still be in zlib.
            let isAtEnd = input.isEmpty
            let (count, result) = unpack(into: room)
            if result == Z_STREAM_END { isBetweenMembers = true }
            // A fault is told again when asked again.
            if count > 0 { return count }
            switch result {
            case Z_STREAM_END: break
            case Z_OK, Z_BUF_ERROR: if isAtEnd { throw fault(.cut) }
            default: throw fault(.damaged(words(result)))
            }
        }
    }

    /// One step of zlib: how many bytes came out, and what it says.
    private func unpack(into room: UnsafeMutableRawBufferPointer) -> (count: Int, result: CInt) {
        // A byte more than may be: then it is too much, and not just as much.
        let size = Int(clamping: min(Int64(room.count), mostUnpacked - unpacked + 1, Int64(CInt.max)))
        let given = min(input.count, Int(CInt.max))
        // zlib does not write to its input: the pointer is to variable bytes for old C's sake.
        zlib.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        zlib.pointee.avail_in = UInt32(given)
        zlib.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        zlib.pointee.avail_out = UInt32(size)
        let result = inflate(zlib, Z_NO_FLUSH)
        input = UnsafeRawBufferPointer(rebasing: input.dropFirst(given - Int(zlib.pointee.avail_in)))
        let count = size - Int(zlib.pointee.avail_out)
        unpacked += Int64(count)
        return (count, result)
    }

    /// After a member comes another one, or zeros to the end; false at the end.
    private func beginMember() throws(CaptureFault) -> Bool {
        let start = offset
        var isFill = false
        while !input.isEmpty {
            if input[0] != 0 {
                // Whether it is a member is zlib's to say, but for the first byte.
                if isFill || input[0] != Self.magic[0] { throw .gzip(GzipFault(kind: .followed, offset: start)) }
                isBetweenMembers = false
                _ = inflateReset(zlib)
                return true
            }
            isFill = true
            input = UnsafeRawBufferPointer(rebasing: input.drop { $0 == 0 })
            if input.isEmpty { input = try packed.takeAll() }
        }
        return false
    }

    private func fault(_ kind: GzipFault.Kind) -> CaptureFault { .gzip(GzipFault(kind: kind, offset: offset)) }

    /// zlib's words for a failure.
    private func words(_ result: CInt) -> String {
        if let message = zlib.pointee.msg { return String(cString: message) }
        return result == Z_NEED_DICT ? "a dictionary is needed" : "zlib error \(result)"
    }
}

/// What is wrong with gzip-compressed data.
public struct GzipFault: Error, Equatable, Sendable {
    /// What it is.
    public let kind: Kind
    /// Where in the compressed file.
    public let offset: Int

    /// The kinds of wrong.
    public enum Kind: Equatable, Sendable, CustomStringConvertible {
        /// The file ends in the middle.
        case cut
        /// It does not unpack, in zlib's words.
        case damaged(String)
        /// Something that is not gzip data comes after it.
        case followed
        /// It unpacks to more than so many bytes.
        case tooMuch(Int64)
        /// It unpacks to more than so many times its size.
        case tooDense(Int64)

        /// What is wrong, to be followed by the place.
        public var description: String {
            switch self {
            case .cut: "the gzip data is cut"
            case .damaged(let words): "the gzip data is damaged (\(words))"
            case .followed: "something that is no gzip data follows the gzip data,"
            case .tooMuch(let most): "the gzip data unpacks to more than \(most) bytes, the most that are read,"
            case .tooDense(let most):
                "the gzip data unpacks to more than \(most) times its size, which no capture does,"
            }
        }
    }
}
