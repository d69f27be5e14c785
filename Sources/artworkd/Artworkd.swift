import ArgumentParser
import ArtworkPipeline

/// The command line. Commands, exit codes, the terminal and nothing else: the work is ArtworkPipeline's.
@main
struct Artworkd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artworkd",
    abstract: "Checks animated cover art and extracts its previews.",
    version: version,
    subcommands: [
      CheckCommand.self, PreviewCommand.self, LoopCommand.self, SeamCommand.self,
      InitCommand.self, ProfilesCommand.self, RulesCommand.self, ExplainCommand.self,
      DoctorCommand.self, ServeCommand.self, PublishCommand.self, NowPlayingCommand.self,
      CacheCommand.self, LeasesCommand.self,
    ])

  static let version = "0.1.0"

  /// As ArgumentParser does it, but with arguments of any bytes, and usage errors that quote them
  /// without what would move the cursor.
  static func main() {
    Terminal.holdPlaces()
    // Before anything else uses libcrypto.
    CryptoLibrary.prepare()
    // Swift takes the arguments from /proc/self/cmdline. Without them everything would look like a call
    // for help, which succeeds.
    guard CommandLine.argc > 0 else {
      Terminal.say("artworkd: cannot read its own arguments: is /proc mounted?\n")
      exitNow(.internalError)
    }
    do {
      var command = try parseAsRoot(RawArguments.all)
      try command.run()
    } catch {
      let code = exitCode(for: error)
      guard code == .validationFailure else { exit(withError: error) }
      let lines = RawArguments.shown(fullMessage(for: error)).split(
        separator: "\n", omittingEmptySubsequences: false)
      Terminal.say(lines.map { String($0).printable + "\n" }.joined())
      exit(withError: code)
    }
  }
}
