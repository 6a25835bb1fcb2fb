/// How much JSON is read at most; what is larger is refused, not cut.
public struct JSONLimits: Equatable, Sendable {
    /// The largest text, in bytes.
    public var bytes: Int
    /// How deep arrays and objects may be nested; `{}` is 1 deep. The reader recurses, so this also bounds its stack.
    public var depth: Int

    /// Makes limits; a depth of more than 512 counts as 512.
    public init(bytes: Int, depth: Int) {
        self.bytes = bytes
        self.depth = min(depth, 512)
    }

    /// What a control topic may carry: 64 KiB, 8 deep.
    public static let document = JSONLimits(bytes: 64 << 10, depth: 8)
}
