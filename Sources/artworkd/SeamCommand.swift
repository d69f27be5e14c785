import ArgumentParser
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
    if output?.isStandardStream == true, Terminal.outputIsTerminal {
      throw ValidationError("-o - writes a PNG, which is nothing for a terminal: name a file.")
    }
    // Before the first thread.
    let inspector = try isolation.inspector(jobs: 1)
    let interrupt = Interrupt {}
    try withExtendedLifetime(interrupt) {
      try OneFile.run(file.path) { () throws(InspectionError) in
        try OneFile.writePicture(
          inspector.drawSeam(Candidate(path: file.path)).picture, to: output,
          otherwise: LoopFiles(clip: file.path).seam)
      }
    }
  }
}
