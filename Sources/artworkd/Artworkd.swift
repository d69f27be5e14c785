import ArgumentParser

/// The command line. Commands, exit codes, the terminal and nothing else: the work is ArtworkPipeline's.
@main
struct Artworkd: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artworkd",
    abstract: "Checks animated cover art and extracts its previews.",
    version: "0.1.0",
    subcommands: [CheckCommand.self, PreviewCommand.self, DoctorCommand.self])
}
