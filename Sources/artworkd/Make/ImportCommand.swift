public import ArgumentParser
import ArtworkModel
public import ArtworkPipeline
import SystemPackage

struct ImportCommand: FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Make videos from animations (Lottie, GIF, animated PNG or WebP) or other videos.",
    discussion: """
      Writes H.264 or HEVC without sound, in BT.709, with the header first and the frames' exact \
      times. Checks the result before writing it. Never replaces an \
      existing file.

      The name after -o, which ends in .mp4, .m4v or .mov, chooses the container. In folders, it takes every animation and leaves videos alone.

      \(ExitStatus.words)
      """)

  @OptionGroup
  var inputs: InputOptions

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
      "Start at a frame (12, as the animation numbers them), a percentage (50%) or a time (1.5s).",
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
    try inputs.validate("animation", takesFolder: true)
    _ = try output.map { try MovieContainer(fileName: $0) }
  }

  private var destination: Destination { Destination(inputs) ?? .folder(".") }

  func settings() throws -> Configuration {
    var configuration = Configuration()
    try search.apply(to: &configuration)
    return configuration
  }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    if output != nil { return [Candidate(path: paths[0].path)] }
    return try selection(configuration).candidates().filter {
      !destination.holds($0, among: paths.map(\.path))
    }
  }

  private func selection(_ configuration: Configuration) -> CandidateSelection {
    CandidateSelection(
      paths: paths.map(\.path), configuration: configuration)
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
    try destination.create(video.bytes, as: target)
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
      "\(counted(frames, "frame")), \(decimal(seconds, places: 3)) s"
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

extension MovieCodec: ExpressibleByArgument {
  /// The codecs that Apple systems play.
  private static let offered: [MovieCodec] = [.h264, .hevc]
  public static var allValueStrings: [String] { offered.map(\.rawValue) }

  public init?(argument: String) {
    guard let codec = Self.offered.first(where: { $0.rawValue == argument }) else { return nil }
    self = codec
  }
}

extension Drawing.ContentMode: ExpressibleByArgument {}
extension Motion.Kind: ExpressibleByArgument {}

extension MovieContainer {
  /// The container that the name of a new video requests.
  ///
  /// - Throws: `ValidationError` for standard output and for any other extension.
  init(fileName output: PathArgument) throws {
    try output.refuseStream("A video")
    switch output.path.extension?.lowercased() {
    case "mp4", "m4v": self = .mp4
    case "mov": self = .mov
    default:
      throw ValidationError(
        "The output is an MP4 or QuickTime file: use a name that ends in .mp4 or .mov.")
    }
  }
}

extension FrameSelection.Order: ExpressibleByArgument {
  /// Parses an argument, for example `auto-reverse` or `repeat:3`.
  public init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
    let count = parts.count == 2 ? Int(plainDigits: parts[1]) : nil
    switch (parts[0], count) {
    case ("loop", nil) where parts.count == 1: self = .loop
    case ("once", nil) where parts.count == 1: self = .once
    case ("auto-reverse", nil) where parts.count == 1: self = .autoReverse
    case ("repeat", let count?) where count > 0: self = .repeated(count)
    case ("repeat-back", let count?) where count > 0: self = .repeatedBack(count)
    default: return nil
    }
  }
}

extension FrameSelection.Position: ExpressibleByArgument {
  /// Parses an argument, for example `12`, `50%` or `1.5s`.
  public init?(argument: String) {
    if argument.hasSuffix("%") {
      guard let percent = Rational(decimal: argument.dropLast()), percent <= Rational(100) else {
        return nil
      }
      self = .progress(percent.value / 100)
    } else if argument.hasSuffix("s") {
      guard let seconds = Rational(decimal: argument.dropLast()) else { return nil }
      self = .seconds(seconds.value)
    } else {
      guard let frame = Int(plainDigits: argument) else { return nil }
      self = .frame(frame)
    }
  }
}

/// `--fps`.
enum FrameRateArgument: ExpressibleByArgument {
  case native
  case fixed(Rational)

  init?(argument: String) {
    if argument == "native" {
      self = .native
    } else if let rate = Rational(decimal: argument), rate >= .one,
      rate <= Rational(FrameSelection.highestRate)
    {
      self = .fixed(rate)
    } else {
      return nil
    }
  }

  var rate: Rational? {
    if case .fixed(let rate) = self { rate } else { nil }
  }
}

/// `--speed`: 0.01 to 100.
struct SpeedArgument: ExpressibleByArgument {
  var speed: Rational

  init?(argument: String) {
    guard let speed = Rational(decimal: argument),
      let slowest = Rational(1, 100), (slowest...Rational(100)).contains(speed)
    else { return nil }
    self.speed = speed
  }
}

extension PixelColor: ExpressibleByArgument {
  /// `black`, `white`, or six hexadecimal digits, with or without `#`.
  public init?(argument: String) {
    let names = ["black": "000000", "white": "ffffff"]
    let digits =
      names[argument] ?? (argument.hasPrefix("#") ? String(argument.dropFirst()) : argument)
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
      let code = UInt32(digits, radix: 16)
    else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
      blue: UInt8(truncatingIfNeeded: code))
  }

  public var defaultValueDescription: String {
    self == .black
      ? "black" : [red, green, blue].map { Array(CollectionOfOne($0)).hexadecimal }.joined()
  }
}

extension Rational {
  /// A number such as `24`, `29.97` or `30000/1001`, not below zero, with at most six decimals.
  init?(decimal text: some StringProtocol) {
    let fraction = text.split(separator: "/", omittingEmptySubsequences: false)
    if fraction.count == 2 {
      // With nine digits, products of two fractions are exact.
      guard fraction.allSatisfy({ $0.count <= 9 }), let top = Int64(plainDigits: fraction[0]),
        let bottom = Int64(plainDigits: fraction[1])
      else { return nil }
      self.init(top, bottom)
      return
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let decimals = parts.count == 2 ? String(parts[1]) : "0"
    guard parts.count <= 2, decimals.count <= 6, parts[0].count <= 9,
      let digits = Int64(plainDigits: "\(parts[0])\(decimals)"),
      Int64(plainDigits: decimals) != nil,
      let scale = Int64("1" + String(repeating: "0", count: decimals.count))
    else { return nil }
    self.init(digits, scale)
  }
}
