import Beacon
import TestSupport
import Testing

@Suite("Frame")
struct FrameTests {
    @Test("every frame is advertised in the bytes of its format")
    func advertised() {
        let adverts = Frame.examples.map { Hexadecimal.text($0.advertisingData()) }
        #expect(
            adverts == [
                // Flags, manufacturer data of Apple: 02 15, UUID, major, minor, power
                "0201061aff4c000215" + "39ed98ff2900441a802f9c398fc199d2" + "0102" + "fffe" + "c5",
                // Flags, manufacturer data: company, BEAC, id, power, reserved
                "0201061bff1801beac" + "39ed98ff2900441a802f9c398fc199d2" + "0001" + "0002" + "c4" + "09",
                "0201061aff4c00beac" + "39ed98ff2900441a802f9c398fc199d2" + "0001" + "0002" + "c4",
                // Flags, service FEAA, its data: kind, power, namespace, instance, reserved
                "0201060303aafe1716aafe" + "00" + "ee" + "00010203040506070809" + "0a0b0c0d0e0f" + "0000",
                // … kind, power, scheme, "example", ".com/", "a", ".org"
                "0201060303aafe1016aafe" + "10" + "f6" + "01" + "6578616d706c65" + "00" + "61" + "08",
                // … kind, version, battery, temperature, adverts, uptime
                "0201060303aafe1116aafe" + "20" + "00" + "0bb8" + "ff80" + "01020304" + "00000005",
                "0201060303aafe1116aafe" + "20" + "00" + "0000" + "8000" + "00000001" + "ffffffff",
                // … kind, version, telemetry, salt, check
                "0201060303aafe1516aafe" + "20" + "01" + "0102030405060708090a0b0c" + "5a17" + "c4ec",
                // … kind, power, identifier
                "0201060303aafe0d16aafe" + "30" + "fc" + "0011223344556677",
            ])
    }

    @Test("what is encoded is decoded to the same, 20,000 frames of any kind and content")
    func encodedAndDecoded() throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<20_000 {
            let frame = try #require(Frame.random(using: &generator))
            let advert = frame.advertisingData()
            let (frames, malformed) = AdvertisingData.decode(advert)
            #expect(frames == [frame])
            #expect(malformed.isEmpty)
            #expect(advert.count <= AdvertisingData.legacyCapacity)
        }
    }

    @Test("the parts of a frame give what the frame gives")
    func parts() {
        for frame in Frame.examples {
            let advert =
                switch frame {
                case .ibeacon(let beacon): beacon.advertisingData()
                case .altbeacon(let beacon): beacon.advertisingData()
                case .eddystoneUID(let beacon): beacon.advertisingData()
                case .eddystoneURL(let beacon): beacon.advertisingData()
                case .eddystoneTLM(let telemetry): telemetry.advertisingData()
                case .eddystoneEncryptedTLM(let telemetry): telemetry.advertisingData()
                case .eddystoneEID(let beacon): beacon.advertisingData()
                }
            #expect(advert == frame.advertisingData())
        }
    }

    @Test("a frame that is tracked has an identity and a power, telemetry and changing identities have none")
    func identities() {
        #expect(
            Frame.examples.map { $0.identity?.format } == [
                .ibeacon, .altbeacon, .altbeacon, .eddystoneUID, .eddystoneURL, nil, nil, nil, nil,
            ])
        #expect(Frame.examples.map(\.power) == [-59, -60, -60, -18, -10, nil, nil, nil, -4])
        #expect(Frame.examples.map(\.powerAtOneMetre) == [-59, -60, -60, -59, -51, nil, nil, nil, -45])
    }

    @Test("every power is kept as it came, and the lowest of Eddystone does not overflow")
    func powers() throws {
        for power in Int8.min ... .max {
            let frame = Frame.eddystoneEID(EddystoneEID(identifier: 1, power: power))
            let decoded = try #require(AdvertisingData.decode(frame.advertisingData()).frames.first)
            #expect(decoded.power == power)
            #expect(decoded.powerAtOneMetre == Int(power) - 41)
        }
    }

    @Test("a power at one metre is plausible from -100 to -20 dBm")
    func plausible() {
        for power in -200...200 { #expect(PowerTrust.isPlausible(power) == (-100 <= power && power <= -20)) }
    }

    @Test("a temperature that is the sign for none is none")
    func noTemperature() {
        let telemetry = EddystoneTLM(battery: 1, temperatureSteps: .min, adverts: 2, uptimeDeciseconds: 3)
        #expect(telemetry.temperature == nil)
        #expect(telemetry == EddystoneTLM(battery: 1, temperatureSteps: nil, adverts: 2, uptimeDeciseconds: 3))
    }

    @Test("frames are built only from parts of the right length")
    func lengths() {
        #expect(EddystoneUID(namespace: [], instance: [], power: 0) == nil)
        #expect(EddystoneEncryptedTLM(ciphertext: Array(1...11), salt: 0, integrityCheck: 0) == nil)
        #expect(EddystoneEncryptedTLM(ciphertext: Array(1...13), salt: 0, integrityCheck: 0) == nil)
    }

    @Test("every frame is printed in the same fields and order, what is missing as null")
    func fields() {
        #expect(
            Frame.examples.map(printed) == [
                "format=ibeacon uuid=39ed98ff-2900-441a-802f-9c398fc199d2 major=258 minor=65534 power=-59",
                "format=altbeacon mfg_id=280 beacon_id=39ed98ff2900441a802f9c398fc199d200010002"
                    + " uuid=39ed98ff-2900-441a-802f-9c398fc199d2 id2=1 id3=2 power=-60 mfg_reserved=9",
                "format=altbeacon mfg_id=76 beacon_id=39ed98ff2900441a802f9c398fc199d200010002"
                    + " uuid=39ed98ff-2900-441a-802f-9c398fc199d2 id2=1 id3=2 power=-60 mfg_reserved=null",
                "format=eddystone-uid power=-18 namespace=00010203040506070809 instance=0a0b0c0d0e0f",
                "format=eddystone-url power=-10 url=https://www.example.com/a.org",
                "format=eddystone-tlm version=0 vbatt_mv=3000 temp_c=-0.5 adv_cnt=16909060 sec_cnt_ds=5",
                "format=eddystone-tlm version=0 vbatt_mv=0 temp_c=null adv_cnt=1 sec_cnt_ds=4294967295",
                "format=eddystone-etlm version=1 etlm=0102030405060708090a0b0c salt=5a17 mic=c4ec",
                "format=eddystone-eid power=-4 eid=0011223344556677",
            ])
    }

    private func printed(_ frame: Frame) -> String {
        frame.fields.map { name, value in
            switch value {
            case .text(let text): "\(name)=\(text)"
            case .integer(let number): "\(name)=\(number)"
            case .decimal(let number): "\(name)=\(number)"
            case .null: "\(name)=null"
            }
        }
        .joined(separator: " ")
    }
}
