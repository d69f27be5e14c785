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
  var loopMode = FrameSelection.Order.loop

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
  var contentMode = Drawing.ContentMode.fit

  @Option(help: "Encode with this codec.")
  var codec = MovieCodec.h264

  @Option(
    help: ArgumentHelp(
      "Start at a frame (12, counted from 0), a percentage (50%) or a time (1.5s).",
      valueName: "place"))
  var from: FrameSelection.Position?

  @Option(help: ArgumentHelp("End before this point, given as for --from.", valueName: "place"))
  var to: FrameSelection.Position?

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

  private func recipe() throws -> Recipe {
    var frames = FrameSelection()
    (frames.start, frames.end, frames.order) = (from, to, loopMode)
    (frames.speed, frames.rate, frames.adapts) = (speed?.speed ?? .one, fps.rate, true)
    var drawing = Drawing()
    (drawing.background, drawing.contentMode) = (background, contentMode)
    drawing.animation = animationOptions.edits
    return Recipe(
      container: try MovieContainer(fileName: output), frames: frames,
      content: .pictures(Encoding(codec: codec, form: .drawn(drawing), size: size.size)))
  }

  func run() throws {
    let recipe = try recipe()
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let line = EncodingLine()
    let interrupt = Interrupt { line.clear() }
    var worst: Finding.Severity?
    try withExtendedLifetime(interrupt) {
      try OneFile.run(file.path) { () throws(InspectionError) in
        try OneFile.refuseExisting(output.path)
        let start = ContinuousClock.now
        let made: EncodedClip
        do throws(InspectionError) {
          made = try inspector.encode(Candidate(path: file.path), recipe, progress: line.show)
        } catch {
          line.clear()
          throw error
        }
        line.clear()
        let report = CandidateReport(judging: made.inspection, of: output.path)
        try AtomicFile.create(made.movie, as: output.path)
        worst = report.findings.map(\.severity).max()
        let summary = Summary(
          [report], seconds: (ContinuousClock.now - start) / .seconds(1))
        let text =
          ImportText(style: Terminal.outputStyle, width: Terminal.outputWidth).render(
            made.report, recipe, source: file.path, output: output.path)
          + TextReport(
            style: Terminal.outputStyle, layout: .full, width: Terminal.outputWidth
          ).render(
            [report], summary: summary)
          + ImportText(style: Terminal.outputStyle, width: Terminal.outputWidth).advice(
            report, recipe, source: file.path)
        try OneFile.print(Array(text.utf8))
      }
    }
    if worst == .error { throw ExitStatus.findings.code }
  }
}
