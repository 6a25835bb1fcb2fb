// One libFuzzer target for every parser of what comes from outside. FUZZ_PARSER says which; Tests/fuzz.sh runs them all.
import Agent
import Beacon
import Glibc
import HCI
import JSON
import YAML

/// The parsers, by the names that Tests/fuzz.sh gives.
private enum Parser: String {
    case advert, event, stream, session, capture, json, yaml, control

    /// Gives the bytes to the parser. Whatever they are, it returns.
    func parse(_ bytes: UnsafeRawBufferPointer) {
        switch self {
        case .advert: advert(bytes)
        case .event: event(bytes)
        case .stream: stream(bytes)
        case .session: session(bytes)
        case .capture: capture(bytes)
        case .json: json(bytes)
        case .yaml: yaml(bytes)
        case .control: control(bytes)
        }
    }

    /// What is decoded encodes to something that decodes to the same.
    private func advert(_ bytes: UnsafeRawBufferPointer) {
        var identities: [BeaconIdentity] = []
        var telemetry = 0
        let malformed = AdvertisingData.decodeIdentities(
            bytes, telemetry: { _ in telemetry += 1 }, { identity, _ in identities.append(identity) })
        let frames = AdvertisingData.decode(Array(bytes))
        precondition(frames.malformed == malformed, "both ways of decoding must complain of the same")
        precondition(frames.frames.compactMap(\.identity) == identities, "both ways of decoding must find the same")
        _ = AdvertisingData.decode(bytes) { frame in
            _ = frame.fields
            _ = frame.identity?.description
            let again = AdvertisingData.decode(frame.advertisingData()).frames
            precondition(again == [frame], "a frame that was decoded must survive being encoded")
        }
    }

    private func event(_ bytes: UnsafeRawBufferPointer) {
        var reader = AdvertisingReportReader()
        // Twice: the second time meets the fragments that the first one left.
        for _ in 0..<2 {
            reader.read(event: bytes) { report, data in
                _ = report.address.description
                precondition(data.count <= 1650, "longer than an extended advert can be")
            }
        }
        reader.read(legacyReports: bytes) { _, _ in }
        reader.read(extendedReports: bytes) { _, _ in }
        _ = ControllerEvent(bytes)
    }

    /// The byte stream of a controller in pieces, into a session that is at work.
    private func stream(_ bytes: UnsafeRawBufferPointer) {
        var framer = H4Framer(from: .controller)
        var session = ControllerSession(
            plan: RadioPlan(scan: ScanPlan(interval: .milliseconds(100), window: .milliseconds(90))), entropy: 1)
        var now: Int64 = 0
        _ = session.start(now: now)
        var done = 0
        while done < bytes.count {
            let size = min(1 + Int(bytes[done] % 40), bytes.count - done)
            _ = framer.fill { (room: UnsafeMutableRawBufferPointer) throws(Never) -> Int? in
                let count = min(size, room.count)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + count]))
                return count
            }
            done += size
            framer.drain { kind, packet in
                if kind == .event { _ = session.handle(event: packet, now: now) }
            }
            now += 300_000_000
            _ = session.tick(now: now)
        }
    }

    private func session(_ bytes: UnsafeRawBufferPointer) {
        var noise = SessionNoise(bytes)
        noise.run()
    }

    private func capture(_ bytes: UnsafeRawBufferPointer) {
        var reader = CaptureReader(Array(bytes))
        // The same in pieces, so that packets lie across the ends of what is read at once.
        var done = 0
        var pieces = CaptureReader { room in
            let n = min(room.count, bytes.count - done, 1 + done % 31)
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[done..<done + n]))
            done += n
            return n
        }
        while true {
            let item = next(of: &reader)
            let again = next(of: &pieces)
            precondition(again == item, "a capture must not depend on how it is read")
            switch item {
            case .success(nil): return
            case .success: break
            case .failure(let error):
                precondition(!error.description.isEmpty, "every failure has a sentence")
                return
            }
        }
    }

    private func next(of reader: inout CaptureReader) -> Result<CapturedItem<[UInt8]>?, CaptureError> {
        do throws(CaptureError) {
            return .success(try reader.next())
        } catch {
            return .failure(error)
        }
    }

    /// What is read is written as something that reads back the same.
    private func json(_ bytes: UnsafeRawBufferPointer) {
        guard let value = try? JSONValue(reading: Array(bytes)) else { return }
        var writer = JSONWriter()
        writer.value(value)
        let again = try? JSONValue(reading: writer.bytes)
        precondition(again == value || writer.bytes.count > 64 << 10, "JSON must survive being written")
        _ = value.canonical
    }

    /// What is in force is printed as something that reads back the same.
    private func yaml(_ bytes: UnsafeRawBufferPointer) {
        do throws(ConfigurationProblems) {
            let configuration = try Configuration.read(text: Array(bytes))
            let again = try? Configuration.read(text: Array(configuration.effectiveYAML.utf8))
            precondition(again == configuration, "a configuration must survive being printed")
        } catch {
            _ = error.report(source: Array(bytes), name: "fuzz")
        }
    }

    private func control(_ bytes: UnsafeRawBufferPointer) {
        guard var stack = Self.stack else { return }
        guard let candidate = try? stack.candidate(document: Array(bytes)) else { return }
        stack.take(candidate)
    }

    private static let stack: ConfigurationStack? = {
        let file = "site: s\nnode: n\nradio: {adapter: \"unix:/x\"}\n"
        guard let node = try? YAMLNode(reading: Array(file.utf8)) else { return nil }
        return try? ConfigurationStack(file: node, digest: { "sha256:\($0.count)" })
    }()
}

private let chosen: Parser = {
    let name = getenv("FUZZ_PARSER").map { String(cString: $0) } ?? "advert"
    guard let parser = Parser(rawValue: name) else { preconditionFailure("FUZZ_PARSER names no parser: \(name)") }
    return parser
}()

/// libFuzzer's entry point.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen.parse(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}
