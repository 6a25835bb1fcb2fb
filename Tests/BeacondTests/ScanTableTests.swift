import Beacon
import Presence
import System
import Testing

@testable import beacond

@Suite("ScanTable")
struct ScanTableTests {
    private let rows = [
        Air.row(Shelf.ibeacon(1), 1, rssi: -58.2, metres: 1.34),
        Air.row(Shelf.ibeacon(12), 2, rssi: -83.6, metres: 12.4, rate: 0.04, interval: 1020, silence: 12),
    ]

    private func text(_ table: ScanTable, _ rows: [ScanRow]) -> String {
        table.lines(rows).joined(separator: "\n")
    }

    @Test("all columns stand beside each other where there is room") func wide() {
        #expect(
            text(ScanTable(), rows) == """
                FORMAT   BEACON                                       ADDRESS            DBM              METRES  RANGE    PER S   EVERY  LAST
                ibeacon  39ed98ff-2900-441a-802f-9c398fc199d2 100 1   c0:00:00:00:00:01  -58  ███████░░░     1.3  0.7–2.7    9.8  100 ms   now
                ibeacon  39ed98ff-2900-441a-802f-9c398fc199d2 100 12  c0:00:00:00:00:02  -84  ███░░░░░░░      12  6.2–25       -     1 s  12 s
                """)
    }

    @Test("battery and temperature are shown where a beacon tells them, an unknown strength as a hyphen")
    func telemetry() throws {
        let uid = try #require(Shelf.uid())
        let rows = [Air.row(uid, rssi: nil, rate: 1, interval: nil, telemetry: Air.telemetry)]
        #expect(
            text(ScanTable(), rows) == """
                FORMAT         BEACON                             ADDRESS            DBM    METRES  RANGE  PER S  EVERY  LAST  BATTERY     TEMP
                eddystone-uid  00112233445566778899 0a0b0c0d0e0f  c0:00:00:00:00:01    -         -           1.0      -   now   3.02 V  21.5 °C
                """)
    }

    @Test("a narrow table leaves out what is missed least, and shortens ids") func narrow() {
        #expect(
            text(ScanTable(width: 80), rows) == """
                FORMAT   BEACON            DBM              METRES  RANGE    PER S  LAST
                ibeacon  39ed98ff… 100 1   -58  ███████░░░     1.3  0.7–2.7    9.8   now
                ibeacon  39ed98ff… 100 12  -84  ███░░░░░░░      12  6.2–25       -  12 s
                """)
        #expect(
            text(ScanTable(width: 30), rows) == """
                BEACON            DBM  METRES
                39ed98ff… 100 1   -58     1.3
                39ed98ff… 100 12  -84      12
                """)
    }

    @Test("no width is exceeded, whatever there is", arguments: 0...130) func bounds(width: Int) {
        #expect(ScanTable(width: width).lines(rows).allSatisfy { $0.unicodeScalars.count <= width })
    }

    @Test("without Unicode it is drawn in ASCII") func plain() {
        #expect(
            text(ScanTable(width: 80, hasUnicode: false), rows) == """
                FORMAT   BEACON            DBM              METRES  RANGE    PER S  LAST
                ibeacon  39ed98ff~ 100 1   -58  #######...     1.3  0.7-2.7    9.8   now
                ibeacon  39ed98ff~ 100 12  -84  ###.......      12  6.2-25       -  12 s
                """)
    }

    @Test("colours change no character: bold titles, a bar by strength, faint where a beacon is gone")
    func colours() {
        let lines = ScanTable(width: 80, hasColours: true).lines(rows)
        #expect(
            lines[0] == "\u{1B}[1mFORMAT   BEACON            DBM              METRES  RANGE    PER S  LAST\u{1B}[0m"
        )
        #expect(
            lines[1]
                == "ibeacon  39ed98ff… 100 1   -58  \u{1B}[32m███████░░░\u{1B}[0m     1.3  0.7–2.7    9.8   now")
        #expect(
            lines[2] == "\u{1B}[2mibeacon  39ed98ff… 100 12  -84  ███░░░░░░░      12  6.2–25       -  12 s\u{1B}[0m"
        )
    }

    @Test("a URL is shown whole, for there is nothing to shorten it by") func url() throws {
        let url = try #require(try Shelf.url("https://a.com/'#%"))
        #expect(Air.row(url, rssi: -60).name == "https://a.com/'#%")
        #expect(Air.row(url, rssi: -60).shortName == "https://a.com/'#%")
    }

    @Test("a strength outside the bar's ends is a full or an empty one") func ends() {
        #expect(SignalBar.text(-127) == "░░░░░░░░░░" && SignalBar.text(20) == "██████████")
    }
}

@Suite("ScanOrder")
struct ScanOrderTests {
    private func minors(_ key: ScanOrder.Key, isReversed: Bool = false, _ rows: [ScanRow]) -> [UInt16] {
        ScanOrder(key: key, isReversed: isReversed).sorted(rows).compactMap(\.identity.minor)
    }

    private let rows = [
        Air.row(Shelf.ibeacon(1), rssi: -80, metres: 9, rate: 5, silence: 3),
        Air.row(Shelf.ibeacon(2), rssi: nil, rate: 10, silence: 0),
        Air.row(Shelf.ibeacon(3), rssi: -50, metres: 1, rate: 1, silence: 9),
    ]

    @Test("each key sorts its way, and the other way round when reversed")
    func keys() {
        #expect(minors(.rssi, rows) == [3, 1, 2] && minors(.rssi, isReversed: true, rows) == [2, 1, 3])
        #expect(minors(.distance, rows) == [3, 1, 2])
        #expect(minors(.rate, rows) == [2, 1, 3])
        #expect(minors(.last, rows) == [2, 1, 3])
        #expect(minors(.format, rows) == [1, 2, 3])
        #expect(minors(.name, rows) == [1, 2, 3] && minors(.name, isReversed: true, rows) == [3, 2, 1])
    }

    @Test("equals keep their order, so that lines do not jump") func equals() {
        let same = [Shelf.ibeacon(2), Shelf.ibeacon(1)].map { Air.row($0, rssi: -60.2) }
        #expect(minors(.rssi, same) == [1, 2])
    }
}

@Suite("ScanScreen")
struct ScanScreenTests {
    private func scene(_ rows: [ScanRow], trouble: String? = nil) -> ScanScreen.Scene {
        ScanScreen.Scene(
            adapter: "hci0", seconds: 72, beacons: rows.count, rate: 19.6, forgotten: 0, trouble: trouble,
            rows: rows)
    }

    private let rows = (1...5).map { Air.row(Shelf.ibeacon($0), rssi: -50 - Double($0), metres: 1) }

    @Test("it fills the screen: the radio, the table, the keys") func whole() {
        var view = ScanView()
        let screen = ScanScreen(size: .init(rows: 7, columns: 80), hasColours: false, hasUnicode: true)
        #expect(
            screen.lines(scene(Array(rows.prefix(2))), &view) == [
                "beacond scan  hci0  1:12  2 beacons  20 adverts/s", "",
                "FORMAT   BEACON           DBM              METRES  RANGE    PER S  LAST",
                "ibeacon  39ed98ff… 100 1  -51  ████████░░     1.0  0.5–2.0    9.8   now",
                "ibeacon  39ed98ff… 100 2  -52  ████████░░     1.0  0.5–2.0    9.8   now", "",
                "q quit  / filter  r rssi↓  d distance  a rate  l last  f format  n name",
            ])
    }

    @Test("more than fit are scrolled, and not past the end") func scrolls() {
        var view = ScanView()
        let screen = ScanScreen(size: .init(rows: 6, columns: 100), hasColours: false, hasUnicode: true)
        #expect(screen.lines(scene(rows), &view).last?.hasPrefix("q quit  / filter  1–2 of 5: j k  ") == true)
        view.offset = 99
        let lines = screen.lines(scene(rows), &view)
        #expect(view.offset == 3 && lines.last?.contains("4–5 of 5: j k") == true && lines.count == 6)
    }

    @Test("a filter is seen while it is typed, and takes away what does not match") func filter() {
        var view = ScanView()
        view.type(Array("/100 2".utf8))
        let screen = ScanScreen(size: .init(rows: 8, columns: 80), hasColours: false, hasUnicode: true)
        let lines = screen.lines(scene(rows), &view)
        #expect(lines.filter { $0.hasPrefix("ibeacon") }.count == 1)
        #expect(lines.last == "/100 2_   Enter keeps the filter, Escape drops it")
    }

    @Test("what is wrong with the radio stands above the table") func trouble() {
        var view = ScanView()
        let screen = ScanScreen(size: .init(rows: 8, columns: 80), hasColours: false, hasUnicode: true)
        #expect(
            screen.lines(scene(rows, trouble: "it was unplugged; trying again"), &view)[1]
                == "it was unplugged; trying again")
    }

    @Test("any size of a terminal is kept to", arguments: [(1, 1), (2, 10), (4, 200), (5, 3)])
    func sizes(rows count: Int, columns: Int) {
        var view = ScanView()
        let screen = ScanScreen(size: .init(rows: count, columns: columns), hasColours: false, hasUnicode: true)
        let lines = screen.lines(scene(rows), &view)
        #expect(lines.count <= count && lines.allSatisfy { $0.unicodeScalars.count <= columns })
    }
}
