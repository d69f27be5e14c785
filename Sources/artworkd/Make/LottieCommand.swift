import ArgumentParser
import ArtworkLottie
import ArtworkModel
import ArtworkPipeline

/// Groups the commands that inspect Lottie animations.
struct LottieCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lottie",
    abstract: "Describe a Lottie animation, or read one of its properties.",
    discussion: """
      An animation is a Lottie document (.json), a dotLottie archive (.lottie) or a Telegram \
      sticker (.tgs). check, preview, seam, loop and import accept animations as well as videos.
      """,
    subcommands: [LottieInfoCommand.self, LottieGetCommand.self])
}

struct LottieInfoCommand: SingleFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "List the size, rate, markers, layers and properties of an animation.",
    discussion: """
      Also lists fonts, images outside the file, and features that are not drawn. Reads the file \
      without drawing it.

      \(ExitStatus.words)
      """)

  @Argument(help: "The animation.")
  var file: PathArgument

  @Option(help: "Name one animation of an archive; by default the one players begin with.")
  var animation: String?

  @Option(help: "The output format.")
  var format: OutputFormat = .text

  @OptionGroup
  var isolation: IsolationOptions

  func make(_ input: Candidate, into made: inout [String], _ run: MakingRun) throws {
    let summary = try run.pipeline.runner.run(AnimationSummaryJob(animation: animation), on: input)
    switch format {
    case .text: made.append(AnimationText(style: Terminal.outputStyle).render(summary))
    case .json:
      made.append(try JSONReport.document(AnimationDocument(path: file.path.string, summary)))
    }
  }
}

struct LottieGetCommand: SingleFileCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print the value of a property at a frame.",
    discussion: """
      Example: artworkd lottie get '**.Fill 1:color' cover.json --frame 12. Prints the value \
      in the form that --set takes.

      \(ExitStatus.words)
      """)

  @Argument(help: "The property: names from the outermost layer inwards, then :property.")
  var property: KeypathArgument

  @Argument(help: "The animation.")
  var file: PathArgument

  @Option(help: "The frame of the timeline; the default is the first.")
  var frame: Double?

  @Option(help: "Name one animation of an archive; by default the one players begin with.")
  var animation: String?

  @OptionGroup
  var isolation: IsolationOptions

  func validate() throws {
    if let frame, !frame.isFinite { throw ValidationError("--frame takes a number.") }
  }

  func make(_ input: Candidate, into made: inout [String], _ run: MakingRun) throws {
    let value = try run.pipeline.runner.run(
      AnimationValueJob(property.keypath, atFrame: frame, animation: animation), on: input)
    made.append("\(value)\n")
  }
}

/// `KEYPATH:property`, or a keypath that ends with the property's name.
struct KeypathArgument: ExpressibleByArgument {
  let keypath: AnimationKeypath

  init?(argument: String) {
    guard !argument.isEmpty else { return nil }
    // A name may have a colon, too; a property has no dot.
    let colon = argument.lastIndex(of: ":").flatMap { colon in
      argument[colon...].contains(".") ? nil : colon
    }
    let names = AnimationKeypath(keypath: String(argument[..<(colon ?? argument.endIndex)])).keys
    let property = colon.map { String(argument[argument.index(after: $0)...]) }
    keypath = AnimationKeypath(names + [property].compactMap(\.self))
  }
}
