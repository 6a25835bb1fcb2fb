import Agent
import Testing

@Suite("Text from outside")
struct QuotedTests {
    @Test(
        "what a terminal would act on is written as a code",
        arguments: [
            ("plain ä 😀", "plain ä 😀"), ("\u{1B}[31m", "\\u{1B}[31m"), ("a\nb\tc\u{0}", "a\\u{A}b\\u{9}c\\u{0}"),
            ("\u{7F}\u{9B}31m", "\\u{7F}\\u{9B}31m"), ("\u{202E}abc\u{2066}", "\\u{202E}abc\\u{2066}"),
            ("\u{2028}\u{FEFF}\u{E000}", "\\u{2028}\\u{FEFF}\\u{E000}"),
        ])
    func codes(text: String, expected: String) {
        #expect(escaped(text) == expected)
        #expect(quoted(text) == "'\(expected)'")
    }

    @Test("it is cut at 80 scalars, or as asked")
    func cut() {
        let text = String(repeating: "x", count: 81)
        #expect(escaped(text) == String(repeating: "x", count: 80) + "…")
        #expect(escaped(String(text.dropLast())) == String(repeating: "x", count: 80))
        #expect(quoted("abc", limit: 2) == "'ab…'")
        #expect(escaped("") == "")
    }
}
