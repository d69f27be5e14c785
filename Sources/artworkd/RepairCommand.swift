import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Mend videos in new files: without encoding, and by encoding where asked.",
    discussion: """
      Copies the packets of each video that has a finding marked [*] by check: into MP4 or \
      QuickTime, with the right sample entry, without other tracks, from zero on, with the header \
      first, and with its colour matrix stated. Compares the copy with the original, frame by \
      frame or, for H.264 and HEVC, bit by bit, and checks it again: keeps it only if every frame \
      is the same, and if it has fewer findings and no new one.

      --unsafe also mends what takes encoding: it cuts the best loop, dissolves the end into the \
      start, or plays forward and back; lowers the rate, crops bars, and changes codec and pixel \
      format. Says what happens to the picture, and keeps a file only if it has fewer findings and \
      no new one.

      Files are never changed, and never written over. A mended file is another file: publish it \
      under a new artworkID.

      Exit codes: 0 everything that needs it was mended, 1 something was not, 2 a video could not \
      be read or inspected, or a file could not be written, 64 usage or configuration error, 69 no \
      sandbox although required, 130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "Files and folders, or - for a list on standard input.")
  var paths: [PathArgument]

  @Option(
    help: ArgumentHelp(
      "Write the new files below this folder, as <name>.mp4 or <name>.mov.", valueName: "dir"))
  var outputDir: PathArgument?

  @Flag(help: "Also encode again what a copy does not mend. The picture may change.")
  var unsafe = false

  @Flag(help: "Show what would be mended, and write nothing.")
  var dryRun = false

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Mend only findings of these rules. A new file mends what else it can. Repeatable.",
      valueName: "rule,..."),
    transform: RuleList.init)
  var selected: [RuleList] = []

  @OptionGroup
  var judging: JudgingOptions

  @Option(help: "The format of the results.")
  var format: Format = .text

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  @OptionGroup
  var caching: CacheOption

  func validate() throws {
    if outputDir == nil, !dryRun {
      throw ValidationError("Name a folder for the new files with --output-dir, or use --dry-run.")
    }
    if outputDir?.isStandardStream == true {
      throw ValidationError("Videos cannot go to standard output: name a folder.")
    }
    if paths.count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given only once.")
    }
  }

  func run() throws {
    let first = paths.first { !$0.isStandardStream }?.path ?? "."
    let configuration = try configurationOptions.load(above: first)
    try configuration.requireProfiles(judging.profiles?.names)
    var limits = Limits()
    configuration.apply(to: &limits)
    // Before the first thread.
    let prepared = try isolation.prepare(jobs: 2, limits: limits)
    defer { prepared.stop() }
    let run = RepairRun(self, configuration, prepared)
    defer { run.cache?.finish() }
    try Blocking.run { try await run.run() }
  }
}
