import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct SeamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seam",
    abstract: "Draw where a video's end meets its start.",
    discussion: """
      A PNG with what check --thorough says of the seam, the last and the first three frames, a map \
      of where the last and the first one differ with the most surprising block framed, and the \
      steps from frame to frame with the seam among them. The path of the PNG is printed, unless \
      the PNG itself is.

      Exit codes: 0 written, 2 the video could not be read or inspected or the picture not be \
      written, 64 usage error, 69 no sandbox though required, 130 interrupted.
      """)

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help: "Where to write, - for standard output; the default is <name>.seam.png in this folder.")
  var output: PathArgument?

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func run() throws {
    try OneFile.draw(
      file.path, to: output, otherwise: LoopFiles(clip: file.path).seam, isolation: isolation
    ) { inspector throws(InspectionError) in
      try inspector.drawSeam(Candidate(path: file.path)).picture
    }
  }
}
