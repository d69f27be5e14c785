import ArgumentParser

/// Drives a store so that others can break it: a fixed run that is killed at every system call, a random one that is
/// compared with an oracle, and one on a full disk. Debug builds only, since it reads the state of
/// the library.
@main
struct StoreTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store-trial", abstract: "Drive a store for the tests.",
    subcommands: subcommands)

  // The fixed run reads the state of the library.
  #if DEBUG
    private static let subcommands: [any ParsableCommand.Type] = [
      CrashTrial.self, EnduranceTrial.self, FullDiskTrial.self,
    ]
  #else
    private static let subcommands: [any ParsableCommand.Type] = [
      EnduranceTrial.self, FullDiskTrial.self,
    ]
  #endif
}
