import JSON
import System

/// A file of JSON lines, each of which is written at once.
struct LineLog: ~Copyable {
    private let file: Descriptor
    private let path: String
    private var writer: JSONWriter
    /// The first failure to write; nothing is written after it.
    private(set) var failure: SystemError?

    /// Makes or empties the file; without a path nothing is kept.
    ///
    /// No property has a value before the throw: Swift 6.0 crashes over one that would have to be taken back.
    init(path: String?) throws(SystemError) {
        let path = path ?? "/dev/null"
        let file = try Descriptor.open(path, .replace, permissions: 0o644)
        self.init(file, path)
    }

    private init(_ file: consuming Descriptor, _ path: String) {
        self.file = file
        self.path = path
        writer = JSONWriter(reserving: 512)
        failure = nil
    }

    /// Writes one object on a line of its own.
    mutating func line(_ members: (inout JSONWriter) -> Void) {
        guard failure == nil else { return }
        writer.reset()
        writer.object(members)
        writer.newline()
        do throws(SystemError) {
            try file.writeAll(writer.bytes)
        } catch {
            failure = SystemError(code: error.code, action: "write \(path)")
        }
    }
}

/// "2026-03-02T09:12:01.250Z" for nanoseconds since 1970. Days to dates: Howard Hinnant, civil_from_days.
func timeText(_ nanoseconds: Int64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    let (days, ofDay) = milliseconds.quotientAndRemainder(dividingBy: 86_400_000)
    let shifted = days + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func digits(_ value: Int64, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    let (seconds, fraction) = ofDay.quotientAndRemainder(dividingBy: 1_000)
    let time = "\(digits(seconds / 3_600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
    return "\(date)T\(time).\(digits(fraction, 3))Z"
}
