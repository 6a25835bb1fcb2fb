import Agent
import Beacon
import System
import Testing

@testable import beacond

@Suite("beacond advertise's command line")
struct AdvertiseLineTests {
    private func advertising(_ arguments: String...) throws -> RadioTuning.Advertising {
        try AdvertiseCommand.advertising(try CommandLineOptions(arguments, options: AdvertiseCommand.options))
    }

    private func complaint(_ arguments: String...) -> String {
        do {
            _ = try AdvertiseCommand.advertising(
                try CommandLineOptions(arguments, options: AdvertiseCommand.options))
            return "none"
        } catch {
            return (error as? LineMisuse)?.sentence ?? "\(error)"
        }
    }

    private func frames(_ arguments: String...) throws -> [String] {
        let line = try CommandLineOptions(arguments, options: AdvertiseCommand.options)
        return AdvertisingData.decode(try AdvertiseCommand.advertising(line).data).frames
            .compactMap { $0.identity?.description }
    }

    @Test("every format is taken, by its name or by its ids") func formats() throws {
        let uuid = Shelf.uuid
        #expect(try frames("--uuid", uuid, "--major", "5", "--minor", "6") == ["ibeacon \(uuid) 5 6"])
        #expect(try frames("--uuid", uuid, "--format", "altbeacon") == ["altbeacon \(uuid) 0 0"])
        #expect(
            try frames("--namespace", "00112233445566778899", "--instance", "000000000001")
                == ["eddystone-uid 00112233445566778899 000000000001"])
        #expect(try frames("--url", "https://example.com/") == ["eddystone-url https://example.com/"])
    }

    @Test("power, interval and address are what they are asked to be") func details() throws {
        let plain = try advertising("--uuid", Shelf.uuid)
        #expect(plain.interval == .milliseconds(100) && plain.randomAddress && plain.txPower == nil)
        let own = try advertising(
            "--uuid", Shelf.uuid, "--measured-power", "-65", "--interval", "1s", "--tx-power", "-12", "--address",
            "public")
        #expect(own.data.last == UInt8(bitPattern: -65) && own.powerByte == nil)
        #expect(own.interval == .seconds(1) && !own.randomAddress && own.txPower == -12)
    }

    @Test("what makes no sense is said in the command line's words") func misuse() {
        let uuid = Shelf.uuid
        #expect(complaint() == "--uuid is missing, which a beacon of format ibeacon has")
        #expect(complaint("--major", "1") == "--uuid is missing, which a beacon of format ibeacon has")
        #expect(
            complaint("--namespace", "00112233445566778899")
                == "--instance is missing, which a beacon of format eddystone-uid has")
        #expect(
            complaint("--uuid", uuid, "--url", "https://a.com/")
                == "--uuid and --url are of two formats, of which a beacon has one")
        #expect(
            complaint("--uuid", uuid, "--format", "eddystone-url")
                == "a beacon of format eddystone-url has no --uuid")
        #expect(complaint("--uuid", "1") == "--uuid is 32 hexadecimal digits, not '1'")
        #expect(complaint("--uuid", uuid, "--minor", "70000") == "--minor is 0…65535, not '70000'")
        #expect(complaint("--uuid", uuid, "--interval", "5ms") == "--interval: 5ms is outside 20ms…10.24s")
        #expect(
            complaint("--uuid", uuid, "--interval", "100")
                == "--interval: '100' has no unit; write 10s, 500ms or 5m")
        #expect(complaint("--uuid", uuid, "--tx-power", "99") == "--tx-power: 99 is outside -127…20 dBm")
        #expect(complaint("--uuid", uuid, "--measured-power", "0") == "--measured-power: 0 is outside -100…-20 dBm")
        #expect(
            complaint("--uuid", uuid, "--measured-power", "loud").hasPrefix(
                "--measured-power: expected a whole number"))
        #expect(complaint("--uuid", uuid, "--address", "mine").hasPrefix("--address: expected random or public"))
        #expect(complaint("--url", "https://a.com/\u{1B}[2J").hasPrefix("--url: "))
        #expect(!complaint("--url", "https://a.com/\u{1B}[2J").contains("\u{1B}"))
    }
}
