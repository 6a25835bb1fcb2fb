internal import Glibc

// One call and nothing else: what stands at the top level of this file would belong to the main actor.
exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())).rawValue)
