import TestSupport
import Testing

extension VM {
    @Suite("Rig")
    struct RigTests {
        @Test("the adapters of beacon-sim are adapters of the kernel")
        func adapters() throws {
            #expect(Guest.isHere)
        }
    }
}
