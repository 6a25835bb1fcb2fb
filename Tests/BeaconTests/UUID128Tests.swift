import Beacon
import Testing

@Suite("UUID128")
struct UUID128Tests {
    @Test("a UUID is read with hyphens or without, in any case, and printed one way")
    func readAndPrinted() {
        for text in [
            "39ed98ff-2900-441a-802f-9c398fc199d2", "39ED98FF-2900-441A-802F-9C398FC199D2",
            "39ed98ff2900441a802f9c398fc199d2", "39ED98ff2900441a802f9c398fc199D2",
        ] {
            #expect(UUID128(text) == .example)
        }
        #expect(UUID128.example.description == "39ed98ff-2900-441a-802f-9c398fc199d2")
        #expect(UUID128(high: 0, low: 1).description == "00000000-0000-0000-0000-000000000001")
        #expect(UUID128(high: .max, low: .max).description == "ffffffff-ffff-ffff-ffff-ffffffffffff")
        #expect(UUID128.example.withText { String(decoding: $0, as: UTF8.self) } == UUID128.example.description)
    }

    @Test(
        "anything else is no UUID",
        arguments: [
            "", "39ed98ff", "39ed98ff2900441a802f9c398fc199d", "39ed98ff2900441a802f9c398fc199d20",
            "39ed98ff-2900-441a-802f9c398fc199d2", "39ed98ff2-900-441a-802f-9c398fc199d2",
            "39ed98ff-2900-441a-802f-9c398fc199dg", "{39ed98ff-2900-441a-802f-9c398fc199d2}",
            " 39ed98ff-2900-441a-802f-9c398fc199d2", "39ed98ff_2900_441a_802f_9c398fc199d2",
            "39ed98ff-2900-441a-802f-9c398fc199d２", "------------------------------------",
            "0x39ed98ff2900441a802f9c398fc199", "39ed98ff+2900+441a+802f+9c398fc199d2",
        ])
    func refused(text: String) {
        #expect(UUID128(text) == nil)
    }

    @Test("the bytes are in the order of the text, and so is the order of two UUIDs")
    func bytes() {
        #expect(Hexadecimal.text(UUID128.example.bytes) == "39ed98ff2900441a802f9c398fc199d2")
        #expect(UUID128(high: 1, low: .max) < UUID128(high: 2, low: 0))
        #expect(UUID128(high: 1, low: 0) < UUID128(high: 1, low: 1))
    }
}
