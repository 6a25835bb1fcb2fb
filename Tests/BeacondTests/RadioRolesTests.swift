import Agent
import HCI
import Testing

@testable import beacond

@Suite("Roles")
struct RadioRolesTests {
    /// What the configuration takes for an adapter, and what it refuses; the last bytes and numbers of each bound.
    static let adapters = [
        "auto", "hci0", "hci65535", "hci65536", "hci00", "hci+1", "hci", "HCI0", "dc:a6:32:01:02:03",
        "DC:A6:32:01:02:03", "dc:a6:32:01:02", "dc:a6:32:01:02:0g", "unix:/run/x", "unix:@x", "unix:",
        "unix:/" + String(repeating: "a", count: 106), "unix:/" + String(repeating: "a", count: 107),
        "tcp:127.0.0.1:1", "tcp:localhost:65535", "tcp:127.0.0.1:0", "tcp:127.0.0.1:+80", "tcp:127.0.0.1:65536",
        "tcp:host:80", "tcp:1.2.3:80", "tcp:127.0.0.1:", "serial:/dev/ttyUSB0", "serial:/dev/ttyUSB0:9600",
        "serial:/dev/ttyUSB0:12000000", "serial:/dev/ttyUSB0:9599", "serial:/dev/ttyUSB0:12000001",
        "serial:/dev/ttyUSB0:99999999999999999999", "serial:/dev/ttyUSB0:",
        "serial:/dev/serial/by-path/usb-0:1.1:1.0", "serial:/" + String(repeating: "a", count: 4094),
        "serial:/" + String(repeating: "a", count: 4095), "serial:", "usb0",
    ]

    @Test("what the configuration takes for an adapter can be read as one, and what it refuses cannot be reached")
    func agreement() {
        var taken = 0
        for text in Self.adapters {
            let file = "site: s\nnode: n\nradio: {adapter: \"\(text)\"}\n"
            let tuning = try? Configuration.read(text: Array(file.utf8)).tuning
            #expect((tuning != nil) == (AdapterChoice(text) != nil), "\(text)")
            guard let tuning else { continue }
            taken += 1
            #expect(Roles(tuning).scanner.setting.choice == AdapterChoice(text))
        }
        #expect(taken == 15)
    }

    @Test("each of two adapters leaves the other one alone where any would do") func avoiding() {
        let advertising = RadioTuning.Advertising(adapter: "hci1", data: [2, 1, 6], interval: .seconds(1))
        let roles = Roles(
            RadioTuning(
                adapter: "auto", scanInterval: .milliseconds(100), scanWindow: .milliseconds(90),
                advertising: advertising))
        #expect(roles.scanner.setting == LinkSetting(.any, avoids: .number(1)))
        #expect(roles.scanner.plan.advertise == nil)
        #expect(roles.sender?.setting == LinkSetting(.number(1), avoids: .any))
        #expect(roles.sender?.plan.scan == nil)
        #expect(roles.sender?.plan.advertise != nil)
    }
}
