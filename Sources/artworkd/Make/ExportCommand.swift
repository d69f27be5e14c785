import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Make an animated WebP, PNG, GIF or AVIF from a video, for places that cannot play video.",
    discussion: """
      Loops forever, with frame durations as exact as the format allows, and keeps \
      transparency, which AVIF has none of. With --max-bytes, size, rate and quality are reduced as little as possible. The \
      result is measured as check does before it gets its name; one that repeats worse than the \
      video is not written. Never replaces an existing file.

      Exit codes: 0 written, 2 the video could not be read, or the picture could not be made, \
      written or kept below --max-bytes, 64 usage error, 69 a required part of the sandbox is \
      missing, 130 interrupted.
      """)

  @Argument(help: "The video or animation.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help: "Write to this file; .webp, .png, .apng, .gif and .avif choose the format.")
  var output: PathArgument

  @Option(
    help: ArgumentHelp(
      "The largest size of the file: bytes, or for example 500K, 8M, 8MiB.", valueName: "bytes"))
  var maxBytes: ByteCountArgument?

  @Option(
    help: ArgumentHelp(
      "The largest width of the picture; the default is that of the video.", valueName: "pixels"))
  var width: Int?

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    _ = try AnimatedPicture.Format(fileName: output)
    if let width, !(16...16383).contains(width) {
      throw ValidationError("--width takes 16 to 16383.")
    }
  }

  func run() throws {
    let format = try AnimatedPicture.Format(fileName: output)
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let line = EncodingLine()
    let interrupt = Interrupt { line.clear() }
    try withExtendedLifetime(interrupt) {
      try SingleFile.run(file.path) { () throws(InspectionError) in
        try SingleFile.requirePlace(for: output.path)
        defer { line.clear() }
        let made = try PictureExporter(
          inspector, Candidate(path: file.path), as: format, width: width,
          mostBytes: maxBytes?.bytes, progress: line.show
        ).export()
        line.clear()
        try AtomicFile.create(made.bytes, as: output.path)
        let text = ExportText(style: Terminal.outputStyle, width: Terminal.outputWidth)
          .render(made, as: format, path: output.path)
        try SingleFile.print(Array(text.utf8))
      }
    }
  }
}

extension AnimatedPicture.Format {
  /// The format that the name of a new picture requests.
  ///
  /// - Throws: `ValidationError` for standard output and for any other extension.
  init(fileName output: PathArgument) throws {
    if output.isStandardStream {
      throw ValidationError("A picture cannot go to standard output: name a file.")
    }
    let ending = output.path.extension?.lowercased() ?? ""
    switch ending {
    case "webp": self = .webp
    case "png", "apng": self = .png
    case "gif": self = .gif
    case "avif": self = .avif
    default:
      throw ValidationError(
        "The output is a picture: use a name that ends in .webp, .png, .gif or .avif.")
    }
    if self == .webp, !PreviewFormat.webp.isAvailable {
      throw ValidationError("This artworkd was built without WebP: use a name that ends in .png.")
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

/// The result of `artworkd export`, for people.
private struct ExportText {
  var style: TextStyle
  var width: Int?

  func render(
    _ made: ExportedPicture, as format: AnimatedPicture.Format, path: FilePath
  ) -> String {
    let facts = made.inspection.facts
    var lines = [
      "\(path.string.printable): \(made.setting.size), \(facts.frameCount) frames, "
        + "\(decimal(facts.durationSeconds, places: 3)) s, \(made.bytes.count) bytes"
        + (made.seam.map { "; \($0.rawValue)" } ?? "")
    ]
    if made.setting != made.best {
      lines.append("to stay below the limit: " + changes(made, format).listed("and"))
    }
    return style.paint("✓ ", .good)
      + lines.map { TextWrap(width: width).lines($0, indent: 2).joined(separator: "\n  ") + "\n" }
      .joined(separator: "  ")
  }

  private func changes(_ made: ExportedPicture, _ format: AnimatedPicture.Format) -> [String] {
    let (now, best) = (made.setting, made.best)
    var changes: [String] = []
    if now.size != best.size { changes.append("\(now.size) instead of \(best.size)") }
    if now.rate != best.rate, let rate = now.rate {
      let before = best.rate?.value ?? made.source.facts.frameRate ?? rate.value
      changes.append(
        "\(decimal(rate.value, places: 3)) fps instead of \(decimal(before, places: 3))"
      )
    }
    if now.quality != best.quality {
      changes.append(
        format == .gif
          ? "\(now.quality) colours instead of \(best.quality)"
          : "quality \(now.quality) instead of \(best.quality)")
    }
    return changes
  }
}
