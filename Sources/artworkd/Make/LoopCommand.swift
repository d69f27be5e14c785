import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct LoopCommand: FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop",
    abstract: "Find the parts of a video that loop, and cut one out.",
    discussion: """
      Use it for a video that does not loop or is too long. Lists the best parts with their frame \
      numbers, their times, the seam verdict that check will give them, and the command that cuts \
      each out. If no part loops, suggests a part whose end dissolves into its start.

      -o writes the best part, or the one that --part names, as MP4 or QuickTime, without encoding if keyframes allow \
      it: then every frame of the new file is compared with the original. Never replaces a file.

      Without -o, writes two pictures of the best part beside the video or into --output-dir: <name>.loop-strip.png \
      with its last and first frames, and <name>.loop.png, an animated PNG that repeats the seam.

      \(ExitStatus.words)
      """)

  @OptionGroup
  var inputs: InputOptions

  @Option(help: "List at most this many parts, 1 to \(TrimRequest.mostCandidates).")
  var count = 5

  @Option(
    help: ArgumentHelp(
      "List only parts shorter than this; the default is Apple's limit.",
      valueName: "seconds"))
  var longest = Profile.usualDurationBelow

  @Option(
    help: ArgumentHelp(
      "List only parts at least this long, or at least half the clip if that is less.",
      valueName: "seconds"))
  var shortest = TrimRequest.usualShortest

  @Option(
    help: ArgumentHelp(
      "The part to write: best, a number in the list, or dissolve.", valueName: "part"))
  var part = LoopPartArgument(part: .best)

  @Flag(help: "Write no pictures.")
  var noPictures = false

  @Option(help: "The format of the results.")
  var format: OutputFormat = .text

  @OptionGroup
  var isolation: IsolationOptions

  func validate() throws {
    try (1...TrimRequest.mostCandidates).require(count, of: "--count")
    try LoopPartArgument.validate(shortest, longest)
    try inputs.validate()
    if let output { _ = try MovieContainer(fileName: output) }
    if output == nil, part.part != .best {
      throw ValidationError("--part says what -o writes: name a file with -o.")
    }
  }

  private func files(of input: Candidate) -> LoopFiles {
    LoopFiles(
      clip: input.path,
      options: (longest == Profile.usualDurationBelow ? [] : ["--longest", "\(longest)"])
        + (shortest == TrimRequest.usualShortest ? [] : ["--shortest", "\(shortest)"]))
  }

  /// The paths of the pictures that are written: beside the video, or in the output folder below the name of the video's.
  /// With a new video, none.
  private func pictures(of input: Candidate) -> (strip: FilePath?, animation: FilePath?) {
    if noPictures || output != nil { return (nil, nil) }
    let files = files(of: input)
    func place(_ file: FilePath) -> FilePath {
      let name = file.lastComponent?.string ?? ""
      return inputs.target(of: input, ownFolder: true) { _ in name }
        ?? input.path.removingLastComponent().pushing(file)
    }
    return (place(files.strip), place(files.animation))
  }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    let all = try await inputs.candidates(configuration)
    let written = all.map(pictures).flatMap { [$0.strip, $0.animation] }.compactMap(\.self)
    try OverwriteCheck.validate(written, over: all.map(\.path), what: "picture")
    return all
  }

  /// What was found, and the pictures of it.
  struct Found: Sendable {
    var report: LoopReport
    var strip: FilePath?
    var animation: FilePath?
    /// The part that was written.
    var cut: MadeVideo?
  }

  func make(_ input: Candidate, into made: inout [Found], _ run: MakingRun) async throws {
    if let output { try OutputFile.requirePlace(for: output.path) }
    let pictures = pictures(of: input)
    if inputs.outputDir != nil, let folder = pictures.strip?.removingLastComponent() {
      try OutputFile.makeFolder(folder, or: "write into")
    }
    var request = TrimRequest(shortest: shortest, below: longest, count: count)
    if case .numbered(let number) = part.part { request.count = max(count, number) }
    let candidates = try await run.value(
      of: run.pipeline.loops(in: input.path, request, withPictures: pictures != (nil, nil)), "read")
    run.line.clear()
    var found = Found(report: candidates.report)
    // The parts are printed even if the pictures cannot be written.
    defer { if output == nil || found.cut != nil { made.append(found) } }
    if let strip = candidates.strip, let path = pictures.strip {
      try OutputFile.write(strip, to: path)
      found.strip = path
    }
    if let animation = candidates.animation, let path = pictures.animation {
      try OutputFile.write(animation, to: path)
      found.animation = path
    }
    guard let output else { return }
    let video = try await run.value(
      of: run.pipeline.cut(
        part.part, of: input.path, found.report, into: try MovieContainer(fileName: output)))
    try AtomicFile.create(video.bytes, as: output.path)
    found.cut = video
  }

  func output(_ made: [Found], of input: Candidate) throws -> [UInt8] {
    Array(try made.map { try text(of: $0, files(of: input)) }.joined().utf8)
  }

  private func text(of found: Found, _ files: LoopFiles) throws -> String {
    if let cut = found.cut, let output { return try text(of: cut, output.path) }
    switch format {
    case .json:
      return try JSONReport.document(
        LoopDocument(found.report, files, strip: found.strip, animation: found.animation))
    case .text:
      let list = LoopText(style: Terminal.outputStyle).render(found.report, of: files)
      guard let strip = found.strip, let animation = found.animation else { return list }
      return list
        + "\nThe seam of the best part: \(strip.string.printable) (strip), \(animation.string.printable) (animation)\n"
    }
  }

  private func text(of cut: MadeVideo, _ path: FilePath) throws -> String {
    let report = CandidateReport(judging: cut.inspection, of: path)
    if format == .json { return try JSONReport.line(report) }
    let frames = cut.frames.map { "frames \($0.lowerBound) to \($0.upperBound - 1), " } ?? ""
    return "\(path.string.printable): \(frames)"
      + "\(decimal(cut.inspection.facts.durationSeconds, places: 3)) s, "
      + (cut.encoding == nil ? "copied without encoding" : "encoded again")
      + ", seam \(report.seam?.verdict.rawValue ?? "none")\n"
      + cut.changes.map { "  \($0)\n" }.joined()
  }
}

/// `--part`: `best`, a number from 1 to ``TrimRequest/mostCandidates``, or `dissolve`.
struct LoopPartArgument: ExpressibleByArgument {
  var part: LoopReport.Choice

  /// Checks `--shortest` and `--longest`.
  static func validate(_ shortest: Double, _ longest: Double) throws {
    // At most a day: larger numbers could overflow.
    guard longest > 0, longest <= 86_400, shortest >= 0, shortest < longest else {
      throw ValidationError(
        "--shortest and --longest take seconds, and --shortest must be less than --longest.")
    }
  }

  init(part: LoopReport.Choice) { self.part = part }

  init?(argument: String) {
    switch argument {
    case "best": part = .best
    case "dissolve": part = .dissolved
    default:
      guard let number = Int(plainDigits: argument),
        (1...TrimRequest.mostCandidates).contains(number)
      else { return nil }
      part = .numbered(number)
    }
  }

  var defaultValueDescription: String { "best" }
}
