import Beacon
import Testing

@testable import Agent

@Suite("Tuning of the radio")
struct RadioTuningTests {
    private func tuning(_ advertise: String, radio: String = "adapter: hci0") throws -> RadioTuning {
        try Configuration.read(
            text: Array("site: a\nnode: b\nradio: {\(radio)}\nadvertise: {enabled: true, \(advertise)}\n".utf8)
        ).tuning
    }

    private static let formats: [(String, BeaconFormat)] = [
        ("uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, major: 1, minor: 65535", .ibeacon),
        ("format: altbeacon, uuid: 39ed98ff-2900-441a-802f-9c398fc199d2, minor: 3", .altbeacon),
        ("format: eddystone-uid, namespace: edd1ebeac04e5defa017, instance: 0bdb87539b67", .eddystoneUID),
        ("format: eddystone-url, url: 'https://www.example.com/a'", .eddystoneURL),
    ]

    @Test("what is sent of each format reads back as it was configured", arguments: formats)
    func data(advertise: String, format: BeaconFormat) throws {
        for power in [-100, -59, -20] {
            let advertising = try #require(try tuning("\(advertise), measured_power: \(power)").advertising)
            let (frames, malformed) = AdvertisingData.decode(advertising.data)
            #expect(frames.count == 1 && malformed.isEmpty && advertising.data.count <= 31)
            #expect(frames.first?.identity?.format == format)
            #expect(frames.first?.powerAtOneMetre == power)
            #expect(advertising.powerByte == nil)
        }
    }

    @Test("without a measured power the place for the adapter's own is told", arguments: formats)
    func powerByte(advertise: String, format: BeaconFormat) throws {
        var advertising = try #require(try tuning(advertise).advertising)
        #expect(AdvertisingData.decode(advertising.data).frames.first?.powerAtOneMetre == -59)
        let place = try #require(advertising.powerByte)
        #expect(place.fallback == -59)
        #expect(place.atZeroMetres == (format == .eddystoneUID || format == .eddystoneURL))
        advertising.data[place.offset] = UInt8(bitPattern: -77)
        #expect(AdvertisingData.decode(advertising.data).frames.first?.power == -77)
    }

    @Test("each identity is sent in the bytes of its format") func identities() throws {
        let identities = try Self.formats.map { advertise, _ in
            AdvertisingData.decode(try tuning(advertise).advertising?.data ?? []).frames.first?.identity?
                .description
        }
        #expect(
            identities == [
                "ibeacon 39ed98ff-2900-441a-802f-9c398fc199d2 1 65535",
                "altbeacon 39ed98ff-2900-441a-802f-9c398fc199d2 0 3",
                "eddystone-uid edd1ebeac04e5defa017 0bdb87539b67", "eddystone-url https://www.example.com/a",
            ])
    }

    @Test("what else is configured comes along, and an adapter that is named twice is one") func whole() throws {
        let tuning = try tuning(
            "\(Self.formats[0].0), adapter: 'DC:A6:32:01:02:03', tx_power: -8, interval: 20ms, rotate: 15m",
            radio: "adapter: auto, access: exclusive, phys: [coded, 1m], active: true")
        #expect(tuning.adapter == "auto" && tuning.access == .exclusive && tuning.coded && tuning.activeScan)
        let advertising = try #require(tuning.advertising)
        #expect(advertising.adapter == "DC:A6:32:01:02:03" && advertising.txPower == -8)
        #expect(advertising.interval == .milliseconds(20) && advertising.rotation == .seconds(900))
        #expect(advertising.randomAddress)
        let one = try self.tuning(
            "\(Self.formats[0].0), adapter: 'DC:A6:32:01:02:03', address: public",
            radio: "adapter: 'dc:a6:32:01:02:03'")
        #expect(one.advertising?.adapter == nil && one.advertising?.randomAddress == false)
    }
}
