internal import CSystem
internal import Glibc

/// What the kernel knows about an open file.
public struct FileStatus: Equatable, Sendable {
    /// The owner's user id.
    public let owner: UInt32
    /// The twelve permission bits: 0o755.
    public let permissions: UInt32
    /// Whether it is a folder.
    public let isFolder: Bool
    /// Bytes.
    public let size: Int64
}

extension Descriptor {
    /// What the kernel knows about this file. fstat(2)
    public func status() throws(SystemError) -> FileStatus {
        var status = stat()
        try checked("look at a file") { fstat(number, &status) }
        return FileStatus(
            owner: status.st_uid, permissions: status.st_mode & 0o7777,
            isFolder: status.st_mode & S_IFMT == S_IFDIR, size: Int64(status.st_size))
    }
}

/// Whether a path leads to a regular file, which can be read without waiting for anybody. False where nothing is. stat(2)
public func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether there is anything at a path. stat(2)
public func exists(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0
}

/// Whether this process may write to what is at a path. access(2), with the effective user: faccessat's AT_EACCESS
public func isWritable(_ path: String) -> Bool { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 }

/// The path without links, nil where nothing is. realpath(3)
public func resolvedPath(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
}

/// The user that this process acts as. geteuid(2)
public var effectiveUser: UInt32 { geteuid() }

/// This process. getpid(2)
public var processID: Int32 { getpid() }

/// Makes a folder; EEXIST when there is something of that name. mkdir(2)
public func makeFolder(_ path: String, permissions: UInt32) throws(SystemError) {
    try checked("make the folder \(path)") { mkdir(path, permissions) }
}

/// Renames a file; one that has the new name is replaced in the same instant. rename(2)
public func renameFile(_ old: String, to new: String) throws(SystemError) {
    try checked("rename \(old) to \(new)") { rename(old, new) }
}

/// Removes a file or link. unlink(2)
public func removeFile(_ path: String) throws(SystemError) {
    try checked("remove \(path)") { unlink(path) }
}

/// The names in a folder, in order, without `.` and `..`. readdir(3)
public func namesInFolder(_ path: String) throws(SystemError) -> [String] {
    guard let folder = opendir(path) else { throw SystemError(code: errno, action: "look into \(path)") }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}
