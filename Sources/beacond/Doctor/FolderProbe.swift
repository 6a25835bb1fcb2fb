internal import Glibc
internal import Outbox
internal import System

/// A folder as it is, without touching it.
enum FolderProbe {
    static func look(at path: String) -> DoctorProbes.Folder? {
        guard let status = try? Descriptor.open(path, .folder).status() else { return nil }
        var space = statvfs()
        let free = statvfs(path, &space) == 0 ? UInt64(space.f_bavail) * UInt64(space.f_frsize) : .max
        return DoctorProbes.Folder(
            owner: status.owner, permissions: status.permissions, isWritable: isWritable(path), free: free,
            holder: StateFolder.holder(of: path))
    }
}
