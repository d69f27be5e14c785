import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Make a video from an animation (Lottie, GIF, animated PNG or WebP) or another video.",
    discussion: """
      Writes H.264 or HEVC without sound, in BT.709, with the header first and the frames' exact \
      times. Checks the result as check does before giving it its name. Never replaces an \
      existing file.

      Exit codes: 0 written, 1 written, but it breaks a rule, 2 the file could not be read, or \
      the video could not be made or written, 64 usage error, 69 a required part of the sandbox \
      is missing, 130 interrupted.
      """)

  @Argument(help: "The animation or video.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help: "Write to this file; .mp4, .m4v and .mov choose the container.")
  var output: PathArgument

  @Option(
    help: ArgumentHelp(
      "The size of the video; both sides must be even.", valueName: "WIDTHxHEIGHT"))
  var size: SizeArgument

  @Option(
    help: ArgumentHelp(
      "The order of the frames: loop, auto-reverse, repeat:N, repeat-back:N (forward and "
        + "backward, N times) or once. Players repeat the video in every mode.",
      valueName: "mode"))
  var loopMode = ImportRequest.LoopMode.loop

  @Option(
    help: ArgumentHelp("Multiply the speed by this factor, 0.01 to 100.", valueName: "factor"))
  var speed: SpeedArgument?

  @Option(
    help: ArgumentHelp(
      "Frames per second, 1 to 60, or native: the animation's own times, limited to 60 per "
        + "second.", valueName: "rate"))
  var fps = FrameRateArgument.native

  @Option(
    help: ArgumentHelp(
      "The colour behind transparent parts and around the picture: six hexadecimal digits, black "
        + "or white.", valueName: "colour"))
  var background = PixelColor.black

  @Option(help: "Placement of a picture whose shape differs from that of the video.")
  var contentMode = ImportRequest.ContentMode.fit

  @Option(help: "Encode with this codec.")
  var codec = MovieCodec.h264

  @Option(
    help: ArgumentHelp(
      "Start at a frame (12, counted from 0), a percentage (50%) or a time (1.5s).",
      valueName: "place"))
  var from: ImportRequest.Position?

  @Option(help: ArgumentHelp("End before this point, given as for --from.", valueName: "place"))
  var to: ImportRequest.Position?

  @OptionGroup(title: "Lottie animations")
  var animationOptions: AnimationOptions

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    guard size.size == size.size.even else {
      throw ValidationError(
        "4:2:0 video needs even sides: use --size \(size.size.even) instead of \(size.size).")
    }
    _ = try MovieContainer(fileName: output)
  }

  private func request() throws -> ImportRequest {
    var request = ImportRequest(size: size.size)
    request.loopMode = loopMode
    request.speed = speed?.speed ?? .one
    request.rate = fps.rate
    request.background = background
    request.contentMode = contentMode
    request.codec = codec
    request.container = try MovieContainer(fileName: output)
    request.animation = animationOptions.edits
    (request.start, request.end) = (from, to)
    return request
  }

  func run() throws {
    let request = try request()
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let line = EncodingLine()
    let interrupt = Interrupt { line.clear() }
    var worst: Finding.Severity?
    try withExtendedLifetime(interrupt) {
      try OneFile.run(file.path) { () throws(InspectionError) in
        try OneFile.refuseExisting(output.path)
        let start = ContinuousClock.now
        let made: ImportedMovie
        do throws(InspectionError) {
          made = try inspector.run(
            ImportJob(request: request), on: Candidate(path: file.path), progress: line.show)
        } catch {
          line.clear()
          throw error
        }
        line.clear()
        let report = try AtomicFile.create(made.bytes, as: output.path) {
          written throws(InspectionError) in
          try check(written, inspector)
        }
        worst = report.findings.map(\.severity).max()
        let summary = Summary(
          [report], seconds: (ContinuousClock.now - start) / .seconds(1))
        let text =
          ImportText(style: Terminal.outputStyle, width: Terminal.outputWidth).render(
            made.report, request, source: file.path, output: output.path)
          + TextReport(style: Terminal.outputStyle, width: Terminal.outputWidth).render(
            [report], summary: summary)
          + ImportText(style: Terminal.outputStyle, width: Terminal.outputWidth).advice(
            report, request, source: file.path)
        try OneFile.print(Array(text.utf8))
      }
    }
    if worst == .error { throw ExitStatus.findings.code }
  }

  /// What check says of the video, which still has a temporary name.
  private func check(
    _ written: FilePath, _ inspector: any JobRunner
  ) throws(InspectionError) -> CandidateReport {
    let inspection = try inspector.inspect(
      Candidate(path: written), InspectionRequest(settlesDoubts: true)
    ).inspection
    return CandidateReport(judging: inspection, of: output.path)
  }
}
