import Foundation
import TestSupport
import Testing

/// All tests of the real programs on a real Linux Bluetooth stack, one after the other. They run in the guest that
/// Tests/vm/boot.sh starts and nowhere else: they switch this machine's adapters on and off.
@Suite(
    "Linux Bluetooth", .serialized, .enabled(if: Guest.isHere, "this is not the guest of Tests/vm/boot.sh"),
    .timeLimit(.minutes(2)))
enum VM {}

/// The machine of the VM tests.
enum Guest {
    /// Where the packages are that this machine has and its host has not; nil outside of the guest.
    static let packages = ProcessInfo.processInfo.environment["BEACOND_GUEST"]

    /// Whether this is the guest.
    static var isHere: Bool { packages != nil }
}
