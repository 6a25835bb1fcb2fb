extension CapturedContent<UnsafeRawBufferPointer> {
    /// An HCI packet with its H4 type byte. Core Spec Vol 4 Part A 2
    @inline(__always)
    static func h4(_ bytes: UnsafeRawBufferPointer, isCut: Bool) -> Self {
        guard let type = bytes.first else { return .skipped(.tooShort) }
        switch type {
        case 1:
            return isCut
                ? .skipped(.cutByCapture) : .hciCommand(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        // A cut event may still hold whole reports; those who read it see that it is cut.
        case 4: return .hciEvent(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        // ACL, SCO and ISO data.
        case 2, 3, 5: return .hciOther
        default: return .skipped(.unknownPacketType(type))
        }
    }

    /// A packet of the kernel's monitor; the low half of the flags is what it is. BlueZ doc/btsnoop.txt
    static func monitor(_ flags: UInt32, _ bytes: UnsafeRawBufferPointer, isCut: Bool) -> Self {
        switch flags & 0xFFFF {
        case 2: isCut ? .skipped(.cutByCapture) : .hciCommand(bytes)
        case 3: .hciEvent(bytes)
        default: .hciOther
        }
    }
}

extension CaptureDirection {
    /// The direction by a monitor packet's flags: commands and the TX kinds of data are sent.
    static func monitor(_ flags: UInt32) -> CaptureDirection {
        switch flags & 0xFFFF {
        case 2, 4, 6, 18: .sent
        default: .received
        }
    }
}
