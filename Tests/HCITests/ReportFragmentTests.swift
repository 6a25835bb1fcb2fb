import HCI
import Testing

@Suite("Fragments of extended reports")
struct ReportFragmentTests {
    let long = (0..<600).map { UInt8(truncatingIfNeeded: $0) }

    func report(_ address: UInt64, sid: UInt8? = 1) -> AdvertisingReport {
        AdvertisingReport(
            address: DeviceAddress(address, .random), eventType: [], secondaryPHY: .le1M, sid: sid, rssi: -70)
    }

    func pieces(_ report: AdvertisingReport, _ data: [UInt8], _ fragment: Int = 229) -> [[UInt8]] {
        AdvertisingReportWriter.extendedEvents(report: report, data: data, fragment: fragment)
    }

    @Test("pieces in order become one advert, with what the last piece says")
    func inOrder() {
        var reader = AdvertisingReportReader()
        for fragment in [1, 7, 100, 229] {
            let events = pieces(report(1), long, fragment)
            for event in events.dropLast() { #expect(reader.adverts(event).adverts.isEmpty) }
            let (adverts, faults) = reader.adverts(events.last ?? [])
            #expect(adverts == [ReadAdvert(report: report(1), data: long)])
            #expect(faults == AdvertisingReportFaults())
        }
    }

    @Test("several senders' pieces may be mixed, also those of two sets of one sender")
    func interleaved() {
        var reader = AdvertisingReportReader()
        let senders = [report(1), report(2), report(1, sid: 2), report(1, sid: nil)]
        let chains = senders.enumerated().map { pieces($1, [UInt8](repeating: UInt8($0), count: 500)) }
        var adverts: [ReadAdvert] = []
        for turn in 0..<3 {
            for chain in chains { adverts += reader.adverts(chain[turn]).adverts }
            // One that is whole in between is not held up.
            #expect(reader.adverts(pieces(report(9), [1])[0]).adverts.count == 1)
        }
        #expect(
            adverts
                == senders.enumerated().map {
                    ReadAdvert(report: $1, data: [UInt8](repeating: UInt8($0), count: 500))
                })
    }

    @Test("an advert and its scan response are put together apart from each other")
    func scanResponse() {
        var reader = AdvertisingReportReader()
        var response = report(1)
        response.eventType = [.scanResponse, .scannable]
        let first = pieces(report(1), long)
        let second = pieces(response, long.reversed())
        var adverts: [ReadAdvert] = []
        for (one, other) in zip(first, second) {
            adverts += reader.adverts(one).adverts + reader.adverts(other).adverts
        }
        #expect(adverts.map(\.data) == [long, long.reversed()])
        #expect(adverts.map(\.report.isScanResponse) == [false, true])
    }

    @Test("what a controller gave up is passed on as far as it came")
    func truncated() {
        var reader = AdvertisingReportReader()
        var last = report(1)
        last.eventType = last.eventType.with(.truncated)
        _ = reader.adverts(pieces(report(1), long)[0])
        let (adverts, _) = reader.adverts(AdvertisingReportWriter.extendedEvent(reports: [(last, [7])]))
        #expect(adverts == [ReadAdvert(report: last, data: long.prefix(229) + [7])])
    }

    @Test("a chain whose end never comes is given up and counted, and holds nobody up")
    func lostTail() {
        var reader = AdvertisingReportReader()
        var faults = AdvertisingReportFaults()
        _ = reader.adverts(pieces(report(1), long)[0])
        for _ in 0..<300 {
            let (adverts, more) = reader.adverts(pieces(report(2), [1, 2])[0])
            #expect(adverts.count == 1)
            faults += more
        }
        #expect(faults == AdvertisingReportFaults(abandoned: 1))
        let events = pieces(report(1), long)
        #expect(events.flatMap { reader.adverts($0).adverts } == [ReadAdvert(report: report(1), data: long)])
    }

    @Test("a ninth chain takes the place of the one that waited longest")
    func overflow() {
        var reader = AdvertisingReportReader()
        var faults = AdvertisingReportFaults()
        for sender in 1...9 { faults += reader.adverts(pieces(report(UInt64(sender)), long)[0]).faults }
        #expect(faults == AdvertisingReportFaults(abandoned: 1))
        for sender in 2...9 {
            let rest = pieces(report(UInt64(sender)), long).dropFirst()
            #expect(rest.flatMap { reader.adverts($0).adverts }.map(\.data) == [long], "\(sender)")
        }
    }

    @Test("data longer than an advert can have is dropped to its end and counted once")
    func tooLong() {
        var reader = AdvertisingReportReader()
        var faults = AdvertisingReportFaults()
        for event in pieces(report(1), [UInt8](repeating: 1, count: 4_000)) {
            let (adverts, more) = reader.adverts(event)
            #expect(adverts.isEmpty)
            faults += more
        }
        #expect(faults == AdvertisingReportFaults(tooLong: 1))
        let longest = [UInt8](repeating: 1, count: 1_650)
        let (event, data) = (pieces(report(1), longest), longest)
        #expect(event.flatMap { reader.adverts($0).adverts }.map(\.data) == [data])
    }

    @Test("a reset controller's pieces are forgotten")
    func forgotten() {
        var reader = AdvertisingReportReader()
        _ = reader.adverts(pieces(report(1), long)[0])
        reader.forgetFragments()
        #expect(reader.adverts(pieces(report(1), [1])[0]).adverts.map(\.data) == [[1]])
    }

    @Test("a reader that does not join gives the pieces as they are")
    func pieces() {
        var reader = AdvertisingReportReader(joiningFragments: false)
        let adverts = pieces(report(1), long).flatMap { reader.adverts($0).adverts }
        #expect(adverts.map(\.data.count) == [229, 229, 142])
        #expect(adverts.map(\.report.eventType.dataStatus) == [.moreToCome, .moreToCome, .complete])
    }
}
