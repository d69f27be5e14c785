import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct AnimateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "animate",
    abstract: "Make a loop from a still cover: the picture moves, or its light does.",
    discussion: """
      Writes NAME_1x1.mp4 and NAME_3x4.mp4 in H.264 for a PNG or JPEG file NAME. The first frame is \
      the cover itself, in the shape of the variant; what a shape cannot show is cut off where \
      derive would. Drift and breathe move the whole picture, parallax what is near more than what is \
      far, light, shimmer and grain change its light. Each loop is judged as check does; if one \
      does not loop seamlessly, none is written. Never replaces an existing file.

      Exit codes: 0 written, 1 written, but it breaks a rule, 2 the cover could not be read, or a \
      video could not be made or written, 64 usage error, 69 a required part of the sandbox is \
      missing, 130 interrupted.
      """)

  @Argument(help: "The cover, a PNG or JPEG file.")
  var cover: PathArgument

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to this folder, which is made if needed.", valueName: "dir"))
  var output: PathArgument

  @Option(help: "Make only this variant.")
  var key: ArtworkKey?

  @Option(help: "What moves.")
  var motion = Motion.Kind.drift

  @Option(help: "The length of the loop, 2 to 30 seconds.")
  var seconds = 8.0

  @Option(help: "How far the picture moves, or how much its light changes, 0.25 to 2.")
  var strength = 1.0

  @Option(help: "Another number makes another loop: other directions, other grain.")
  var seed: UInt32 = 1

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

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    if output.isStandardStream {
      throw ValidationError("Videos cannot go to standard output: name a folder.")
    }
    guard Motion.seconds.contains(seconds) else {
      throw ValidationError("--seconds takes 2 to 30.")
    }
    guard Motion.strengths.contains(strength) else {
      throw ValidationError("--strength takes 0.25 to 2.")
    }
    if let width {
      guard (16...4096).contains(width) else {
        throw ValidationError("--width takes 16 to 4096.")
      }
      for key in keys where key.size(width: width).width != width {
        throw ValidationError(
          "No \(key.rawValue) video with even sides is \(width) pixels wide: use --width "
            + "\(key.size(width: width).width).")
      }
    }
  }

  private var keys: [ArtworkKey] { key.map { [$0] } ?? ArtworkKey.allCases }

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let line = EncodingLine()
    let interrupt = Interrupt {
      line.clear()
      Interrupt.notify()
    }
    var worst: Finding.Severity?
    try withExtendedLifetime(interrupt) {
      try SingleFile.run(cover.path) { () throws(InspectionError) in
        try OutputFolder.make(output.path)
        for key in keys { try SingleFile.requirePlace(for: target(key)) }
        defer { line.clear() }
        // All are made before the first is written: if one is refused, none is written.
        var loops: [(made: AnimatedCover, movie: [UInt8])] = []
        for key in keys { loops.append(try animate(key, inspector, line)) }
        var files = NewFiles()
        do throws(InspectionError) {
          for loop in loops { try files.create(loop.movie, as: loop.made.path) }
        } catch {
          files.removeAll()
          throw error
        }
        line.clear()
        let text = AnimateText(style: Terminal.outputStyle, width: Terminal.outputWidth)
        worst = loops.flatMap(\.made.findings).map(\.severity).max()
        try SingleFile.print(Array(loops.map { text.render($0.made) }.joined().utf8))
      }
    }
    if worst == .error { throw ExitStatus.findings.code }
  }

  private func animate(
    _ key: ArtworkKey, _ inspector: any JobRunner, _ line: EncodingLine
  ) throws(InspectionError) -> (made: AnimatedCover, movie: [UInt8]) {
    let motion = Motion(motion, seconds: seconds, strength: strength, seed: seed)
    let recipe = Recipe(moving: motion, key: key, focus: focus.focus, width: width)
    let clip = try inspector.encode(Candidate(path: cover.path), recipe, progress: line.show)
    let made = try AnimatedCover(
      clip.report, clip.inspection, motion, key: key, path: target(key))
    return (made, clip.movie)
  }

  /// `cover.jpg` becomes `cover_1x1.mp4`.
  private func target(_ key: ArtworkKey) -> FilePath {
    var name = FilePath(root: nil, cover.path.lastComponent.map { [$0] } ?? ["cover"])
    name.extension = nil
    return output.path.pushing(name).suffixed("_\(key.rawValue).mp4")
  }
}
