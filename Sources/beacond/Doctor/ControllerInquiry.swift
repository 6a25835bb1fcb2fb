internal import HCI
internal import System

/// A short talk with a controller: five questions, each of which changes nothing in it.
enum ControllerInquiry {
    private static let token: UInt64 = 1
    /// For all of it, in nanoseconds: five answers take milliseconds, and one that is not answered in 2 s never is.
    private static let patience: Int64 = 3_000_000_000

    /// Asks. The way is used up by it.
    static func ask(
        over transport: any ControllerTransport
    ) -> Result<ControllerIdentity, DoctorProbes.Complaint> {
        do throws(SystemError) {
            return try converse(transport)
        } catch {
            return .failure(.init(text: "\(error)"))
        }
    }

    private static func converse(
        _ transport: any ControllerTransport
    ) throws(SystemError) -> Result<ControllerIdentity, DoctorProbes.Complaint> {
        var identity = ControllerIdentity()
        var rest = ControllerIdentity.questions[...]
        var asked: Opcode?
        var poller = try Poller()
        try poller.add(transport.descriptor, token: token, transport.interest)
        let end = MonotonicClock.nanoseconds + patience
        while true {
            do throws(TransportFailure) {
                if transport.isConnected, asked == nil {
                    guard let next = rest.popFirst() else { return .success(identity) }
                    asked = next
                    _ = try transport.send(Command(next).bytes)
                }
            } catch {
                return .failure(.init(text: "\(error)"))
            }
            try poller.change(transport.descriptor, token: token, transport.interest)
            let left = end - MonotonicClock.nanoseconds
            if left <= 0 { return .failure(.init(text: "it does not answer")) }
            var seen: Readiness = []
            try poller.wait(milliseconds: Int32(clamping: left / 1_000_000 + 1)) { seen = $1 }
            do throws(TransportFailure) {
                if seen.contains(.writable) { try transport.writable() }
                guard seen.contains(.readable) || seen.contains(.closed) else { continue }
                try transport.readable { kind, packet in
                    guard kind == .event, let event = ControllerEvent(packet) else { return }
                    switch event {
                    case .commandComplete(let opcode, _, let returned) where opcode == asked:
                        // A refusal leaves what was asked for unknown.
                        if returned.first == 0 {
                            identity.learn(opcode, UnsafeRawBufferPointer(rebasing: returned.dropFirst()))
                        }
                        asked = nil
                    case .commandStatus(let opcode, _, let status) where opcode == asked && status != .success:
                        asked = nil
                    default: break
                    }
                }
            } catch {
                return .failure(.init(text: "\(error)"))
            }
        }
    }
}
