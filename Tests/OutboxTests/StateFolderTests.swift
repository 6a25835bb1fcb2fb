import Foundation
import System
import TestSupport
import Testing

@testable import Outbox

/// Lets the n-th step fail.
private final class Faults: Sendable {
    private let count = Locked(0)
    let failing: Int

    init(failing: Int) { self.failing = failing }

    var steps: Int { count.withLock { $0 } }

    @Sendable func before(_ step: StateFolder.Step) throws(SystemError) {
        let number = count.withLock { count -> Int in
            count += 1
            return count
        }
        if number == failing { throw SystemError(code: EIO, action: "\(step)") }
    }
}

@Suite("StateFolder")
struct StateFolderTests {
    private let temporary: TemporaryFolder
    private var path: String { temporary.path("state") }

    init() throws { temporary = try TemporaryFolder() }

    @Test("a missing folder is made for the owner only")
    func made() throws {
        let folder = try StateFolder(path)
        #expect(try Descriptor.open(path, .folder).status().permissions == 0o700)
        #expect(try folder.names() == [])
        #expect(
            throws: StateFolderError(
                path: "\(path)/a/b",
                problem: .unusable(SystemError(code: ENOENT, action: "make the folder \(path)/a/b")))
        ) {
            try StateFolder("\(path)/a/b")
        }
    }

    @Test("what is written is read again, readable for the owner only, and replaced as a whole")
    func written() throws {
        let folder = try StateFolder(path)
        #expect(try folder.read("config", limit: 10) == nil)
        try folder.write("config", [1, 2, 3])
        #expect(try folder.read("config", limit: 3) == [1, 2, 3])
        #expect(try Descriptor.open(folder.path(of: "config"), .read).status().permissions == 0o600)
        try folder.write("config", [])
        #expect(try folder.read("config", limit: 3) == [])
        try folder.write("other", [4])
        #expect(try folder.names() == ["config", "other"])
        try folder.remove("config")
        try folder.remove("config")
        #expect(try folder.read("config", limit: 3) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["lock", "other"])
    }

    @Test("a file longer than the limit is an error, not a part of it")
    func limit() throws {
        let folder = try StateFolder(path)
        try folder.write("config", [1, 2, 3])
        #expect(throws: SystemError(code: EFBIG, action: "read \(path)/config")) {
            try folder.read("config", limit: 2)
        }
    }

    @Test("links are neither read nor written through")
    func links() throws {
        let folder = try StateFolder(path)
        try temporary.write("outside", "untouched")
        for name in ["config", ".config.new"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(path)/\(name)", withDestinationPath: temporary.path("outside"))
        }
        #expect(throws: SystemError(code: ELOOP, action: "open \(path)/config")) {
            try folder.read("config", limit: 100)
        }
        try folder.write("config", [1])
        #expect(try folder.read("config", limit: 100) == [1])
        #expect(try temporary.read("outside") == "untouched")
    }

    @Test("a link in place of the lock is refused")
    func lockLink() throws {
        _ = try StateFolder(path)
        try FileManager.default.removeItem(atPath: "\(path)/lock")
        try FileManager.default.createSymbolicLink(
            atPath: "\(path)/lock", withDestinationPath: temporary.path("outside"))
        #expect(
            throws: StateFolderError(
                path: path, problem: .unusable(SystemError(code: ELOOP, action: "open \(path)/lock")))
        ) {
            try StateFolder(path)
        }
        #expect(!FileManager.default.fileExists(atPath: temporary.path("outside")))
    }

    @Test("who holds a folder can be asked, which makes nothing and holds nothing")
    func holder() throws {
        #expect(StateFolder.holder(of: path) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
        var folder: StateFolder? = try StateFolder(path)
        #expect(folder != nil && StateFolder.holder(of: path)?.process == getpid())
        folder = nil
        #expect(StateFolder.holder(of: path) == nil)
        _ = try StateFolder(path)
    }

    @Test("a second agent is refused while the first one lives, and told which it is")
    func locked() throws {
        var first: StateFolder? = try StateFolder(path)
        let error = StateFolderError(path: path, problem: .heldElsewhere(process: getpid()))
        #expect(throws: error) { try StateFolder(path) }
        #expect(error.isHeldElsewhere)
        #expect(error.description == "the state folder \(path) is in use by another beacond (process \(getpid()))")
        first = nil
        #expect(first == nil)
        _ = try StateFolder(path)
    }

    @Test("a folder that others may write in is refused")
    func writable() throws {
        _ = try StateFolder(path)
        for mode in [0o770, 0o702, 0o1777] as [UInt32] {
            chmod(path, mode)
            let error = StateFolderError(path: path, problem: .writableByOthers(mode))
            #expect(throws: error) { try StateFolder(path) }
            #expect(
                error.description
                    == "others may write in the state folder \(path) (mode \(String(mode, radix: 8))); run: chmod 700 \(path)"
            )
        }
        chmod(path, 0o755)
        _ = try StateFolder(path)
    }

    @Test("another user's folder is refused", .enabled(if: geteuid() == 0, "only root can give a folder away"))
    func foreign() throws {
        _ = try StateFolder(path)
        chown(path, 1, 1)
        let error = StateFolderError(path: path, problem: .ownedBy(1, runningAs: 0))
        #expect(throws: error) { try StateFolder(path) }
        #expect(
            error.description
                == "the state folder \(path) belongs to user 1, but this runs as user 0; change its owner or choose another folder"
        )
    }

    @Test("a file in place of the folder is refused")
    func notAFolder() throws {
        try temporary.write("state", "")
        #expect(
            throws: StateFolderError(
                path: path, problem: .unusable(SystemError(code: ENOTDIR, action: "open \(path)")))
        ) {
            try StateFolder(path)
        }
    }

    @Test("whichever step of opening fails, it is an error, and the next start works")
    func faultsWhileOpening() throws {
        for failing in 1...3 {
            let faults = Faults(failing: failing)
            #expect(throws: StateFolderError.self) { try StateFolder(path, before: faults.before) }
        }
        let faults = Faults(failing: 4)
        _ = try StateFolder(path, before: faults.before)
        #expect(faults.steps == 3)
    }

    @Test(
        "whichever step of writing fails, the file holds the old content or the new one, and the next write works")
    func faultsWhileWriting() throws {
        var failing = 4
        while true {
            let faults = Faults(failing: failing)
            let folder = try StateFolder(path, before: faults.before)
            do {
                try folder.write("config", [UInt8(failing)])
                // As many steps as there are, and all went well.
                #expect(faults.steps == failing - 1)
                break
            } catch {
                let content = try folder.read("config", limit: 1)
                // Renamed, but not known to be on the disk: the only step after which it is the new one.
                let isLast = error.action == "synchroniseFolder"
                #expect(content == (isLast ? [UInt8(failing)] : nil))
                try folder.write("config", [99])
                #expect(try folder.read("config", limit: 1) == [99])
                try folder.remove("config")
                #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["lock"])
            }
            failing += 1
        }
        #expect(failing == 10)
    }

    // MARK: The epoch

    @Test("starts are counted from one")
    func epochs() throws {
        for expected in 1...3 as ClosedRange<UInt64> {
            let claim = try StateFolder(path).nextEpoch(wallSeconds: 1_800_000_000)
            #expect(claim == EpochClaim(epoch: expected, setAside: nil))
        }
        #expect(try temporary.read("state/epoch") == "3\n")
    }

    @Test(
        "a counter that cannot be read is set aside and goes on from the clock",
        arguments: [
            "", "\n", "x", "-1", "1 2", "0", "99999999999999999999", "9223372036854775807", "1\n\n", "１",
            String(repeating: "1", count: 1000),
        ])
    func corrupt(content: String) throws {
        let folder = try StateFolder(path)
        try folder.write("epoch", Array(content.utf8))
        let claim = try folder.nextEpoch(wallSeconds: 1_800_000_000)
        #expect(claim == EpochClaim(epoch: 1_800_000_000, setAside: "epoch.corrupt-1800000000"))
        #expect(try temporary.read("state/epoch.corrupt-1800000000") == content)
        #expect(try folder.nextEpoch(wallSeconds: 5) == EpochClaim(epoch: 1_800_000_001, setAside: nil))
    }

    @Test("a folder in place of the counter is set aside too")
    func folderForCounter() throws {
        let folder = try StateFolder(path)
        try makeFolder(folder.path(of: "epoch"), permissions: 0o700)
        #expect(try folder.nextEpoch(wallSeconds: 1_800_000_000).setAside == "epoch.corrupt-1800000000")
    }

    @Test("a counter that is missing among other files counts as lost")
    func missing() throws {
        let folder = try StateFolder(path)
        try folder.write("config", [1])
        #expect(
            try folder.nextEpoch(wallSeconds: 1_800_000_000) == EpochClaim(epoch: 1_800_000_000, setAside: nil))
    }

    @Test("after a second loss the number is higher than all before, even where the clock went back")
    func clockWentBack() throws {
        let folder = try StateFolder(path)
        try folder.write("epoch", [])
        #expect(try folder.nextEpoch(wallSeconds: 12).epoch == 1_767_225_600)
        #expect(try folder.nextEpoch(wallSeconds: 12).epoch == 1_767_225_601)
        try folder.write("epoch", [])
        let claim = try folder.nextEpoch(wallSeconds: -5)
        #expect(claim.epoch == 1_767_225_600 + 1 << 20)
    }

    @Test("whichever step fails, no number is given twice")
    func faultsWhileCounting() throws {
        var given: [UInt64] = []
        for failing in 4..<20 {
            let folder = try StateFolder(path, before: Faults(failing: failing).before)
            if let claim = try? folder.nextEpoch(wallSeconds: 1_800_000_000) { given.append(claim.epoch) }
        }
        for _ in 1...2 { given.append(try StateFolder(path).nextEpoch(wallSeconds: 1_800_000_000).epoch) }
        #expect(given.count >= 5)
        #expect(given == given.sorted())
        #expect(Set(given).count == given.count)
    }
}
