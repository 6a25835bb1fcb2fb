import Beacon
import Testing

@Suite("Hexadecimal")
struct HexadecimalTests {
    @Test("bytes are read from digits of any case and written in lower case")
    func bothWays() {
        #expect(Hexadecimal.bytes("00fFA9") == [0x00, 0xFF, 0xA9])
        #expect(Hexadecimal.text([0x00, 0xFF, 0xA9]) == "00ffa9")
        #expect(Hexadecimal.bytes("") == [])
    }

    @Test(
        "half a byte and what is no digit are refused",
        arguments: ["0", "000", "0g", "0x00", " 00", "00 ", "+1", "-1", "００", "\u{0}0"])
    func refused(text: String) {
        #expect(Hexadecimal.bytes(text) == nil)
    }
}
