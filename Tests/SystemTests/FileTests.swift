import Foundation
import TestSupport
import Testing

@testable import System

@Suite("Files")
struct FileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a file is read whole up to its limit, and is an error one byte above")
    func bounds() throws {
        for size in [0, 1, 65535, 65536, 65537, 200_000] {
            let path = try folder.write("f", String(repeating: "x", count: size))
            #expect(try readFile(path, limit: size).count == size)
            if size > 0 {
                #expect(throws: SystemError(code: EFBIG, action: "read \(path)")) {
                    try readFile(path, limit: size - 1)
                }
            }
        }
    }

    @Test("a file without an end is not read for ever")
    func endless() {
        #expect(throws: SystemError(code: EFBIG, action: "read /dev/zero")) {
            try readFile("/dev/zero", limit: 1_000_000)
        }
    }

    @Test("what cannot be read says which and why")
    func unreadable() throws {
        let missing = SystemError(code: ENOENT, action: "open \(folder.path("no"))")
        #expect(throws: missing) { try readFile(folder.path("no"), limit: 1) }
        #expect(missing.isMissing)
        #expect(missing.description == "cannot open \(folder.path("no")): No such file or directory")
        #expect(throws: SystemError(code: EISDIR, action: "read \(folder.path)")) {
            try readFile(folder.path, limit: 1)
        }
    }

    @Test("a link is followed only where that is wanted")
    func links() throws {
        let path = try folder.write("f", "x")
        try FileManager.default.createSymbolicLink(atPath: folder.path("l"), withDestinationPath: path)
        #expect(try readFile(folder.path("l"), limit: 1) == [0x78])
        #expect(throws: SystemError(code: ELOOP, action: "open \(folder.path("l"))")) {
            try readFile(folder.path("l"), limit: 1, following: false)
        }
        #expect(throws: SystemError.self) { _ = try Descriptor.open(folder.path("l"), .create) }
    }

    @Test("each way to open a file does what it says")
    func modes() throws {
        let path = folder.path("f")
        #expect(throws: SystemError(code: ENOENT, action: "open \(path)")) { _ = try Descriptor.open(path, .read) }
        try Descriptor.open(path, .create).writeAll([1, 2, 3])
        #expect(throws: SystemError(code: EEXIST, action: "open \(path)")) {
            _ = try Descriptor.open(path, .create)
        }
        try Descriptor.open(path, .append).writeAll([4])
        #expect(try readFile(path, limit: 9) == [1, 2, 3, 4])
        try Descriptor.open(path, .readWrite).writeAll([9])
        #expect(try readFile(path, limit: 9) == [9, 2, 3, 4])
        let file = try Descriptor.open(path, .replace)
        try file.writeAll([5])
        try file.synchronise()
        #expect(try file.status() == FileStatus(owner: geteuid(), permissions: 0o600, isFolder: false, size: 1))
        try file.close()
        #expect(try Descriptor.open(folder.path, .folder).status().isFolder)
        #expect(throws: SystemError(code: ENOTDIR, action: "open \(path)")) {
            _ = try Descriptor.open(path, .folder)
        }
    }

    @Test("a lock is held by one at a time, and goes with its owner")
    func lock() throws {
        let path = folder.path("lock")
        let first = try Descriptor.open(path, .readWrite)
        try first.lockExclusively()
        let second = try Descriptor.open(path, .readWrite)
        let held = SystemError(code: EWOULDBLOCK, action: "lock")
        #expect(throws: held) { try second.lockExclusively() }
        #expect(held.isHeldElsewhere)
        try first.close()
        try second.lockExclusively()
    }

    @Test("folders are made and looked into, files renamed and removed")
    func folders() throws {
        let inner = folder.path("inner")
        try makeFolder(inner, permissions: 0o700)
        #expect(throws: SystemError(code: EEXIST, action: "make the folder \(inner)")) {
            try makeFolder(inner, permissions: 0o700)
        }
        #expect(try namesInFolder(inner) == [])
        for name in ["b", "a", ".c"] { try folder.write("inner/\(name)", name) }
        try renameFile("\(inner)/a", to: "\(inner)/b")
        #expect(try namesInFolder(inner) == [".c", "b"])
        #expect(try folder.read("inner/b") == "a")
        try removeFile("\(inner)/b")
        #expect(throws: SystemError(code: ENOENT, action: "remove \(inner)/b")) { try removeFile("\(inner)/b") }
        #expect(throws: SystemError(code: ENOENT, action: "look into \(inner)/x")) {
            try namesInFolder("\(inner)/x")
        }
    }

    @Test("a descriptor is closed once, by its owner")
    func closing() throws {
        let (one, other) = try StreamSocket.pair()
        let far = Descriptor(owning: other)
        do {
            let near = Descriptor(owning: one)
            #expect(near.number == one)
        }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { room.deallocate() }
        #expect(try far.read(into: room) == 0)
        #expect(throws: SystemError(code: EBADF, action: "close")) { try Descriptor(owning: -1).close() }
    }
}
