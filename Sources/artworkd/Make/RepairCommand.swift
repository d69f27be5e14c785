import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Repair videos in new files, without encoding unless you ask for it.",
    discussion: """
      Copies the packets of each video that has a finding marked [*] by check --format full. The copy is MP4 or \
      QuickTime, with the right sample entry, no other tracks, times from zero, the header first, \
      and its colour matrix stated. Compares the copy with the original, frame by frame or, for \
      H.264 and HEVC, bit by bit, and checks it again. Keeps it only if every frame is the same, \
      and if it has fewer findings and no new ones.

      --unsafe also fixes findings that need encoding. It cuts out the best loop, dissolves the \
      end into the start, or plays the clip forward and back; it lowers the frame rate, crops \
      bars, dims flashes, and changes the codec and pixel format. Reports what happens to the picture, and keeps \
      a file only if it has fewer findings and no new ones. Gives up more than a tenth of a clip \
      only with --shortest, or if the destination takes no longer one.

      Existing files are never changed or replaced. A repaired file is a different video: publish it \
      under a new artworkID.

      Exit codes: 0 everything that needed repair was repaired, 1 something was not, 2 a video \
      could not be read or inspected, or a file could not be written, 64 usage or configuration \
      error, 69 a required part of the sandbox is missing, 130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "Files and folders, or - for a list on standard input.")
  var paths: [PathArgument]

  @Option(
    help: ArgumentHelp(
      "Write the new files under this folder, as <name>.mp4 or <name>.mov.", valueName: "dir"))
  var outputDir: PathArgument?

  @Option(
    name: .shortAndLong,
    help:
      "Write the new file of a single video, if it needs one, to this file; .mp4, .m4v and .mov choose the container."
  )
  var output: PathArgument?

  @Flag(help: "Also fix findings that need encoding. The picture may change.")
  var unsafe = false

  @Option(
    help: ArgumentHelp(
      "With --unsafe, also take loops that are shorter than nine tenths of the clip, down to this length.",
      valueName: "seconds"))
  var shortest: Double?

  @Option(
    help: ArgumentHelp("With --unsafe, take only loops shorter than this.", valueName: "seconds"))
  var longest: Double?

  @Flag(
    help:
      "Decode every frame of the videos, as check --thorough does: finds flashes in the middle. --select flash implies it."
  )
  var thorough = false

  @Flag(help: "Show what would be repaired, and write nothing.")
  var dryRun = false

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Repair only videos that break these rules; other findings are fixed along with them. Repeatable.",
      valueName: "rule,..."),
    transform: RuleList.init)
  var selected: [RuleList] = []

  @OptionGroup
  var judging: JudgingOptions

  @Option(help: "The format of the results.")
  var format: Format = .text

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "Configuration")
  var search: SearchOptions

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  @OptionGroup
  var caching: CacheOption

  func validate() throws {
    if outputDir == nil, output == nil, !dryRun {
      throw ValidationError(
        "Name a folder for the new files with --output-dir, a file for one video with -o, or use "
          + "--dry-run.")
    }
    if let output {
      if outputDir != nil { throw ValidationError("-o and --output-dir cannot be combined.") }
      guard paths.count == 1, !paths[0].isStandardStream else {
        throw ValidationError("-o takes one video; for more, use --output-dir.")
      }
      _ = try MovieContainer(fileName: output)
    }
    if shortest != nil || longest != nil {
      if !unsafe { throw ValidationError("--shortest and --longest need --unsafe.") }
      // At most a day: larger numbers could overflow.
      let (least, most) = (shortest ?? 0, longest ?? 86_400)
      guard least >= 0, most > 0, most <= 86_400, least < most else {
        throw ValidationError(
          "--shortest and --longest take seconds, and --shortest must be less than --longest.")
      }
    }
    if outputDir?.isStandardStream == true {
      throw ValidationError("Videos cannot go to standard output: name a folder.")
    }
    if paths.count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given only once.")
    }
  }

  private struct Decisive: Encodable {
    var unsafe: Bool
    var thorough: Bool?
    var shortest: Double?
    var longest: Double?
    var selected: [String]
    var profiles: [String]?
    var key: ArtworkKey?
    var limits: Limits
  }

  /// A digest of everything besides the videos that affects new files.
  func request(_ configuration: Configuration, _ limits: Limits) throws -> String {
    "repair "
      + (try configuration.digest(
        with: Decisive(
          unsafe: unsafe, thorough: thorough ? true : nil, shortest: shortest, longest: longest,
          selected: selected.flatMap(\.names).sorted(), profiles: judging.profiles?.names,
          key: judging.key.key, limits: limits)))
  }

  func run() throws {
    let first = paths.first { !$0.isStandardStream }?.path ?? "."
    var configuration = try configurationOptions.load(above: first)
    try search.apply(to: &configuration)
    try configuration.requireProfiles(judging.profiles?.names)
    var limits = Limits()
    configuration.apply(to: &limits)
    // Before the first thread.
    let prepared = try isolation.prepare(jobs: 2, limits: limits)
    defer { prepared.stop() }
    let run = try RepairRun(self, configuration, prepared)
    defer { run.cache?.finish() }
    try Blocking.run { try await run.run() }
  }
}
