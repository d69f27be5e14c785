import ArgumentParser
import ArtworkLottie
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct PreviewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Write the first displayed frame of a video or animation as PNG or WebP.",
    discussion: """
      The picture is upright, with square pixels, in sRGB. HDR is tone-mapped; transparency is \
      kept. An output name that ends in .webp asks for lossless WebP, with the same pixels; doctor \
      shows whether this build has it. Prints the path of the picture, or a PNG with -o -.

      Exit codes: 0 written, 2 the video could not be read or inspected, or the picture could not \
      be written, 64 usage error, 69 no sandbox although required, 130 interrupted.
      """)

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help: "Write to this file, or - for standard output; by default <name>.png here.")
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "Fit the picture into this size, keeping its aspect; each side 1 to 16384.",
      valueName: "WIDTHxHEIGHT"))
  var size: SizeArgument?

  @Option(
    help: ArgumentHelp(
      "Draw this place of a Lottie animation: a frame, 25%, 1.5s or a marker.",
      valueName: "place"))
  var at: String?

  @OptionGroup(title: "Lottie animations")
  var animationOptions: AnimationOptions

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func run() throws {
    try OneFile.draw(
      file.path, to: output, otherwise: Self.defaultTarget(of: file.path),
      formats: PreviewFormat.allCases, isolation: isolation
    ) { inspector, format throws(InspectionError) in
      try preview(of: file.path, as: format, inspector)
    }
  }

  /// The video's name with another extension, in the current folder.
  private static func defaultTarget(of file: FilePath) -> FilePath {
    var target = FilePath(root: nil, file.lastComponent.map { [$0] } ?? ["preview"])
    target.extension = "png"
    return target
  }

  private func preview(
    of file: FilePath, as format: PreviewFormat, _ inspector: any CandidateInspector
  ) throws(InspectionError) -> [UInt8] {
    let request = size.map { Inspector.PreviewRequest.fitted($0.size) } ?? .original
    var edits = animationOptions.edits
    edits.start = at.map(AnimationTime.init)
    guard
      let picture = try inspector.inspect(
        Candidate(path: file),
        InspectionRequest(preview: request, previewFormat: format, animation: edits)
      ).preview
    else {
      throw InspectionError(.noFrames, "no frame was decoded")
    }
    return picture
  }
}
