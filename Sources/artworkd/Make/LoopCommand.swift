import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct LoopCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "loop",
    abstract: "Find the parts of a video that loop, and cut one out.",
    discussion: """
      Use it for a video that does not loop or is too long. Lists the best parts with their frame \
      numbers, their times, the seam verdict that check will give them, and the command that cuts \
      each out. If no part loops, suggests a part whose end dissolves into its start.

      -o writes the best part, or the one that --part names, without encoding if keyframes allow \
      it: then every frame of the new file is compared with the original. Never replaces a file.

      Without -o, writes two pictures of the best part to the current folder: <name>.loop-strip.png with its \
      last and first frames, and <name>.loop.png, an animated PNG that repeats the seam.

      Exit codes: 0 search complete, whether or not a part loops, or with -o a part written, 2 the \
      video could not be read or inspected, no such part was found, or a file could not be \
      written, 64 usage error, 69 a required part of the \
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

  @Option(
    name: .shortAndLong,
    help: "Write a part to this file; .mp4, .m4v and .mov choose the container.")
  var output: PathArgument?

  @Option(
    help: ArgumentHelp(
      "The part to write: best, a number in the list, or dissolve.", valueName: "part"))
  var part = LoopPartArgument(part: .best)

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
    if let output { _ = try MovieContainer(fileName: output) }
    if output == nil, part.part != .best {
      throw ValidationError("--part says what -o writes: name a file with -o.")
    }
    if noPictures, strip != nil || animation != nil {
      throw ValidationError("--no-pictures cannot be combined with --strip or --animation.")
    }
  }

  func run() throws {
    let files = LoopFiles(
      clip: file.path,
      options: (longest == Profile.usualDurationBelow ? [] : ["--longest", "\(longest)"])
        + (shortest == TrimRequest.usualShortest ? [] : ["--shortest", "\(shortest)"]))
    let targets = (strip: strip?.path ?? files.strip, animation: animation?.path ?? files.animation)
    let withPictures = !noPictures && (output == nil || strip != nil || animation != nil)
    if withPictures {
      try OverwriteCheck.validate(
        [targets.strip, targets.animation], over: [file.path], what: "picture")
    }
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let line = EncodingLine()
    let interrupt = Interrupt(clearing: line)
    try withExtendedLifetime(interrupt) {
      try SingleFile.run(file.path) { () throws(InspectionError) in
        if let output { try SingleFile.requirePlace(for: output.path) }
        let cutter = LoopCutter(
          inspector, Candidate(path: file.path),
          into: output.flatMap { try? MovieContainer(fileName: $0) } ?? .mp4)
        var request = TrimRequest(shortest: shortest, below: longest, count: count)
        if case .numbered(let number) = part.part { request.count = max(count, number) }
        let found: LoopCandidates
        do throws(InspectionError) {
          found = try inspector.run(
            LoopJob(request: request, withPictures: withPictures), on: Candidate(path: file.path)
          ) { line.show($0, of: $1, "read") }
        } catch {
          line.clear()
          throw error
        }
        line.clear()
        // With a new video, only the pictures that were named.
        func writePictures() throws(InspectionError) -> (strip: FilePath?, animation: FilePath?) {
          (
            output == nil || self.strip != nil
              ? try SingleFile.write(found.strip, to: targets.strip) : nil,
            output == nil || self.animation != nil
              ? try SingleFile.write(found.animation, to: targets.animation) : nil
          )
        }
        if let output {
          _ = try writePictures()
          defer { line.clear() }
          let cut = try cutter.cut(part.part, found.report, progress: line.show)
          try AtomicFile.create(cut.movie, as: output.path)
          line.clear()
          try SingleFile.print(Array(try written(cut, to: output.path).utf8))
          return
        }
        // Print the parts even if the pictures cannot be written.
        switch format {
        case .json:
          var pictures: (strip: FilePath?, animation: FilePath?) = (nil, nil)
          var failure: InspectionError?
          do throws(InspectionError) { pictures = try writePictures() } catch { failure = error }
          let text: String
          do {
            text = try LoopDocument.render(
              found.report, of: files, strip: pictures.strip, animation: pictures.animation)
          } catch {
            throw InspectionError(.workerFailed, "the result cannot be encoded: \(error)")
          }
          try SingleFile.print(Array(text.utf8))
          if let failure { throw failure }
        case .text:
          try SingleFile.print(
            Array(LoopText(style: Terminal.outputStyle).render(found.report, of: files).utf8))
          let pictures = try writePictures()
          if let strip = pictures.strip, let animation = pictures.animation {
            try SingleFile.print(
              Array(
                "\nThe seam of the best part: \(strip.string.printable) (strip), \(animation.string.printable) (animation)\n"
                  .utf8))
          }
        }
      }
    }
  }
}

extension LoopCommand {
  /// The result of cutting the part, as text or JSON.
  private func written(_ cut: LoopCutter.Cut, to path: FilePath) throws(InspectionError) -> String {
    let report = CandidateReport(judging: cut.inspection, of: path)
    if format == .json {
      do { return try JSONReport.line(report) } catch {
        throw InspectionError(.workerFailed, "the result cannot be encoded: \(error)")
      }
    }
    let frames = "frames \(cut.frames.lowerBound) to \(cut.frames.upperBound - 1)"
    let seconds = "\(decimal(cut.inspection.facts.durationSeconds, places: 3)) s"
    return "\(path.string.printable): \(frames), \(seconds), "
      + (cut.isLossless ? "copied without encoding" : "encoded again")
      + ", seam \(report.seam?.verdict.rawValue ?? "none")\n"
      + cut.changes.map { "  \($0)\n" }.joined()
  }
}

/// `--part`: `best`, a number from 1 to ``TrimRequest/mostCandidates``, or `dissolve`.
struct LoopPartArgument: ExpressibleByArgument {
  var part: LoopCutter.Part

  init(part: LoopCutter.Part) { self.part = part }

  init?(argument: String) {
    switch argument {
    case "best": part = .best
    case "dissolve": part = .dissolved
    default:
      guard let number = Int(plainDigits: argument),
        (1...TrimRequest.mostCandidates).contains(number)
      else { return nil }
      part = .numbered(number)
    }
  }

  var defaultValueDescription: String { "best" }
}
