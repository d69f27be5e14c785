import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import SystemPackage

struct LoopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop",
    abstract: "Find the parts of a video that loop, and how to cut them out.",
    discussion: """
      For a video that does not loop, or is too long. Names the best parts with frame numbers, \
      times, what check will say of the seam, and ffmpeg commands that cut exactly these \
      frames; without loss where key frames allow. Where nothing loops, offers a dissolve.

      Writes two pictures of the best one into this folder: <name>.loop-strip.png, its last and \
      first frames, and <name>.loop.png, an animated PNG of the seam, again and again.

      Exit codes: 0 searched, whatever was found, 2 the video could not be read or inspected or a \
      picture not be written, 64 usage error, 69 no sandbox though required, 130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(help: "How many parts to name at most, 1 to \(TrimRequest.mostCandidates).")
  var count = 5

  @Option(
    help: ArgumentHelp(
      "Parts are shorter than this many seconds; the default is what Apple asks for.",
      valueName: "seconds"))
  var longest = Profile.usualDurationBelow

  @Option(
    help: ArgumentHelp(
      "Parts are at least this many seconds long, or half of the clip where that is less.",
      valueName: "seconds"))
  var shortest = TrimRequest.usualShortest

  @Option(help: "Where to write the strip.")
  var strip: PathArgument?

  @Option(help: "Where to write the animation.")
  var animation: PathArgument?

  @Flag(help: "Write no pictures.")
  var noPictures = false

  @Option(help: "How to print what was found.")
  var format: Format = .text

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    guard (1...TrimRequest.mostCandidates).contains(count) else {
      throw ValidationError("--count takes 1 to \(TrimRequest.mostCandidates).")
    }
    // A day: more than any clip has, and no number that cannot be counted with.
    guard longest > 0, longest <= 86_400, shortest >= 0, shortest < longest else {
      throw ValidationError(
        "--shortest and --longest take seconds, and the first has to be less.")
    }
    if strip?.isStandardStream == true || animation?.isStandardStream == true {
      throw ValidationError("Pictures go to files: standard output has the text.")
    }
    if noPictures, strip != nil || animation != nil {
      throw ValidationError("--no-pictures excludes --strip and --animation.")
    }
  }

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.inspector(jobs: 1)
    let interrupt = Interrupt {}
    try withExtendedLifetime(interrupt) {
      try OneFile.run(file.path) { () throws(InspectionError) in
        let files = LoopFiles(clip: file.path)
        let request = TrimRequest(shortest: shortest, below: longest, count: count)
        let found = try inspector.findLoops(
          Candidate(path: file.path), request, withPictures: !noPictures)
        let strip = try OneFile.write(found.strip, to: strip?.path ?? files.strip)
        let animation = try OneFile.write(found.animation, to: animation?.path ?? files.animation)
        var text: String
        switch format {
        case .json:
          do {
            text = try LoopDocument.render(
              found.report, of: files, strip: strip, animation: animation)
          } catch {
            throw InspectionError(.workerFailed, "the result cannot be encoded: \(error)")
          }
        case .text:
          text = LoopText(style: Terminal.outputStyle).render(found.report, of: files)
          if let strip, let animation {
            text += "\nThe seam of the best: \(strip.string.printable) (strip), "
            text += "\(animation.string.printable) (animation)\n"
          }
        }
        try OneFile.print(Array(text.utf8))
      }
    }
  }
}
