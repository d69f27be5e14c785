import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct SeamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seam",
    abstract: "Draw the seam: where a video's end meets its start.",
    discussion: """
      Draws the verdict of check --thorough, the last and the first three frames, a map of the \
      differences between last and first frame with the worst block framed, and a curve of the \
      steps between frames, the seam among them. Prints the path of the PNG, or the PNG itself \
      with -o -.

      Exit codes: 0 written, 2 the video could not be read or inspected, or the PNG could not be \
      written, 64 usage error, 69 no sandbox although required, 130 interrupted.
      """)

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help: "Write to this file, or - for standard output; by default <name>.seam.png here.")
  var output: PathArgument?

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func run() throws {
    try OneFile.draw(
      file.path, to: output, otherwise: LoopFiles(clip: file.path).seam, isolation: isolation
    ) { inspector, _ throws(InspectionError) in
      try inspector.drawSeam(Candidate(path: file.path)).picture
    }
  }
}
