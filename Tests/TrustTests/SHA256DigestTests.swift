import Testing
import Trust

@Suite("SHA256Digest")
struct SHA256DigestTests {
    // FIPS 180-4 examples (NIST, public domain).
    @Test(
        "the digests are those of the standard's examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func examples(text: String, digest: String) {
        #expect(SHA256Digest(of: Array(text.utf8)).hexadecimal == digest)
    }

    @Test("messages carry the digest with its name")
    func description() {
        #expect(SHA256Digest(of: []).description.hasPrefix("sha256:e3b0c442"))
        #expect(SHA256Digest(of: []).bytes.count == 32)
    }
}
