public import ArgumentParser
import ArtworkModel
public import ArtworkPipeline
import SystemPackage

struct ExportCommand: FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Make an animated WebP, PNG, GIF, AVIF or WebM from a video, for places that cannot play MP4.",
    discussion: """
      The name after -o, which ends in .webp, .png, .apng, .gif, .avif or .webm, chooses the format. \
      Loops forever, with frame durations as exact as the format allows, and keeps \
      transparency. With --max-bytes, size, rate and quality are reduced as little as possible. The \
      result is measured as check does before it gets its name; one that repeats worse than the \
      video is not written. Never replaces an existing file.

      \(ExitStatus.words)
      """)

  /// Bytes of a picture from which on it is refused in many places.
  private static let large = 10_000_000

  @OptionGroup
  var inputs: InputOptions

  @Option(help: "With --output-dir, the format.")
  var to: FileFormat?

  @Option(
    help: ArgumentHelp(
      "The largest size of the file: bytes, or for example 500K, 8M, 8MiB.", valueName: "bytes"))
  var maxBytes: ByteCountArgument?

  @Option(
    help: ArgumentHelp(
      "The largest width of the picture; the default is that of the video.", valueName: "pixels"))
  var width: Int?

  @Option(help: ArgumentHelp("The most frames per second, 1 to 60.", valueName: "rate"))
  var fps: Int?

  @Option(
    help: ArgumentHelp(
      "The quality: 0 to 100 for WebP, 2 to 255 colours for GIF, 0 to 63 for AVIF and WebM.",
      valueName: "number"))
  var quality: Int?

  @OptionGroup
  var isolation: IsolationOptions

  func validate() throws {
    try inputs.validate(needsFolder: true)
    if output == nil, outputDir == nil {
      throw ValidationError("Name a file with -o, or a folder with --output-dir.")
    }
    if let output, to != nil {
      throw ValidationError("\(output.path) states the format.")
    }
    let chosen = try format()
    try to?.requireLibrary()
    try (16...16383).require(width, of: "--width")
    try (1...60).require(fps, of: "--fps")
    if let quality {
      guard let range = chosen.qualityRange else {
        throw ValidationError("A PNG has no loss: leave --quality out.")
      }
      guard range.contains(quality) else {
        throw ValidationError(
          "--quality takes \(range.lowerBound) to \(range.upperBound) for \(chosen.rawValue).")
      }
    }
  }

  private func format() throws -> FileFormat {
    try output.map { try FileFormat(fileName: $0) } ?? to ?? .webp
  }

  func make(_ input: Candidate, into made: inout [String], _ run: MakingRun) async throws {
    let format = try format()
    guard
      let target = output?.path ?? inputs.target(of: input, { "\($0).\(format.rawValue)" })
    else { return }
    if output == nil {
      try OutputFile.makeFolder(target.removingLastComponent(), or: "write into")
    }
    try OutputFile.requirePlace(for: target)
    let picture = try await run.value(
      of: run.pipeline.export(
        input.path, as: format, width: width, rate: fps, quality: quality,
        mostBytes: maxBytes?.bytes))
    run.line.clear()
    try AtomicFile.create(picture.bytes, as: target)
    run.warn(of: picture.rest, in: input.path)
    let (text, facts) = (MadeFileText(), picture.inspection.facts)
    made.append(
      text.made(
        target,
        [
          "\(picture.size)", counted(facts.frameCount, "frame"),
          "\(decimal(facts.durationSeconds, places: 3)) s", "\(picture.bytes.count) bytes",
        ], seam: picture.seam?.verdict.rawValue))
    if let rate = picture.loweredRate {
      made.append(
        text.note(
          "\(format.title) carries no higher rate, so it was lowered to \(decimal(rate, places: 3)) fps"
        ))
    }
    if picture.bytes.count > Self.large {
      made.append(
        text.warning(
          "chats and players refuse such large pictures: "
            + (format == .png || format == .gif
              ? "a name that ends in .avif or .webp makes a much smaller one"
              : "use --max-bytes, --width or --fps")))
    }
    if !picture.changes.isEmpty {
      made.append(text.note("to stay below the limit: " + picture.changes.listed("and")))
    }
  }
}

extension FileFormat: ExpressibleByArgument {
  public init?(argument: String) {
    guard let format = Self.animations.first(where: { $0.rawValue == argument }) else { return nil }
    self = format
  }

  public static var allValueStrings: [String] { animations.map(\.rawValue) }

  /// The format that the name of a new picture requests.
  ///
  /// - Throws: `ValidationError` for standard output and for any other extension.
  init(fileName output: PathArgument) throws {
    try output.refuseStream("A picture")
    let ending = output.path.extension?.lowercased() ?? ""
    guard let format = FileFormat(argument: ending == "apng" ? "png" : ending) else {
      throw ValidationError(
        "The output is a picture: use a name that ends in .webp, .png, .gif, .avif or .webm.")
    }
    self = format
    try requireLibrary()
  }

  /// - Throws: `ValidationError` for a format that this build cannot write.
  func requireLibrary() throws {
    guard isAvailable else {
      throw ValidationError("This artworkd was built without \(title): use PNG.")
    }
  }
}

/// `--max-bytes`: `500000`, `500K`, `8M`, `8MB` or `8MiB`.
struct ByteCountArgument: ExpressibleByArgument {
  var bytes: Int

  init?(argument: String) {
    guard let bytes = Quantity.bytes(argument) else { return nil }
    self.bytes = Int(bytes)
  }
}
