internal import Presence

/// How the parts are, for the `state` topic.
struct Conditions: Equatable {
    /// What the radio does.
    enum Radio: Equatable {
        case starting
        case listening(Listening)
        case blind(Blindness.Reason)

        /// What it is called.
        var state: RadioState {
            switch self {
            case .starting: .unknown
            case .listening: .poweredOn
            case .blind(let reason): reason.state
            }
        }
    }

    /// A document that the node holds.
    struct Layer: Equatable {
        /// Hash of the document as it was received.
        var document: String
        /// Whether it is in force.
        var result: Reply.Result
    }

    /// Hash of the effective configuration.
    var configuration: String
    /// The node's own document, if there is one that counts or should.
    var layer: Layer?
    var radio = Radio.starting
    /// Since when the radio is in its state, in nanoseconds on the wall clock as it was then: a time once told is not told
    /// differently later.
    var radioSince: Int64
    var advertising = AirState.off
    var isSynchronised: Bool
    var queuedEvents: UInt64 = 0
    var dropped: UInt64 = 0
}

/// Something that a person should know.
struct Alert: Equatable {
    /// Its topic: `radio` or `clock`.
    var kind: String
    /// How that is now.
    var state: String
    /// A sentence without its end.
    var text: String
    /// Why, in one word.
    var cause: String?
    /// What the radio's state is, where it is blind.
    var radio: RadioState?
    /// What is done about it, in one word.
    var step: String?
    /// For how long nothing was heard, where that is over.
    var blind: Span?
    /// Nanoseconds from the monotonic clock to the wall clock, where it is about that.
    var offset: Int64?
}

/// The answer to a configuration document.
struct Reply: Equatable {
    /// What became of it.
    enum Result: String {
        /// It is in force, and on the disk.
        case applied
        /// It already was.
        case unchanged
        /// The layer is gone; what lies below it is in force.
        case removed
        /// Nothing has changed.
        case rejected
    }

    /// What was wrong, and where.
    struct Problem: Equatable {
        var path: String
        var message: String
    }

    /// Hash of the document as it was received.
    var document: String
    var result: Result
    var problems: [Problem] = []
    /// How many more there were than one reply may list.
    var more = 0
    /// Hash of the configuration in force after it.
    var configuration: String
}

extension Conditions.Layer {
    /// What is said of the document that the node holds; nothing where documents are switched off.
    init?(_ layer: ConfigurationStack.Layer?) {
        guard let layer else { return nil }
        switch layer.standing {
        case .inForce: self.init(document: layer.document.hash, result: .applied)
        case .refused: self.init(document: layer.document.hash, result: .rejected)
        case .switchedOff: return nil
        }
    }
}
