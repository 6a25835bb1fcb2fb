import Agent
import HCI
import JSON
import Presence
import Testing
import YAML

@testable import beacon_sim
@testable import beacond

/// A node in virtual time: the real agent, radio, links, sessions and presence over a virtual machine. What the loop of
/// the daemon does between waits is done here between moments.
final class VirtualNode {
    let machine: VirtualMachine
    private let radio: RadioLink
    private var agent: NodeAgent
    private var counters = Counters()
    private(set) var messages: [(at: Int64, message: Message)] = []
    private(set) var log: [(at: Int64, text: String)] = []
    /// When something was heard last, and the longest time in which nothing was.
    private(set) var heardAt: [Int64] = []

    static let second: Int64 = 1_000_000_000

    init(_ machine: VirtualMachine, configuration text: String) throws {
        self.machine = machine
        let node = try YAMLNode(reading: Array(text.utf8))
        let stack = try ConfigurationStack(file: node, digest: { _ in "sha256:0" })
        let start = NodeAgent.Start(
            stack: stack, epoch: 1, boot: "boot", version: "0", library: "0")
        agent = NodeAgent(start, at: VirtualNode.moment(0))
        radio = RadioLink(agent.tuning, entropy: 0x1234_5678_9ABC_DEF0, host: machine)
        perform(agent.opening(at: VirtualNode.moment(0)))
        perform(agent.handle(.connected(session: "s"), at: VirtualNode.moment(0)))
    }

    private static func moment(_ now: Int64) -> Moment {
        Moment(instant: Instant(nanoseconds: now), wall: 1_767_225_600_000_000_000 + now, isSynchronised: true)
    }

    /// Lives until a time in seconds.
    func run(until end: Int64) {
        let end = end * Self.second
        var now = machine.now
        while now < end {
            let due =
                [
                    machine.nextDue, radio.nextDeadline, isUnproven(now) ? nil : agent.nextDeadline.nanoseconds,
                    now + Self.second,
                ].compactMap { $0 }.min() ?? end
            // Not oftener than the loop wakes while adverts come in.
            now = max(due, now + (radio.isSettled ? 20_000_000 : 1_000))
            machine.advance(to: now)
            turn(now)
        }
    }

    private func turn(_ now: Int64) {
        // Answers to what is sent come at once, as over a socket by the next turn.
        repeat {
            if machine.isReadable {
                radio.ready(.readable, now: now, token: 1) { heard in
                    if radio.hasNews { afterRadio(now) }
                    heardAt.append(now)
                    perform(agent.handle(Event(heard), at: Self.moment(now)))
                }
            }
            radio.tick(now: now)
            afterRadio(now)
        } while machine.isReadable
        counters.radioProvenUntil = radio.provenUntil.map { Instant(nanoseconds: $0) }
        perform(agent.handle(.ticked(counters), at: Self.moment(now)))
        if isUnproven(now) { radio.prove(until: agent.nextDeadline.nanoseconds, now: now) }
    }

    private func isUnproven(_ now: Int64) -> Bool {
        guard let proven = radio.provenUntil else { return false }
        let due = agent.nextDeadline.nanoseconds
        return proven < due && due <= now
    }

    private func afterRadio(_ now: Int64) {
        let reports = radio.reports
        radio.reports = []
        for report in reports { perform(agent.handle(.radio(report), at: Self.moment(now))) }
    }

    private func perform(_ effects: [Effect]) {
        let now = machine.now
        for effect in effects {
            switch effect {
            case .publish(let message): messages.append((now, message))
            case .log(_, let text): log.append((now, text))
            case .tune(let tuning): radio.apply(tuning, now: now)
            case .farewell, .store, .reconnect, .limitQueue: break
            }
        }
    }

    /// The messages of a kind, as JSON, with their time in nanoseconds.
    func messages(_ kind: String) -> [(at: Int64, json: JSONValue)] {
        messages.compactMap { at, message in
            guard message.topic.split(separator: "/").contains(Substring(kind)),
                let json = try? JSONValue(reading: message.payload)
            else { return nil }
            return (at, json)
        }
    }
}
