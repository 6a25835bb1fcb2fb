internal import System

/// Which adapter is to be reached, and how.
public struct LinkSetting: Equatable, Sendable {
    /// Which controller.
    public var choice: AdapterChoice
    /// How an adapter of the kernel's is used; nil: exclusively if that is possible, else shared.
    public var access: AdapterAccess?
    /// One that is somebody else's, and not taken where any would do.
    public var avoids: AdapterChoice?

    /// Makes a setting.
    public init(_ choice: AdapterChoice, access: AdapterAccess? = nil, avoids: AdapterChoice? = nil) {
        self.choice = choice
        self.access = access
        self.avoids = avoids
    }
}

/// An open way to a controller, and how it came about.
struct ReachedController {
    var transport: any ControllerTransport
    /// nil for a stream.
    var adapter: Adapter?
    var access: AdapterAccess?
    /// Why it is not used exclusively, where that was not asked for.
    var note: String?
}

/// Finds and opens adapters.
struct AdapterSearch {
    let host: any BluetoothHost
    let setting: LinkSetting
    /// Whether one that the kernel is still setting up is shared with it rather than waited for.
    let sharesStarting: Bool

    /// Opens what was asked for. Of several adapters the first that opens; those in `passedOver` last, for they did not
    /// work the last time.
    func reach(passedOver: [DeviceAddress]) throws(AdapterProblem) -> ReachedController {
        if case .stream(let stream) = setting.choice {
            return ReachedController(transport: try host.connect(to: stream))
        }
        var problem: AdapterProblem?
        for adapter in try candidates(passedOver) {
            do throws(AdapterProblem) {
                return try open(adapter)
            } catch {
                // That of the first one: it is the one that would be used.
                if problem == nil { problem = error }
            }
        }
        if let problem { throw problem }
        if case .any = setting.choice, let avoided = setting.avoids, try !host.adapters().isEmpty {
            throw .noOther(than: avoided)
        }
        throw .missing(setting.choice)
    }

    /// How many adapters would do.
    var count: Int {
        guard case .any = setting.choice, let adapters = try? host.adapters() else { return 1 }
        return adapters.count { !isAvoided($0) }
    }

    private func candidates(_ passedOver: [DeviceAddress]) throws(AdapterProblem) -> [Adapter] {
        let all = try host.adapters()
        switch setting.choice {
        case .any:
            let some = all.filter { !isAvoided($0) }
            // The one that failed last comes last of all.
            return some.filter { !passedOver.contains($0.address) }
                + passedOver.compactMap { address in some.first { $0.address == address } }
        case .number(let number): return all.filter { $0.number == number }
        case .address(let address): return all.filter { $0.address.value == address.value }
        case .stream: return []
        }
    }

    private func isAvoided(_ adapter: Adapter) -> Bool {
        switch setting.avoids {
        case .address(let address): adapter.address.value == address.value
        case .number(let number): adapter.number == number
        case .any, .stream, nil: false
        }
    }

    private func open(_ adapter: Adapter) throws(AdapterProblem) -> ReachedController {
        if let block = adapter.block { throw .blocked(name: adapter.name, block) }
        if let access = setting.access {
            // Taken down under a manager it would be brought up again, now by the one and now by the other.
            if access == .exclusive, adapter.isUp, let manager = host.manager {
                throw .busy(name: adapter.name, holder: manager)
            }
            return ReachedController(
                transport: try host.open(adapter, access), adapter: adapter, access: access)
        }
        // Taken away from a manager that has it up, it would be taken back, or leave somebody's keyboard without it.
        if adapter.isUp, let manager = host.manager {
            return try share(adapter, because: "\(manager) runs and has it")
        }
        do throws(AdapterProblem) {
            return ReachedController(
                transport: try host.open(adapter, .exclusive), adapter: adapter, access: .exclusive)
        } catch {
            switch error {
            case .starting where !sharesStarting: throw error
            case .busy, .unauthorized, .starting:
                // The reason why it cannot be had alone is the more useful one, where it cannot be shared either.
                guard let shared = try? share(adapter, because: "\(error)") else { throw error }
                return shared
            default: throw error
            }
        }
    }

    private func share(_ adapter: Adapter, because reason: String) throws(AdapterProblem) -> ReachedController {
        ReachedController(
            transport: try host.open(adapter, .shared), adapter: adapter, access: .shared,
            note: "\(adapter.name) is shared with the kernel and other programs: \(reason)")
    }
}
