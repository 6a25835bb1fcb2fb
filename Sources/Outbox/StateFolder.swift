public import System

/// The folder in which a node keeps what must survive: locked against a second agent, readable for its owner only,
/// its files replaced as a whole or not at all.
///
/// Any thread may use it, but one name only from one thread at a time.
public final class StateFolder: Sendable {
    /// A step that may fail, named before it is taken; tests make the n-th one fail.
    enum Step: Equatable, Sendable {
        case makeFolder, openFolder, lock, removeOld, create, write, synchronise, rename, synchroniseFolder, read
    }

    /// Its path, as it was given.
    public let path: String
    // Held open for the lock: it goes with the process, however that ends.
    private let lock: Descriptor
    private let before: @Sendable (Step) throws(SystemError) -> Void

    private static let lockName = "lock"

    /// Opens the folder, and makes it where it is missing (its parent must be there).
    public convenience init(_ path: String) throws(StateFolderError) {
        try self.init(path, before: { (_: Step) throws(SystemError) in })
    }

    init(_ path: String, before: @escaping @Sendable (Step) throws(SystemError) -> Void) throws(StateFolderError) {
        self.path = path
        self.before = before
        do throws(SystemError) {
            try before(.makeFolder)
            try Self.make(path)
        } catch {
            throw StateFolderError(path: path, problem: .unusable(error))
        }
        let status: FileStatus
        do throws(SystemError) {
            try before(.openFolder)
            // A link to the folder is followed: systemd makes such ones.
            status = try Descriptor.open(path, .folder).status()
        } catch {
            throw StateFolderError(path: path, problem: .unusable(error))
        }
        if status.owner != effectiveUser {
            throw StateFolderError(path: path, problem: .ownedBy(status.owner, runningAs: effectiveUser))
        }
        if status.permissions & 0o022 != 0 {
            throw StateFolderError(path: path, problem: .writableByOthers(status.permissions))
        }
        lock = try Self.takeLock(path, before)
    }

    private static func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try makeFolder(path, permissions: 0o700)
        } catch {
            if error.isThere { return }
            throw error
        }
        // Or a power cut takes the whole folder back, and with it the count of starts. A parent that may not be opened
        // is no reason not to start.
        let trimmed = path.hasSuffix("/") ? path.dropLast() : path[...]
        let parent = trimmed.lastIndex(of: "/").map { String(trimmed[...$0]) } ?? "."
        try? Descriptor.open(parent, .folder).synchronise()
    }

    private static func takeLock(
        _ path: String, _ before: (Step) throws(SystemError) -> Void
    ) throws(StateFolderError) -> Descriptor {
        do throws(SystemError) {
            try before(.lock)
            let file = try Descriptor.open("\(path)/\(lockName)", .readWrite, following: false)
            try file.lockExclusively()
            // For the sentence that a second agent says. Not worth failing for, a full disk is no second agent.
            try? file.truncate()
            try? file.writeAll(Array("\(processID)\n".utf8))
            return file
        } catch {
            guard error.isHeldElsewhere else { throw StateFolderError(path: path, problem: .unusable(error)) }
            throw StateFolderError(path: path, problem: .heldElsewhere(process: lockingProcess(path)))
        }
    }

    /// Who holds a folder, by its own words.
    private static func lockingProcess(_ path: String) -> Int32? {
        let holder = try? readFile("\(path)/\(lockName)", limit: 32, following: false)
        return holder.flatMap { Int32(String(decoding: $0.filter { $0 != 0x0A }, as: UTF8.self)) }
    }

    /// Somebody who holds a folder.
    public struct Holder: Equatable, Sendable {
        /// The process, where it could be read.
        public var process: Int32?
    }

    /// Who holds the folder at a path; nil where nobody does, or where that cannot be seen. Makes and keeps nothing.
    public static func holder(of path: String) -> Holder? {
        do throws(SystemError) {
            // A lock needs no right to write, and is let go of at the end of this function.
            try Descriptor.open("\(path)/\(lockName)", .read, following: false).lockExclusively()
            return nil
        } catch {
            return error.isHeldElsewhere ? Holder(process: lockingProcess(path)) : nil
        }
    }

    /// The path of a file in the folder.
    public func path(of name: String) -> String {
        precondition(!name.isEmpty && !name.hasPrefix(".") && !name.contains("/"), "a plain name")
        return "\(path)/\(name)"
    }

    /// Replaces a file: afterwards, and after a power cut at any moment, it holds either the old or the new content.
    /// Once this returns, it is the new one.
    public func write(_ name: String, _ bytes: [UInt8]) throws(SystemError) {
        let final = path(of: name)
        let temporary = "\(path)/.\(name).new"
        try before(.removeOld)
        try remove(path: temporary)
        do throws(SystemError) {
            try before(.create)
            let file = try Descriptor.open(temporary, .create, following: false)
            try before(.write)
            try file.writeAll(bytes)
            try before(.synchronise)
            try file.synchronise()
            try file.close()
            try before(.rename)
            try renameFile(temporary, to: final)
        } catch {
            // What counts is the first error; what is left behind is removed by the next write.
            try? remove(path: temporary)
            throw SystemError(code: error.code, action: "write \(final)")
        }
        try synchroniseFolder()
    }

    /// A file's content; nil where there is none. EFBIG where it is longer than `limit` bytes, ELOOP for a link.
    public func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8]? {
        do throws(SystemError) {
            try before(.read)
            return try readFile(path(of: name), limit: limit, following: false)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Removes a file; that there is none is fine too.
    public func remove(_ name: String) throws(SystemError) {
        try before(.removeOld)
        try remove(path: path(of: name))
        try synchroniseFolder()
    }

    /// Gives a file another name, under which it is kept for a person to look at.
    public func setAside(_ name: String, as other: String) throws(SystemError) {
        try before(.rename)
        try renameFile(path(of: name), to: path(of: other))
        try synchroniseFolder()
    }

    /// The files in the folder, in order, without the lock and without what a write that did not end left behind.
    public func names() throws(SystemError) -> [String] {
        try before(.read)
        return try namesInFolder(path).filter { $0 != Self.lockName && !$0.hasPrefix(".") }
    }

    private func remove(path: String) throws(SystemError) {
        do throws(SystemError) {
            try removeFile(path)
        } catch {
            if !error.isMissing { throw error }
        }
    }

    private func synchroniseFolder() throws(SystemError) {
        try before(.synchroniseFolder)
        try Descriptor.open(path, .folder).synchronise()
    }
}

/// Why a state folder cannot be used.
public struct StateFolderError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    public enum Problem: Equatable, Sendable {
        /// It cannot be made or opened.
        case unusable(SystemError)
        /// It is another user's, who could change what the node believes.
        case ownedBy(UInt32, runningAs: UInt32)
        /// Others may write in it.
        case writableByOthers(UInt32)
        /// Another process holds the lock.
        case heldElsewhere(process: Int32?)
    }

    /// The folder.
    public let path: String
    /// What is wrong with it.
    public let problem: Problem

    /// Whether another agent is using it.
    public var isHeldElsewhere: Bool {
        if case .heldElsewhere = problem { true } else { false }
    }

    /// A sentence that says what to do.
    public var description: String {
        switch problem {
        case .unusable(let error):
            return "cannot use the state folder \(path): \(error)"
        case .ownedBy(let owner, let user):
            return "the state folder \(path) belongs to user \(owner), but this runs as user \(user); "
                + "change its owner or choose another folder"
        case .writableByOthers(let permissions):
            return "others may write in the state folder \(path) (mode \(String(permissions, radix: 8))); "
                + "run: chmod 700 \(path)"
        case .heldElsewhere(let process):
            let holder = process.map { " (process \($0))" } ?? ""
            return "the state folder \(path) is in use by another beacond\(holder)"
        }
    }
}
