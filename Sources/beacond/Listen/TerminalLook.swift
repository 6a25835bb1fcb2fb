internal import Glibc
internal import System

/// What a terminal can show, as far as its environment tells.
struct TerminalLook: Equatable {
    /// Whether a program may draw on it: somebody sits there, and it knows control sequences.
    var isDrawable: Bool
    /// Whether there may be colours.
    var hasColours: Bool
    /// Whether it has more than ASCII.
    var hasUnicode: Bool

    /// Reads the environment: TERM, NO_COLOR (https://no-color.org), and the locale (setlocale(3)).
    init(isTerminal: Bool, _ variable: (String) -> String?) {
        let term = variable("TERM") ?? ""
        isDrawable = isTerminal && term != "dumb" && !term.isEmpty
        hasColours = isDrawable && (variable("NO_COLOR") ?? "").isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variable($0) }.first { !$0.isEmpty } ?? ""
        let name = locale.uppercased()
        hasUnicode = name.contains("UTF-8") || name.contains("UTF8")
    }

    /// That of this process: standard input and output are both a terminal.
    static var own: TerminalLook {
        TerminalLook(isTerminal: isTerminal(0) && isTerminal(1)) { name in
            getenv(name).map { String(cString: $0) }
        }
    }
}
