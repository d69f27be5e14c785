import ArgumentParser
import ArtworkLottie
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct PreviewCommand: SingleFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Write the first displayed frame of a video or animation as PNG or WebP.",
    discussion: """
      The picture is upright, in sRGB, with square pixels. HDR is tone-mapped; transparency is \
      kept. For an output name that ends in .webp, writes lossless WebP with the same pixels; \
      doctor shows whether this build supports it. Prints the path of the picture. With -o -, \
      writes a PNG to standard output.

      \(ExitStatus.words)
      """)

  @Argument(help: "The video or animation.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help:
      "Write to this file, or - for standard output; the default is <name>.png here, and <name>.preview.png for a PNG."
  )
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Scale the picture to fit this size, keeping its aspect ratio; each side 1 to 16384.",
      valueName: "WIDTHxHEIGHT"))
  var size: SizeArgument?

  @Option(
    help: ArgumentHelp(
      "Draw a Lottie animation at this point: a frame, 25%, 1.5s or a marker.",
      valueName: "place"))
  var at: String?

  @OptionGroup(title: "Lottie animations")
  var source: AnimationSource

  @OptionGroup
  var isolation: IsolationOptions

  /// The video's name with another extension, in the current folder. An animated PNG may be there.
  private var defaultTarget: FilePath {
    var target = FilePath(root: nil, file.path.lastComponent.map { [$0] } ?? ["preview"])
    let isPNG = target.extension?.lowercased() == "png"
    target.extension = nil
    return target.suffixed(isPNG ? ".preview.png" : ".png")
  }

  private var target: FilePath { output?.path ?? defaultTarget }

  private func format() throws -> FileFormat {
    try output?.pictureFormat(among: [.png, .webp]) ?? .png
  }

  func inputs(_ configuration: Configuration) throws -> [Candidate] {
    _ = try format()
    if output?.isStandardStream != true {
      try OverwriteCheck.validate([target], over: [file.path], what: "picture")
    }
    return [Candidate(path: file.path)]
  }

  func make(_ input: Candidate, into made: inout [[UInt8]], _ run: MakingRun) async throws {
    var edits = source.edits
    edits.start = at.map(AnimationTime.init)
    let picture = try await run.value(
      of: run.pipeline.preview(
        of: file.path, fitting: size?.size, format: try format(), changing: edits))
    if output?.isStandardStream == true { return made.append(picture) }
    try OutputFile.write(picture, to: target)
    // Scripts get the exact bytes; a terminal gets no control characters.
    let printed = Terminal.outputIsTerminal ? Array(target.string.printable.utf8) : target.pathBytes
    made.append(printed + [UInt8(ascii: "\n")])
  }

  func output(_ made: [[UInt8]], of input: Candidate) -> [UInt8] { Array(made.joined()) }
}

extension PathArgument {
  /// The format of a picture with this name, from its extension. PNG for standard output and for other names.
  ///
  /// - Throws: `ValidationError` for a name with another format.
  func pictureFormat(among formats: [FileFormat]) throws -> FileFormat {
    if isStandardStream {
      if Terminal.outputIsTerminal {
        throw ValidationError("Refusing to write PNG to a terminal: name a file.")
      }
      return .png
    }
    guard let name = path.extension else { return .png }
    let asked = FileFormat(rawValue: name.lowercased())
    if let asked, formats.contains(asked), asked.isAvailable { return asked }
    // A PNG by another name would puzzle the user who opens it.
    let known = [
      "jpg", "jpeg", "jpe", "gif", "avif", "heic", "bmp", "tif", "tiff", "mp4", "m4v", "mov", "mkv",
      "webm",
    ]
    guard asked != nil || known.contains(name.lowercased()) else { return .png }
    var png = path
    png.extension = "png"
    if let asked, formats.contains(asked) {
      throw ValidationError(
        "This artworkd was built without \(asked.title): use -o \(png.string).")
    }
    let titles = formats.filter(\.isAvailable).map(\.title).listed("and")
    throw ValidationError("Only \(titles) can be written, not .\(name): use -o \(png.string).")
  }
}
