import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct SeamCommand: PictureCommand {
  static let configuration = CommandConfiguration(
    commandName: "seam",
    abstract: "Draw the seam: where a video's end meets its start.",
    discussion: """
      Draws the verdict of check --thorough, the last three and the first three frames, a map of \
      the differences between the last and the first frame with the worst block outlined, and a \
      curve of the steps from frame to frame, including the seam. Prints the path of the PNG. \
      With -o -, writes the PNG to standard output.

      Exit codes: 0 written, 2 the video could not be read or inspected, or the PNG could not be \
      written, 64 usage error, 69 a required part of the sandbox is missing, 130 interrupted.
      """)

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(
    name: .shortAndLong,
    help: "Write to this file, or - for standard output; the default is <name>.seam.png here.")
  var output: PathArgument?

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  static let formats = [PreviewFormat.png]

  var defaultTarget: FilePath { LoopFiles(clip: file.path).seam }

  func draw(as format: PreviewFormat, _ run: MakingRun) throws -> [UInt8] {
    try run.pipeline.runner.run(SeamJob(), on: Candidate(path: file.path)).picture
  }
}
