import TestSupport
import Testing

@testable import beacond

@Suite("ScanView")
struct ScanViewTests {
    private func view(_ typed: String...) -> ScanView {
        var view = ScanView()
        for text in typed { view.type(Array(text.utf8)) }
        return view
    }

    @Test("a letter sorts, and once more the other way round") func sorting() {
        #expect(view("d").order == ScanOrder(key: .distance))
        #expect(view("d", "d").order == ScanOrder(key: .distance, isReversed: true))
        #expect(view("ddd").order == ScanOrder(key: .distance))
        #expect(view("dr").order == ScanOrder(key: .rssi))
    }

    @Test("every key of the order has a letter of its own, and none is another key's") func letters() {
        let letters = ScanOrder.Key.allCases.map(\.letter) + ["q", "/", "j", "k"]
        #expect(Set(letters).count == letters.count)
    }

    @Test("while a filter is typed letters are letters, Enter keeps it and Escape drops it") func filter() {
        #expect(view("/qd").filter == "qd" && !view("/qd").isOver && view("/qd").isTyping)
        #expect(view("/ab\u{7F}c\r").filter == "ac" && !view("/ab\r").isTyping)
        #expect(view("/ab", "\u{1B}").filter == "" && !view("/ab", "\u{1B}").isTyping)
        #expect(view("/ab\u{15}c").filter == "c")
    }

    @Test("a filter has an end, and holds nothing that a terminal would act on") func bounds() {
        #expect(view("/" + String(repeating: "x", count: 500)).filter.count == ScanView.longestFilter)
        #expect(view("/a\u{7}ä\tb").filter == "ab")
    }

    @Test("arrows, page keys and j and k scroll, and never above the first") func scrolling() {
        #expect(view("jj").offset == 2 && view("jjk").offset == 1 && view("k").offset == 0)
        #expect(view("\u{1B}[B").offset == 1 && view("\u{1B}OB").offset == 1 && view("\u{1B}[6~").offset == 10)
        #expect(view("jjj", "\u{1B}[H").offset == 0)
    }

    @Test("an arrow does not end a filter") func arrowWhileTyping() {
        #expect(view("/ab", "\u{1B}[A", "c").filter == "abc")
    }

    @Test("q ends it") func quit() { #expect(view("q").isOver && !view("x").isOver) }

    @Test("any bytes may be typed") func noise() {
        var random = SeededGenerator(seed: 7)
        var view = ScanView()
        for _ in 0..<2000 {
            view.type((0..<Int.random(in: 0...9, using: &random)).map { _ in .random(in: 0...255, using: &random) })
            #expect(view.offset >= 0 && view.filter.utf8.count <= ScanView.longestFilter)
        }
    }
}
