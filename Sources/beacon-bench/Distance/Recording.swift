import Presence

/// Signal strengths of one transmitter at one known distance.
struct Track: Equatable {
    var transmitter: String
    /// In metres.
    var distance: Double
    /// In the order of their times.
    var samples: [Sample]

    struct Sample: Equatable {
        /// Milliseconds since an arbitrary start.
        var time: Int64
        /// In dBm.
        var rssi: Int8
    }
}

/// What was recorded at one place with one kind of beacon: one measured power, several distances.
struct Recording: Equatable {
    var name: String
    /// At one metre, in dBm, as it was published; nil where it has to be derived.
    var publishedPower: Int?
    var tracks: [Track]
}

extension Recording {
    /// The measured power in dBm that estimators are given: the published one, or the median signal at the distances
    /// nearest one metre (up to a tenth further, by ratio, than the nearest), put to one metre by free space.
    var measuredPower: Int {
        if let publishedPower { return publishedPower }
        func remoteness(_ track: Track) -> Double { abs(naturalLogarithm(track.distance)) }
        let nearest = tracks.map(remoteness).min() ?? 0
        var levels: [Double] = []
        for track in tracks where remoteness(track) <= nearest + 0.1 {
            let correction = 20 * naturalLogarithm(track.distance) / naturalLogarithm(10)
            for sample in track.samples { levels.append(Double(sample.rssi) + correction) }
        }
        levels.sort()
        return levels.isEmpty ? -59 : Int(levels[levels.count / 2].rounded())
    }
}

/// What is wrong with a recording.
struct RecordingError: Error, Equatable {
    /// Counted from one.
    var line: Int
    var text: String
}

/// Reads recordings from CSV with a header line.
///
/// Columns by name, in any order: `set` (else the file's name), `transmitter` (else one), `distance_m` or `distance_ft`,
/// `time_ms` or `timestamp` (YYYY-MM-DD hh:mm:ss.mmm, as in the PACT data), `rssi`, and `measured_power` where it is known.
/// Others are ignored.
struct RecordingReader {
    private(set) var recordings: [Recording] = []
    private var place: [String: Int] = [:]
    private var tracks: [TrackKey: Int] = [:]

    private struct TrackKey: Hashable {
        var recording: Int
        var transmitter: String
        var distance: Double
    }

    /// Adds a file's content; `name` is the set's where the file names none.
    mutating func read(_ text: String, name: String) throws(RecordingError) {
        var header: [Substring: Int] = [:]
        for (number, line) in text.split(whereSeparator: \.isNewline).enumerated() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            if number == 0 {
                for (index, field) in fields.enumerated() { header[field] = index }
                continue
            }
            do throws(Problem) {
                try add(Row(fields, header), name)
            } catch {
                throw RecordingError(line: number + 1, text: error.text)
            }
        }
        if header.isEmpty { throw RecordingError(line: 1, text: "there is no header line") }
    }

    private mutating func add(_ row: Row, _ fallback: String) throws(Problem) {
        let name = row["set"].map(String.init) ?? fallback
        let (distance, time, rssi) = (try row.distance(), try row.time(), try row.rssi())
        let recording: Int
        if let known = place[name] {
            recording = known
        } else {
            recording = recordings.count
            place[name] = recording
            recordings.append(Recording(name: name, publishedPower: try row.measuredPower(), tracks: []))
        }
        let transmitter = row["transmitter"].map(String.init) ?? ""
        let key = TrackKey(recording: recording, transmitter: transmitter, distance: distance)
        let track = tracks[key] ?? recordings[recording].tracks.count
        if tracks[key] == nil {
            tracks[key] = track
            recordings[recording].tracks.append(Track(transmitter: transmitter, distance: distance, samples: []))
        }
        let last = recordings[recording].tracks[track].samples.last?.time ?? time
        if time < last { throw Problem(text: "the times of a transmitter at a distance must not go back") }
        recordings[recording].tracks[track].samples.append(Track.Sample(time: time, rssi: rssi))
    }

    private struct Problem: Error {
        var text: String
    }

    /// A line with its header.
    private struct Row {
        private let fields: [Substring]
        private let header: [Substring: Int]

        init(_ fields: [Substring], _ header: [Substring: Int]) {
            self.fields = fields
            self.header = header
        }

        subscript(_ name: Substring) -> Substring? {
            guard let index = header[name], index < fields.count, !fields[index].isEmpty else { return nil }
            return fields[index]
        }

        func distance() throws(Problem) -> Double {
            let metres = self["distance_m"].flatMap { Double($0) }
            // The international foot.
            let found = metres ?? self["distance_ft"].flatMap { Double($0) }.map { $0 * 0.3048 }
            guard let found, found > 0, found < 1_000 else {
                throw Problem(text: "distance_m or distance_ft is no distance of 0…1,000 m")
            }
            return found
        }

        func time() throws(Problem) -> Int64 {
            let found = self["time_ms"].flatMap { Int64($0) } ?? self["timestamp"].flatMap(milliseconds)
            guard let found, abs(found) < 1 << 50 else { throw Problem(text: "time_ms or timestamp is no time") }
            return found
        }

        func rssi() throws(Problem) -> Int8 {
            guard let found = self["rssi"].flatMap({ Int8($0) }), (-127...20).contains(found) else {
                throw Problem(text: "rssi is no whole number of −127…20 dBm")
            }
            return found
        }

        func measuredPower() throws(Problem) -> Int? {
            guard let text = self["measured_power"] else { return nil }
            guard let found = Int(text), (-127...20).contains(found) else {
                throw Problem(text: "measured_power is no whole number of −127…20 dBm")
            }
            return found
        }
    }
}

/// Milliseconds from YYYY-MM-DD hh:mm:ss.mmm, from a start that is the same for all of them.
private func milliseconds(_ text: Substring) -> Int64? {
    let numbers = text.split { !$0.isNumber }.map { Int64($0) ?? -1 }
    guard numbers.count >= 6, numbers.allSatisfy({ $0 >= 0 && $0 < 10_000_000 }) else { return nil }
    let fraction = text.split(separator: ".")
    let milliseconds = fraction.count == 2 ? Int64((fraction[1] + "000").prefix(3)) ?? 0 : 0
    // Months of 31 days: a recording that runs through the end of a shorter one has a gap there, which ends a window.
    let days = (numbers[0] * 12 + numbers[1]) * 31 + numbers[2]
    return ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60_000 + numbers[5] * 1_000 + milliseconds
}
