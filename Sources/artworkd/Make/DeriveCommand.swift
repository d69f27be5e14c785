import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

struct DeriveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "derive",
    abstract: "Make the other variant of a video: a tall one from a square one, or the reverse.",
    discussion: """
      Crops the picture to its most interesting part: edges, motion and unusual colours count. The \
      crop does not move, because a moving crop would break the loop. The frame rate, the number \
      of frames, their times and the colours stay the same. Reports how much of the picture's \
      visual interest the crop keeps, and the next best crop. Look at the result: a program does \
      not know what matters in a picture.

      Writes H.264 without sound. HDR stays HDR, as 10-bit HEVC. Never replaces an existing file. \
      The new file is a different variant and needs its own artworkID.

      Exit codes: 0 written, 1 written, but it breaks a rule that the original does not, 2 the \
      video could not be read, or the new one could not be made or written, 64 usage error, 69 a \
      required part of the sandbox is missing, 130 interrupted.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, json
  }

  @Argument(help: "The video.")
  var file: PathArgument

  @Option(help: "The variant to make.")
  var key: ArtworkKey

  @Option(
    help: ArgumentHelp(
      "The point to keep in view: auto, center, or X,Y as percentages of the width and height, "
        + "for example 30,50.", valueName: "focus"))
  var focus = FocusArgument(focus: .auto)

  @Option(
    help: ArgumentHelp(
      "The size of the new video; the default is the largest without upscaling.",
      valueName: "WIDTHxHEIGHT"))
  var size: SizeArgument?

  @Option(
    help: ArgumentHelp("Make a video of each of these widths.", valueName: "width,..."))
  var sizes: WidthList?

  @Option(
    name: .shortAndLong,
    help: "Write to this .mp4 file; the default is <name>_<key>.mp4 here.")
  var output: PathArgument?

  @Flag(help: "Choose the crop, and write nothing.")
  var dryRun = false

  @Option(help: "The format of the results.")
  var format: Format = .text

  @OptionGroup(title: "Isolation")
  var isolation: IsolationOptions

  @OptionGroup
  var caching: CacheOption

  func validate() throws {
    if size != nil, sizes != nil { throw ValidationError("--size and --sizes cannot be combined.") }
    if let size = size?.size, size != key.size(width: size.width) {
      throw ValidationError(
        "\(size) is not a \(key.rawValue) size: use \(key.size(width: size.width)).")
    }
    if let output {
      if output.isStandardStream {
        throw ValidationError("A video cannot go to standard output: name a file.")
      }
      guard output.path.extension?.lowercased() == "mp4" else {
        throw ValidationError("The output is an MP4 file: use a name that ends in .mp4.")
      }
    }
  }

  func run() throws {
    // Before the first thread.
    let inspector = try isolation.prepare(jobs: 1).inspector
    let cache = caching.open()
    defer { cache?.finish() }
    let earlier = cache.map(MadeFiles.init)
    let line = EncodingLine()
    let interrupt = Interrupt(clearing: line)
    var wanted: [PixelSize?] = [size?.size]
    if let sizes {
      // Two widths may have one size with whole parts.
      wanted = []
      for size in sizes.widths.map(key.size(width:)) where !wanted.contains(size) {
        wanted.append(size)
      }
    }
    var hasNewErrors = false
    try withExtendedLifetime(interrupt) {
      try SingleFile.run(file.path) { () throws(InspectionError) in
        if !dryRun {
          for size in wanted {
            let target = target(width: sizes == nil ? nil : size?.width)
            if try !isMade(target, size, earlier) { try SingleFile.refuseExisting(target) }
          }
        }
        let candidate = Candidate(path: file.path)
        let source = try source(candidate, inspector, cache)
        var made: [DerivedFile] = []
        var failure: InspectionError?
        do throws(InspectionError) {
          for size in wanted {
            defer { line.clear() }
            made.append(try derive(candidate, size, source, inspector, earlier, line))
          }
        } catch {
          // Files that were made before the failure are still reported.
          failure = error
        }
        if let failure, made.isEmpty { throw failure }
        hasNewErrors = made.contains { !$0.newErrors.isEmpty }
        let text: String
        switch format {
        case .text:
          text = DeriveText(style: Terminal.outputStyle, width: Terminal.outputWidth)
            .render(made, of: file.path)
        case .json: text = try DeriveDocument.render(made, of: file.path)
        }
        try SingleFile.print(Array(text.utf8))
        if let failure { throw failure }
      }
    }
    if hasNewErrors { throw ExitStatus.findings.code }
  }

  private func derive(
    _ candidate: Candidate, _ size: PixelSize?, _ source: Inspection, _ inspector: any JobRunner,
    _ earlier: MadeFiles?, _ line: EncodingLine
  ) throws(InspectionError) -> DerivedFile {
    let planned = dryRun ? nil : target(width: sizes == nil ? nil : size?.width)
    let isMade = try planned.map { target throws(InspectionError) in
      try self.isMade(target, size, earlier)
    }
    let recipe = Recipe(deriving: key, of: source.facts, focus.focus, size: size)
    var clip: EncodedClip?
    let report: EncodingReport?
    if dryRun || isMade == true {
      report = try inspector.run(MakeJob(recipe: recipe, onlyPlans: true), on: candidate).report
    } else {
      clip = try inspector.encode(candidate, recipe, progress: line.show)
      report = clip?.report
    }
    guard let report, let crop = report.crop else {
      throw InspectionError(.workerFailed, "no part was chosen")
    }
    let target = dryRun ? nil : target(width: sizes == nil ? nil : crop.size.width)
    var inspection = clip?.inspection
    if let target, let clip {
      try AtomicFile.create(clip.movie, as: target)
      earlier?.keep(
        MadeFiles.Note(remaining: []), of: target, clip.movie, from: candidate,
        by: try request(size))
    } else if let target {
      inspection = try inspector.inspect(Candidate(path: target), InspectionRequest()).inspection
    }
    var derived = DerivedFile(
      crop, frameCount: report.frameCount, inspection, key: key, source: source, path: target)
    derived.isFromEarlier = isMade == true
    return derived
  }

  private struct Decisive: Encodable {
    var version = Artworkd.version
    var ffmpeg = FFmpegVersion.text
    var key: ArtworkKey
    var focus: Encoding.Focus
    var size: PixelSize?
  }

  private func request(_ size: PixelSize?) throws(InspectionError) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    do {
      let bytes = try encoder.encode(Decisive(key: key, focus: focus.focus, size: size))
      return "derive " + String(decoding: bytes, as: UTF8.self)
    } catch {
      throw InspectionError(.workerFailed, "the request cannot be encoded: \(error)")
    }
  }

  /// Whether an earlier run made this file of the same video in the same way.
  private func isMade(
    _ target: FilePath, _ size: PixelSize?, _ earlier: MadeFiles?
  ) throws(InspectionError) -> Bool {
    let request = try request(size)
    return earlier?.note(of: target, from: Candidate(path: file.path), by: request) != nil
  }

  /// The measurements of the video, if `check` has cached them.
  private func source(
    _ candidate: Candidate, _ inspector: any JobRunner, _ cache: InspectionCache?
  ) throws(InspectionError) -> Inspection {
    let request = InspectionRequest(settlesDoubts: true)
    guard let cache else { return try inspector.inspect(candidate, request).inspection }
    return try CachingInspector(inspector, limits: inspector.limits, cache: cache)
      .inspect(candidate, request).inspection
  }

  /// `song_1x1.mov` becomes `song_3x4.mp4`.
  private func target(width: Int?) -> FilePath {
    let suffix = width.map { "-\($0)" } ?? ""
    if let output {
      var path = output.path
      path.extension = nil
      return path.suffixed("\(suffix).mp4")
    }
    var name = FilePath(root: nil, file.path.lastComponent.map { [$0] } ?? ["video"])
    name.extension = nil
    for other in ArtworkKey.allCases {
      let ending = Array("_\(other.rawValue)".utf8)
      if name.pathBytes.count > ending.count, name.pathBytes.suffix(ending.count) == ending[...] {
        name = FilePath(bytes: name.pathBytes.dropLast(ending.count))
      }
    }
    return name.suffixed("_\(key.rawValue)\(suffix).mp4")
  }
}

/// `--focus`.
struct FocusArgument: ExpressibleByArgument {
  var focus: Encoding.Focus

  init(focus: Encoding.Focus) { self.focus = focus }

  var defaultValueDescription: String { "auto" }

  init?(argument: String) {
    switch argument {
    case "auto": focus = .auto
    case "center": focus = .center
    default:
      let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
        .compactMap { Double($0) }
      guard parts.count == 2, parts.allSatisfy({ (0...100).contains($0) }) else { return nil }
      focus = .point(x: parts[0] / 100, y: parts[1] / 100)
    }
  }
}

/// `--sizes`: widths separated by commas.
struct WidthList: ExpressibleByArgument {
  var widths: [Int]

  init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    widths = parts.compactMap { Int(plainDigits: $0) }
    guard widths.count == parts.count, widths.allSatisfy({ (6...16384).contains($0) }) else {
      return nil
    }
  }
}
