import ArgumentParser
import ArtworkLottie
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct PreviewCommand: PictureCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Write the first displayed frame of a video or animation as PNG or WebP.",
    discussion: """
      The picture is upright, in sRGB, with square pixels. HDR is tone-mapped; transparency is \
      kept. For an output name that ends in .webp, writes lossless WebP with the same pixels; \
      doctor shows whether this build supports it. Prints the path of the picture. With -o -, \
      writes a PNG to standard output.

      Exit codes: 0 written, 2 the video could not be read or inspected, or the picture could not \
      be written, 64 usage error, 130 interrupted.
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

  static let formats = [FileFormat.png, .webp]

  /// The video's name with another extension, in the current folder. An animated PNG may be there.
  var defaultTarget: FilePath {
    var target = FilePath(root: nil, file.path.lastComponent.map { [$0] } ?? ["preview"])
    let isPNG = target.extension?.lowercased() == "png"
    target.extension = nil
    return target.suffixed(isPNG ? ".preview.png" : ".png")
  }

  func draw(as format: FileFormat, _ run: MakingRun) async throws -> [UInt8] {
    var edits = source.edits
    edits.start = at.map(AnimationTime.init)
    return try await run.value(
      of: run.pipeline.preview(
        of: file.path, fitting: size?.size, format: format, changing: edits))
  }
}
