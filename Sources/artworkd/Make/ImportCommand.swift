import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct ImportCommand: MakingCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Make videos from animations (Lottie, GIF, animated PNG or WebP) or other videos.",
    discussion: """
      Writes H.264 or HEVC without sound, in BT.709, with the header first and the frames' exact \
      times. Checks the result before writing it. Never replaces an \
      existing file.

      In folders, it takes every animation and leaves videos alone.

      Exit codes: 0 written, 1 written, but one breaks a rule, 2 a file could not be read, or \
      a video could not be made or written, 64 usage error, 130 interrupted.
      """)

  @Argument(
    help: ArgumentHelp(
      "The animation or video; with --output-dir several, and folders, which are searched for animations.",
      valueName: "file"))
  var files: [PathArgument]

  @Option(
    name: .shortAndLong,
    help: "Write to this file; .mp4, .m4v and .mov choose the container.")
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Write the new videos under this folder, as <name>.mp4, each in its place below the folder that was searched.",
      valueName: "dir"))
  var outputDir: PathArgument?

  @Option(
    help: ArgumentHelp(
      "The size of the video; both sides must be even. The default is that of the animation, and 1080 pixels for a "
        + "small Lottie drawing.", valueName: "WIDTHxHEIGHT"))
  var size: SizeArgument?

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

  @OptionGroup(title: "Folders")
  var search: SearchOptions

  @OptionGroup
  var isolation: IsolationOptions

  func validate() throws {
    if let size = size?.size, size != size.even {
      throw ValidationError(
        "4:2:0 video needs even sides: use --size \(size.even) instead of \(size).")
    }
    if output == nil, outputDir == nil {
      throw ValidationError(
        "Name the new video with -o, or a folder for several with --output-dir.")
    }
    try Destination.validate(output, outputDir, of: files, kind: "animation")
  }

  private var destination: Destination { Destination(output, outputDir) ?? .folder(".") }

  func settings() throws -> Configuration {
    var configuration = Configuration()
    try search.apply(to: &configuration)
    return configuration
  }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    if output != nil { return [Candidate(path: files[0].path)] }
    return try selection(configuration).candidates().filter {
      !destination.holds($0, among: files.map(\.path))
    }
  }

  private func selection(_ configuration: Configuration) -> CandidateSelection {
    CandidateSelection(
      paths: files.map(\.path), configuration: configuration)
  }

  func make(
    _ input: Candidate, into made: inout [MadeFileReport], _ run: MakingRun
  ) async throws {
    var facts: MediaFacts?
    if input.folder != nil {
      facts = try run.pipeline.runner.facts(of: input)
      // A video that is named explicitly is wanted.
      if facts?.isAnimation == false { return }
    }
    let target = destination.target(of: input)
    try OutputFile.refuseExisting(target)
    let video = try await run.value(
      of: run.pipeline.importAnimation(
        input.path, beneath: input.folder, size: size?.size, frames: frames, drawing: drawing,
        codec: codec, container: output.map { try MovieContainer(fileName: $0) } ?? .mp4,
        facts: facts))
    if output == nil {
      try destination.create(video.bytes, as: target)
    } else {
      try AtomicFile.create(video.bytes, as: target)
    }
    run.warn(of: video.encoding?.rest, in: input.path)
    if let encoding = video.encoding {
      made.append(MadeFileReport(encoding, video.inspection, of: input.path, as: target))
    }
  }

  private var frames: FrameSelection {
    var frames = FrameSelection()
    (frames.start, frames.end, frames.order) = (from, to, loopMode)
    (frames.speed, frames.rate) = (speed?.speed ?? .one, fps.rate)
    frames.countsFromInPoint = true
    return frames
  }

  private var drawing: Drawing {
    var drawing = Drawing()
    (drawing.background, drawing.contentMode) = (background, contentMode)
    drawing.animation = animationOptions.edits
    return drawing
  }

  func output(_ made: [MadeFileReport], of input: Candidate) -> [UInt8] {
    made.flatMap { text(of: $0).utf8 }
  }

  func close(_ results: MakingResults<MadeFileReport>) throws -> ExitStatus {
    let reports = results.made.compactMap(\.after)
    if outputDir != nil { notices(results) }
    if !reports.isEmpty {
      let summary = Summary(reports, seconds: results.seconds)
      var setting = ReportSetting(toolVersion: Artworkd.version)
      (setting.style, setting.width) = (Terminal.outputStyle, Terminal.outputWidth)
      setting.places = [outputDir?.path].compactMap(\.self)
      let text = TextReport.render(
        output == nil ? .text : .full,
        CheckReport(results: reports, summary: summary, profiles: [.nowPlaying]), setting)
      Terminal.emit {
        (output == nil ? "\n" : "") + text
          + (output == nil ? "" : results.made.map(advice).joined())
      }
    }
    return results.made.contains { !$0.newErrors.isEmpty } ? .findings : .success
  }

  /// Prints what was not done, and why.
  private func notices(_ results: MakingResults<MadeFileReport>) {
    let videos = results.inputs.count - results.made.count - results.failures
    if videos > 0 {
      Terminal.printError(
        "artworkd: \(videos) video\(videos == 1 ? " is" : "s are") skipped; artworkd repair fixes videos\n"
      )
    }
    if results.made.isEmpty, results.failures == 0 {
      Terminal.printError(
        "artworkd: no animations in \(selection(Configuration()).place.printable)\n")
    }
  }
}

extension ImportCommand {
  /// The written file, and the changes made on the way.
  private func text(of made: MadeFileReport) -> String {
    let (style, encoding) = (Terminal.outputStyle, made.encoding)
    func length(_ frames: Int, _ seconds: Double) -> String {
      "\(frames) frame\(frames == 1 ? "" : "s"), \(decimal(seconds, places: 3)) s"
    }
    var text =
      style.paint(made.output?.string.printable ?? "", .heading) + "  made from "
      + "\(made.source.string.printable): \(length(encoding.frameCount, encoding.durationSeconds))"
    if encoding.sourceFrames != encoding.frameCount {
      text += " of \(length(encoding.sourceFrames, encoding.sourceSeconds))"
    }
    return text + "\n" + notes(encoding).map { MadeFileText().note($0) }.joined()
  }

  private func notes(_ encoding: EncodingReport) -> [String] {
    var notes: [String] = []
    if encoding.isFlattened {
      let name =
        background == .black ? "black" : "#" + background.defaultValueDescription
      notes.append("Transparent parts show the background: \(name) (--background).")
    }
    if let rate = encoding.loweredRate {
      notes.append(
        "The frame rate is above \(FrameSelection.highestRate) fps, and was lowered to "
          + "\(decimal(rate, places: 3)) fps.")
    }
    if encoding.raisedDelays > 0 {
      notes.append(
        "\(encoding.raisedDelays) \(encoding.raisedDelays == 1 ? "frame has" : "frames have") a delay of 0 or "
          + "10 ms, shown for 100 ms, as in browsers.")
    }
    return notes
  }

  /// Advice for a loop that does not close; empty for one that does.
  private func advice(on made: MadeFileReport) -> String {
    guard let seam = made.after?.seam, seam.verdict.weight != .good else { return "" }
    var ways = ["artworkd loop \(made.source.string.printable) finds the parts that loop"]
    if [.loop, .once].contains(loopMode) {
      ways.append("--loop-mode auto-reverse plays it forward and backward")
    }
    let text = "To close the loop: " + ways.joined(separator: "; ") + "."
    return TextWrap(width: Terminal.outputWidth).lines(text, indent: 0)
      .map { Terminal.outputStyle.paint($0, .link) }.joined(separator: "\n") + "\n"
  }
}
