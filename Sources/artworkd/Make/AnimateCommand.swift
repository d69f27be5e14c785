import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct AnimateCommand: MakingCommand {
  static let configuration = CommandConfiguration(
    commandName: "animate",
    abstract: "Make a loop from a still cover: the picture moves, or its light does.",
    discussion: """
      Writes NAME_1x1.mp4 and NAME_3x4.mp4 in H.264 for a PNG, JPEG, WebP or AVIF file NAME, or for the cover \
      of each folder below a named one, which keeps its place. The first frame is \
      the cover itself, in the shape of the variant; what a shape cannot show is cut off where \
      derive would. Drift and breathe move the whole picture, parallax what is near more than what is \
      far, light changes its light. If encoding leaves a seam in one of them, none is \
      written. Never replaces an existing file.

      \(ExitStatus.words)
      """)

  @Argument(help: "Covers, and folders with covers.")
  var covers: [PathArgument]

  @Option(
    name: [.short, .customLong("output"), .customLong("output-dir")],
    help: ArgumentHelp("Write to this folder, which is made if needed.", valueName: "dir"))
  var output: PathArgument

  @Option(help: "Make only this variant.")
  var key: ArtworkKey?

  @Option(help: "What moves; auto takes what suits the cover.")
  var motion = Motion.Kind.auto

  @Option(help: "The length of the loop, 2 to 30 seconds.")
  var seconds = 8.0

  @Option(help: "How far the picture moves, or how much its light changes, 0.25 to 2.")
  var strength = 1.0

  @Option(
    help: ArgumentHelp(
      "The point that the tall variant keeps in view: auto, center, or X,Y as percentages of the "
        + "width and height, for example 30,50.", valueName: "focus"))
  var focus = FocusArgument(focus: .auto)

  @Option(
    help: ArgumentHelp(
      "The width of the videos; the default is that of the cover, at most 1080.",
      valueName: "pixels"))
  var width: Int?

  @Option(help: "The quality, 1 to 100; the default suits the motion.")
  var quality: Int?

  @Option(
    help: ArgumentHelp(
      "The largest size of each video: bytes, or for example 500K, 8M, 8MiB.", valueName: "bytes"))
  var maxBytes: ByteCountArgument?

  @OptionGroup
  var isolation: IsolationOptions

  func validate() throws {
    try output.requireFolder("Videos")
    try Motion.seconds.require(seconds, of: "--seconds")
    try Motion.strengths.require(strength, of: "--strength")
    try (1...100).require(quality, of: "--quality")
    try (16...4096).require(width, of: "--width")
    if let width {
      for key in keys where key.size(width: width).width != width {
        throw ValidationError(
          "No \(key.rawValue) video with even sides is \(width) pixels wide: use --width "
            + "\(key.size(width: width).width).")
      }
    }
  }

  private var keys: [ArtworkKey] { key.map { [$0] } ?? ArtworkKey.allCases }

  func inputs(_ configuration: Configuration) -> [Candidate] {
    let all = CandidateFinder.covers(covers.map(\.path))
    if all.isEmpty { Terminal.printError("artworkd: no covers in the folders\n") }
    return all
  }

  func make(
    _ input: Candidate, into made: inout [MadeFileReport], _ run: MakingRun
  ) async throws {
    try OutputFile.makeFolder(target(of: input, .square).removingLastComponent())
    for key in keys { try OutputFile.requirePlace(for: target(of: input, key)) }
    // All are made before the first is written: if one is refused, none is written.
    var loops: [(report: MadeFileReport, movie: [UInt8])] = []
    for key in keys {
      let video = try await run.value(
        of: run.pipeline.animate(
          input.path, Motion(motion, seconds: seconds, strength: strength), as: key,
          focus: focus.focus, width: width, quality: quality, mostBytes: maxBytes?.bytes))
      try requireLoop(video, key)
      if let encoding = video.encoding {
        loops.append(
          (
            MadeFileReport(
              encoding, video.inspection, of: input.path, as: target(of: input, key), key: key),
            video.bytes
          ))
      }
    }
    var files = NewFiles()
    do throws(InspectionError) {
      for (report, movie) in loops {
        if let path = report.output { try files.create(movie, as: path) }
      }
      files.keep()
    } catch {
      files.removeAll()
      throw error
    }
    made = loops.map(\.report)
  }

  /// The motion is closed, so that only the encoder can part its ends: by how much, and not which way the motion goes
  /// there, decides.
  ///
  /// - Throws: `video-not-written` for a loop that has a seam.
  private func requireLoop(_ video: MadeVideo, _ key: ArtworkKey) throws(InspectionError) {
    guard let seam = video.seam,
      seam.verdict.loops || seam.seamStep <= max(1.5 * seam.ownStep, 0.25)
    else {
      throw InspectionError(
        .videoNotWritten,
        "the \(key.rawValue) video would not repeat without a seam"
          + (video.seam.map { " (\($0.verdict.rawValue))" } ?? ""),
        advice: "use a higher --quality, or another --motion")
    }
  }

  /// `cover.jpg` becomes `cover_1x1.mp4`.
  private func target(of input: Candidate, _ key: ArtworkKey) -> FilePath {
    output.path.appending(input.previewStem.components).suffixed("_\(key.rawValue).mp4")
  }

  func output(_ made: [MadeFileReport], of input: Candidate) -> [UInt8] {
    made.flatMap { text(of: $0).utf8 }
  }

  private func text(of made: MadeFileReport) -> String {
    guard let path = made.output else { return "" }
    let (text, encoding) = (MadeFileText(), made.encoding)
    let drawn = encoding.motion ?? motion
    var parts = [
      drawn.rawValue, "\(encoding.frameCount) frames",
      "\(decimal(encoding.durationSeconds, places: 3)) s",
    ]
    var seam = "seamless"
    if let crop = encoding.crop {
      parts.append("\(crop.size)")
      if crop.window.score < 0.995 {
        seam =
          "shows \(decimal(crop.window.score * 100, places: 0)) % of the visual interest; seamless"
      }
    }
    var lines = text.made(path, parts, seam: seam)
    if encoding.crop?.isFlat == true {
      lines += text.warning(
        "no part stands out clearly, so the crop is in the middle; use --focus X,Y to choose another point"
      )
    }
    if encoding.crop?.cutsLines == true { lines += text.warning(CropReport.cutLines) }
    return lines + text.findings(of: made.after)
  }
}
