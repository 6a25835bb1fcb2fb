import Beacon
import Testing

@Suite("EddystoneURL")
struct EddystoneURLTests {
    @Test(
        "a URL is abbreviated as far as it can be",
        arguments: [
            ("http://www.a", "0061"), ("https://www.a", "0161"), ("http://a", "0261"), ("https://a", "0361"),
            ("https://www.example.com", "016578616d706c6507"),
            ("https://www.example.com/", "016578616d706c6500"),
            ("http://a.org/b.info/c.biz", "0261016204630c"),
            ("http://a.edu.gov.net/", "0261090d03"),
            ("http://a.comb", "02610762"),
            ("http://a.c", "02612e63"),
            ("http://wwww.a", "02777777772e61"),
            ("http://www.~!", "007e21"),
        ])
    func abbreviated(url: String, encoded: String) throws {
        let beacon = try EddystoneURL(url, power: -10)
        #expect(Hexadecimal.text(beacon.encoded) == encoded)
        #expect(beacon.url == url)
        #expect(beacon.identity?.url == url)
        #expect(beacon.power == -10)
    }

    @Test("every code is expanded")
    func expanded() throws {
        let codes = try #require(EddystoneURL(encoded: [3] + Array(0...13), power: 0))
        #expect(
            codes.url
                == "https://.com/.org/.edu/.net/.info/.biz/.gov/.com.org.edu.net.info.biz.gov")
        #expect(try EddystoneURL(codes.url, power: 0) == codes)
    }

    @Test(
        "a URL that cannot be sent says why",
        arguments: [
            ("", EddystoneURLError.unknownScheme, "the URL must begin with http:// or https:// in lower case"),
            ("ftp://a", .unknownScheme, "the URL must begin with http:// or https:// in lower case"),
            ("HTTP://a", .unknownScheme, "the URL must begin with http:// or https:// in lower case"),
            ("http:/", .unknownScheme, "the URL must begin with http:// or https:// in lower case"),
            ("http://", .empty, "the URL has nothing behind its scheme"),
            ("https://www.", .empty, "the URL has nothing behind its scheme"),
            ("http://a b", .unencodable(" "), "the URL has the character U+0020, which must be percent-encoded"),
            (
                "http://a\u{1B}", .unencodable("\u{1B}"),
                "the URL has the character U+001B, which must be percent-encoded"
            ),
            (
                "http://\u{308}", .unencodable("\u{308}"),
                "the URL has the character U+0308, which must be percent-encoded"
            ),
            ("http://😀", .unencodable("😀"), "the URL has the character U+1F600, which must be percent-encoded"),
            (
                "http://eighteen-letters-x", .tooLong(bytes: 18),
                "the URL needs 18 bytes, an Eddystone beacon has 17; use a shorter one"
            ),
        ])
    func refused(url: String, error: EddystoneURLError, sentence: String) {
        #expect(throws: error) { try EddystoneURL(url, power: 0) }
        #expect(error.description == sentence)
    }

    @Test("the longest URL makes a full legacy advert")
    func longest() throws {
        let beacon = try EddystoneURL("http://seventeen-letters", power: -10)
        #expect(beacon.encoded.count == 18)
        #expect(beacon.advertisingData().count == AdvertisingData.legacyCapacity)
    }

    @Test("a longer URL than the format allows is read whole and has no identity")
    func tooLong() throws {
        for count in [17, 18, 23, 24, 25, 247] {
            let letters = (0..<count).map { UInt8(ascii: "a") + UInt8($0 % 26) }
            let advert = [UInt8(letters.count + 6), 0x16, 0xAA, 0xFE, 0x10, 0xF6, 0x02] + letters
            let (frames, malformed) = AdvertisingData.decode(advert)
            #expect(malformed.isEmpty)
            guard case .eddystoneURL(let beacon) = try #require(frames.first) else {
                Issue.record("\(frames)")
                continue
            }
            #expect(beacon.url == "http://" + String(decoding: letters, as: UTF8.self))
            #expect((beacon.identity == nil) == (count > 17))
            #expect(beacon.structure == advert)
        }
    }

    @Test("a reserved scheme or character makes the frame malformed and no other one")
    func reserved() {
        let neighbour = Frame.examples[0]
        for scheme in UInt8.min ... .max {
            let advert = [0x07, 0x16, 0xAA, 0xFE, 0x10, 0x00, scheme, 0x61] + neighbour.structure
            let (frames, malformed) = AdvertisingData.decode(advert)
            #expect(malformed == (scheme <= 3 ? [] : .reservedURLCode))
            #expect(frames.count == (scheme <= 3 ? 2 : 1))
            #expect(frames.last == neighbour)
        }
        for code in UInt8.min ... .max {
            let isReserved = (0x0E...0x20).contains(code) || code >= 0x7F
            let advert = [0x08, 0x16, 0xAA, 0xFE, 0x10, 0x00, 0x02, 0x61, code] + neighbour.structure
            let (frames, malformed) = AdvertisingData.decode(advert)
            #expect(malformed == (isReserved ? .reservedURLCode : []))
            #expect(frames.count == (isReserved ? 1 : 2))
        }
    }
}
