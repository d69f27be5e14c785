import ArgumentParser
import ArtworkPipeline
import SystemPackage

/// The command line: commands, exit codes and the terminal. ArtworkPipeline does the work.
@main
struct Artworkd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artworkd",
    abstract: "Check animated cover art, extract its previews, and serve artwork to a player.",
    discussion: """
      artworkd --generate-completion-script SHELL prints completions for bash, zsh or fish. \
      For bash, save them as ~/.local/share/bash-completion/completions/artworkd.
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Check",
        subcommands: [
          CheckCommand.self, MergeCommand.self, SeamCommand.self, PreviewCommand.self,
        ]),
      CommandGroup(
        name: "Make",
        subcommands: [
          RepairCommand.self, DeriveCommand.self, LoopCommand.self, AnimateCommand.self,
          ImportCommand.self, ExportCommand.self, BundleCommand.self, LottieCommand.self,
        ]),
      CommandGroup(
        name: "Beside a player",
        subcommands: [
          ServeCommand.self, PublishCommand.self, ControlCommand.self, NowPlayingCommand.self,
          CompanionCommand.self, CacheCommand.self, LeasesCommand.self,
        ]),
      CommandGroup(
        name: "Reference",
        subcommands: [
          ExplainCommand.self, ProfilesCommand.self, DoctorCommand.self,
        ]),
    ])

  static let version = "2.0.0"

  /// Like ArgumentParser's, but takes arguments of any bytes, and prints them in usage errors without
  /// control characters.
  static func main() {
    Terminal.holdPlaces()
    // Before anything else uses libcrypto.
    CryptoLibrary.prepare()
    // Swift reads the arguments from /proc/self/cmdline. Without them, every call would print the help and
    // succeed.
    guard CommandLine.argc > 0 else {
      Terminal.printError("artworkd: cannot read its own arguments: is /proc mounted?\n")
      exitNow(.internalError)
    }
    let all = RawArguments.all
    if let mistake = UnknownCommand.find(in: all)?.message ?? UnknownCommand.file(in: all) {
      Terminal.printError("artworkd: \(RawArguments.escaped(mistake).printable)\n")
      exitNow(.usage)
    }
    var isParsed = false
    do {
      var command = try parseAsRoot(all)
      isParsed = true
      try command.run()
    } catch let error as Errno {
      // An error of standard output: commands report errors of files themselves.
      Terminal.emit { throw error }
    } catch {
      // The error was already reported where it was thrown.
      if error is ExitCode { exit(withError: error) }
      let code = exitCode(for: error)
      guard code == .validationFailure else { exit(withError: error) }
      let unknown = isParsed ? nil : UnknownCommand.option(in: all)
      // The full message has the usage of the subcommand that was parsed, but of the root for a command that runs.
      let text =
        unknown ?? (isParsed ? "Error: \(message(for: error))\n" : fullMessage(for: error))
      let lines = RawArguments.escaped(text).split(
        separator: "\n", omittingEmptySubsequences: isParsed)
      Terminal.printError(lines.map { String($0).printable + "\n" }.joined())
      exit(withError: code)
    }
  }
}
