internal import CSystem
internal import Glibc

/// One option of a command.
public struct CommandLineOption: Sendable {
    /// Without the hyphens.
    public var name: String
    /// The letter that stands for it, if any.
    public var letter: Character?
    /// Whether it has a value.
    public var takesValue: Bool

    /// Makes an option.
    public init(_ name: String, letter: Character? = nil, takesValue: Bool = false) {
        self.name = name
        self.letter = letter
        self.takesValue = takesValue
    }
}

/// What makes no sense in a command line; the words are as they were typed, for the caller to show safely.
public enum CommandLineMisuse: Error, Equatable, Sendable {
    /// There is no such option.
    case unknown(String)
    /// The option has no value.
    case missingValue(String)
    /// The option stands there twice.
    case repeated(String)
}

/// A command's arguments, taken apart as GNU programs do. getopt_long(3)
public struct CommandLineOptions: Sendable {
    private var values: [String: String] = [:]
    /// What is no option, in order.
    public private(set) var operands: [String] = []

    /// Whether an option was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option; nil if it was not given.
    public subscript(_ name: String) -> String? { values[name] }

    /// getopt's state is global, and tests take several command lines apart at the same time.
    private static let getopt = Locked(())

    /// Takes the arguments behind a program's or command's name apart.
    public init(_ arguments: [String], options: [CommandLineOption]) throws(CommandLineMisuse) {
        self = try Self.getopt.withLock { (_: inout Void) throws(CommandLineMisuse) -> CommandLineOptions in
            try CommandLineOptions(alone: arguments, options)
        }
    }

    private init(alone arguments: [String], _ options: [CommandLineOption]) throws(CommandLineMisuse) {
        precondition(options.count <= 32, "csystem_option_next has room for 32")
        // getopt_long moves the arguments about in this array; the strings stay where they are.
        var argv: [UnsafeMutablePointer<CChar>?] = ([""] + arguments).map { strdup($0) }
        let strings = argv
        defer { for string in strings { free(string) } }
        argv.append(nil)
        let count = Int32(arguments.count + 1)
        let names = options.map { strdup($0.name) }
        defer { for name in names { free(name) } }
        let known = zip(options, names).enumerated().map { number, pair in
            csystem_option(
                name: pair.1, takes_value: pair.0.takesValue ? 1 : 0, token: Self.firstToken + Int32(number))
        }
        // The leading colon has a missing value told apart from an unknown option.
        var letters = ":"
        for option in options {
            guard let letter = option.letter else { continue }
            letters.append(letter)
            if option.takesValue { letters += ":" }
        }
        var index: Int32 = 0
        while true {
            var value: UnsafePointer<CChar>?
            let before = max(index, 1)
            let token = csystem_option_next(count, &argv, letters, known, Int32(known.count), &index, &value)
            if token == -1 { break }
            let number = Int(token - Self.firstToken)
            let chosen =
                options.indices.contains(number)
                ? options[number]
                : options.first { $0.letter.map { $0.unicodeScalars.first?.value == UInt32(token) } ?? false }
            guard let chosen else {
                // getopt has gone past a long option, and may still be inside a cluster of letters.
                let place = Int(index) - 1 >= Int(before) ? Int(index) - 1 : Int(before)
                let culprit = place < argv.count ? argv[place].map { String(cString: $0) } ?? "" : ""
                if token == Int32(UInt8(ascii: ":")) { throw .missingValue(culprit) }
                throw .unknown(culprit)
            }
            let text = value.map { String(cString: $0) } ?? ""
            if values.updateValue(chosen.takesValue ? text : "", forKey: chosen.name) != nil {
                throw .repeated("--\(chosen.name)")
            }
        }
        operands = argv[Int(index)..<Int(count)].compactMap { $0.map { String(cString: $0) } }
    }

    /// Above every letter.
    private static let firstToken: Int32 = 0x1000
}
