import Foundation
import JSON
import TestSupport
import Testing

@Suite("JSONWriter")
struct JSONWriterTests {
    @Test("members come in the order of the calls, commas where they belong")
    func order() {
        var writer = JSONWriter()
        writer.object {
            $0.key("v")
            $0.integer(1)
            $0.key("empty")
            $0.object { _ in }
            $0.key("beacons")
            $0.array {
                $0.object {
                    $0.key("rssi")
                    $0.integer(Int8(-128))
                }
                $0.array { _ in }
                $0.null()
                $0.bool(true)
                $0.string("[")
                $0.string("x")
            }
            $0.key(text: "a\"b")
            $0.raw(Array("{\"x\":1}".utf8))
            $0.key("n")
            $0.value(.object(["big": .integer(UInt64.max), "list": .array([.bool(false), .null])]))
        }
        #expect(
            writer.text
                == #"{"v":1,"empty":{},"beacons":[{"rssi":-128},[],null,true,"[","x"],"#
                + #""a\"b":{"x":1},"n":{"big":18446744073709551615,"list":[false,null]}}"#)
    }

    @Test("the buffer is used again")
    func reuse() {
        var writer = JSONWriter(reserving: 100)
        writer.string("first")
        writer.reset()
        writer.integer(2)
        writer.newline()
        writer.integer(Int64.min)
        #expect(writer.text == "2\n-9223372036854775808")
    }

    @Test("strings escape what must be, and nothing else")
    func strings() throws {
        let text = "\"\\/\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}\u{7F}é\u{2028}😀"
        var writer = JSONWriter()
        writer.string(text)
        #expect(
            writer.text == #""\"\\/\u0000\u0001\b\t\n\u000b\f\r\u001f"# + "\u{7F}é\u{2028}😀\"")
        #expect(try JSONValue(reading: writer.bytes).text == text)
    }

    @Test(
        "decimals are rounded on the exact value and lose the zeros at their end",
        arguments: [
            (1.9, 1, "1.9"), (-67.0, 1, "-67"), (0.0, 2, "0"), (-0.0, 2, "0"), (-0.04, 1, "0"), (-0.05, 1, "-0.1"),
            (0.15, 1, "0.1"), (0.25, 1, "0.3"), (-0.25, 1, "-0.3"), (1.005, 2, "1"), (1.015, 2, "1.01"),
            (0.045, 2, "0.04"), (99.95, 1, "100"), (0.999, 2, "1"), (0.5, 0, "1"), (1.5, 0, "2"), (2.5, 0, "3"),
            (0.49999999999999994, 0, "0"), (123456789.123456789, 3, "123456789.123"), (0.02, 2, "0.02"),
            (0.000_000_001, 9, "0.000000001"), (1e-300, 9, "0"), (4503599627370495.5, 0, "4503599627370496"),
            (1e300, 1, "1e+300"), (.infinity, 1, "null"), (-.infinity, 1, "null"), (.nan, 1, "null"),
        ])
    func decimals(value: Double, decimals: Int, text: String) {
        var writer = JSONWriter()
        writer.number(value, decimals: decimals)
        #expect(writer.text == text)
    }

    @Test("decimals agree with printf wherever there is no tie")
    func decimalsLikePrintf() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<20000 {
            let value = Double(Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 60)) / 1e7
            for decimals in [0, 1, 2, 3] {
                // An exact tie is a binary fraction; printf takes the even neighbour there.
                let doubled = value * 2 * [1.0, 10, 100, 1000][decimals]
                if doubled == doubled.rounded(), doubled.magnitude < 0x1p53 || doubled == 0 { continue }
                guard value.magnitude < 1e11 else { continue }
                var writer = JSONWriter()
                writer.number(value, decimals: decimals)
                let expected = Double(String(format: "%.\(decimals)f", value))
                #expect(Double(writer.text) == expected, "\(value) with \(decimals) decimals")
            }
        }
    }
}
