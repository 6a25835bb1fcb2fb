import Glibc

exit(Simulator.run(Array(CommandLine.arguments.dropFirst())))
