import System
import Testing

@Suite struct CommandLineOptionsTests {
    private static let options = [
        CommandLineOption("config", letter: "c", takesValue: true), CommandLineOption("verbose", letter: "v"),
        CommandLineOption("help"),
    ]

    private static func misuse(_ arguments: [String]) -> CommandLineMisuse? {
        do throws(CommandLineMisuse) {
            _ = try CommandLineOptions(arguments, options: options)
            return nil
        } catch {
            return error
        }
    }

    @Test("a value is taken in every way in which GNU programs take one") func values() throws {
        for arguments in [
            ["--config", "f"], ["--config=f"], ["--conf", "f"], ["-c", "f"], ["-cf"], ["-vcf"], ["-v", "-c", "f"],
        ] {
            let line = try CommandLineOptions(arguments, options: Self.options)
            #expect(line["config"] == "f", "\(arguments)")
            #expect(line.has("verbose") == arguments[0].hasPrefix("-v"), "\(arguments)")
            #expect(line.operands == [], "\(arguments)")
        }
    }

    @Test("operands keep their order, and behind -- everything is one") func operands() throws {
        let line = try CommandLineOptions(["a", "-v", "b", "--", "--help", "-"], options: Self.options)
        #expect(line.has("verbose"))
        #expect(!line.has("help"))
        #expect(line.operands == ["a", "b", "--help", "-"])
        #expect(try CommandLineOptions([], options: Self.options).operands == [])
    }

    @Test("what makes no sense is named as it was typed") func misuses() {
        #expect(Self.misuse(["--bogus=1"]) == .unknown("--bogus=1"))
        #expect(Self.misuse(["-x"]) == .unknown("-x"))
        #expect(Self.misuse(["-vx"]) == .unknown("-vx"))
        #expect(Self.misuse(["a", "--config"]) == .missingValue("--config"))
        #expect(Self.misuse(["-v", "-c"]) == .missingValue("-c"))
        #expect(Self.misuse(["-c", "f", "--config=g"]) == .repeated("--config"))
        #expect(Self.misuse(["--verbose=yes"]) == .unknown("--verbose=yes"))
    }

    @Test("command lines are taken apart at the same time without harm") func concurrent() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let line = try? CommandLineOptions(
                        ["o\(number)", "-v", "--config", "c\(number)"], options: Self.options)
                    return line?["config"] == "c\(number)" && line?.operands == ["o\(number)"]
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
