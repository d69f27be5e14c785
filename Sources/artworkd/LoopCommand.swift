import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct LoopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop",
    abstract: "Find the parts of a video that loop, and print commands that cut them out.",
    discussion: """
      Use it for a video that does not loop or is too long. Lists the best parts with their frame \
      numbers, their times, the seam verdict that check will give them, and ffmpeg commands that \
      cut exactly these frames, without encoding if keyframes allow it. If no part loops, suggests \
      a cross-fade.

      Writes two pictures of the best part to the current folder: <name>.loop-strip.png with its \
      last and first frames, and <name>.loop.png, an animated PNG that repeats the seam.

      Exit codes: 0 search complete, whether or not a part loops, 2 the video could not be read or \
      inspected, or a picture could not be written, 64 usage error, 69 a required part of the \
      sandbox is missing, 130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(help: "List at most this many parts, 1 to \(TrimRequest.mostCandidates).")
  var count = 5

  @Option(
    help: ArgumentHelp(
      "List only parts shorter than this; the default is Apple's limit.",
      valueName: "seconds"))
  var longest = Profile.usualDurationBelow

  @Option(
    help: ArgumentHelp(
      "List only parts at least this long, or at least half the clip if that is less.",
      valueName: "seconds"))
  var shortest = TrimRequest.usualShortest

  @Option(help: "Write the strip to this file.")
  var strip: PathArgument?

  @Option(help: "Write the animation to this file.")
  var animation: PathArgument?

  @Flag(help: "Write no pictures.")
  var noPictures = false

  @Option(help: "The format of the results.")
  var format: Format = .text

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  func validate() throws {
    guard (1...TrimRequest.mostCandidates).contains(count) else {
      throw ValidationError("--count takes 1 to \(TrimRequest.mostCandidates).")
    }
    // At most a day: larger numbers could overflow.
    guard longest > 0, longest <= 86_400, shortest >= 0, shortest < longest else {
      throw ValidationError(
        "--shortest and --longest take seconds, and --shortest must be less than --longest.")
    }
    if strip?.isStandardStream == true || animation?.isStandardStream == true {
      throw ValidationError("Pictures cannot go to standard output: name a file.")
    }
    if noPictures, strip != nil || animation != nil {
      throw ValidationError("--no-pictures cannot be combined with --strip or --animation.")
    }
  }

  func run() throws {
    let files = LoopFiles(clip: file.path)
    let targets = (strip: strip?.path ?? files.strip, animation: animation?.path ?? files.animation)
    if !noPictures {
      try Overwriting.validate(
        [targets.strip, targets.animation], over: [file.path], what: "picture")
    }
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let interrupt = Interrupt {}
    try withExtendedLifetime(interrupt) {
      try OneFile.run(file.path) { () throws(InspectionError) in
        let request = TrimRequest(shortest: shortest, below: longest, count: count)
        let found = try inspector.run(
          LoopJob(request: request, withPictures: !noPictures), on: Candidate(path: file.path))
        let strip = try OneFile.write(found.strip, to: targets.strip)
        let animation = try OneFile.write(found.animation, to: targets.animation)
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
            text += "\nThe seam of the best part: \(strip.string.printable) (strip), "
            text += "\(animation.string.printable) (animation)\n"
          }
        }
        try OneFile.print(Array(text.utf8))
      }
    }
  }
}
