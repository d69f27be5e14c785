import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct ImportCommand: ParsableCommand {
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
      a video could not be made or written, 64 usage error, 69 a required part of the sandbox \
      is missing, 130 interrupted.
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

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    if let size = size?.size, size != size.even {
      throw ValidationError(
        "4:2:0 video needs even sides: use --size \(size.even) instead of \(size).")
    }
    switch (output, outputDir) {
    case (nil, nil):
      throw ValidationError(
        "Name the new video with -o, or a folder for several with --output-dir.")
    case (_?, _?): throw ValidationError("-o and --output-dir cannot be combined.")
    case (let output?, nil):
      _ = try MovieContainer(fileName: output)
      guard files.count == 1, !files[0].isStandardStream else {
        throw ValidationError("-o takes one animation; for more, use --output-dir.")
      }
    case (nil, let folder?):
      if folder.isStandardStream {
        throw ValidationError("Videos cannot go to standard output: name a folder.")
      }
    }
    if files.count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given only once.")
    }
  }

  /// The recipe for a file with these facts.
  ///
  /// - Parameter facts: only called without `--size`.
  func recipe(
    _ facts: () throws(InspectionError) -> MediaFacts
  ) throws(InspectionError) -> Recipe {
    var frames = FrameSelection()
    (frames.start, frames.end, frames.order) = (from, to, loopMode)
    (frames.speed, frames.rate, frames.adapts) = (speed?.speed ?? .one, fps.rate, true)
    var drawing = Drawing()
    (drawing.background, drawing.contentMode) = (background, contentMode)
    drawing.animation = animationOptions.edits
    let container = output.flatMap { try? MovieContainer(fileName: $0) } ?? .mp4
    let own: PixelSize?
    if let size = size?.size {
      own = size
    } else {
      own = Recipe(encoding: try facts(), for: [.nowPlaying])?.encoding?.size
    }
    guard let own else {
      throw InspectionError(.notCopied, "its size is not known", advice: "name one with --size")
    }
    return Recipe(
      container: container, frames: frames,
      content: .pictures(Encoding(codec: codec, form: .drawn(drawing), size: own)))
  }

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let run = ImportRun(command: self, inspector: inspector)
    if let output { return try run.one(files[0].path, to: output.path) }
    guard let outputDir else { return }
    try Blocking.run { try await run.several(into: OutputFolder(path: outputDir.path)) }
  }
}
