import JSON
import TestSupport

extension Subscriber.Message {
    /// The payload as JSON; nil where it is none.
    var json: JSONValue? { try? JSONValue(reading: Array(payload.utf8)) }

    /// The part of the topic behind `<prefix>/data/<site>/<node>/`: "enter/entrance".
    var kind: String? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count > 4, levels[1] == "data" else { return nil }
        return levels[4...].joined(separator: "/")
    }
}
