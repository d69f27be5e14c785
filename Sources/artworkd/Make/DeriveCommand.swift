import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

struct DeriveCommand: FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "derive",
    abstract: "Make the other variant of a video: a tall one from a square one, or the reverse.",
    discussion: """
      Crops the picture to its most interesting part: edges, motion and unusual colours count. The \
      crop does not move, because a moving crop would break the loop. The frame rate, the number \
      of frames, their times and the colours stay the same. Reports how much of the picture's \
      visual interest the crop keeps, and the next best crop. Look at the result: a program does \
      not know what matters in a picture.

      Writes <name>_<key>.mp4 here (3x4.mp4 of 1x1.mp4), or the .mp4 file that -o names, in H.264 without sound. HDR stays HDR, as 10-bit HEVC. Never replaces an existing file. \
      The new file is a different variant and needs its own artworkID.

      \(ExitStatus.words)
      """)

  @OptionGroup
  var inputs: InputOptions

  @Option(help: "The variant to make.")
  var key: ArtworkKey?

  @Flag(
    help:
      "Make the variants that releases lack, beside their videos or in --output-dir.")
  var missing = false

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

  @Flag(help: "Choose the crop, and make no video.")
  var dryRun = false

  @Option(
    help:
      "With --dry-run, draw the crop of one video in this .jpg file: frames with the crop marked, and the crop of each."
  )
  var picture: PathArgument?

  @Option(help: "The format of the results.")
  var format: OutputFormat = .text

  @OptionGroup
  var isolation: IsolationOptions

  @OptionGroup
  var cacheOption: CacheOption

  var caching: CacheOption? { cacheOption }

  func validate() throws {
    if size != nil, sizes != nil { throw ValidationError("--size and --sizes cannot be combined.") }
    try inputs.validate(needsFolder: !missing && !dryRun)
    if missing, output != nil { throw ValidationError("--missing names the files itself.") }
    if let picture {
      guard dryRun, !missing, inputs.single != nil else {
        throw ValidationError("--picture draws the crop of one video with --dry-run.")
      }
      try picture.refuseStream("A picture")
      guard ["jpg", "jpeg"].contains(picture.path.extension?.lowercased()) else {
        throw ValidationError("The picture is a JPEG file: use a name that ends in .jpg.")
      }
    }
    guard missing || key != nil else {
      throw ValidationError("Name the variant with --key, or use --missing.")
    }
    if let size = size?.size, let key, size != key.size(width: size.width) {
      throw ValidationError(
        "\(size) is not a \(key.rawValue) size: use \(key.size(width: size.width)).")
    }
    if let output {
      try output.refuseStream("A video")
      guard output.path.extension?.lowercased() == "mp4" else {
        throw ValidationError("The output is an MP4 file: use a name that ends in .mp4.")
      }
    }
  }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    let all = try await inputs.candidates(configuration)
    if let picture {
      try OverwriteCheck.validate([picture.path], over: all.map(\.path), what: "picture")
    }
    let catalogue = Catalogue(all, configuration)
    return all.indices.filter { variant(of: $0, in: catalogue) != nil }.map { all[$0] }
  }

  /// The variant to make of a video; `nil` for none. Of several, those with the wanted shape are left out.
  private func variant(of index: Int, in catalogue: Catalogue) -> ArtworkKey? {
    if inputs.single != nil, let key { return key }
    guard missing else { return catalogue.key(of: index) == key ? nil : key }
    // Animations become videos first.
    guard let place = catalogue.group(beginningWith: index)?.release,
      catalogue.releases[place].keys.count == 1, let shape = catalogue.key(of: index),
      CandidateFinder.isNamedLikeVideo(catalogue.candidates[index].path)
    else { return nil }
    return ArtworkKey.allCases.first { $0 != shape && (key == nil || key == $0) }
  }

  /// The widths of the new files; `nil` for the largest.
  private func widths(_ key: ArtworkKey) -> [Int?] {
    guard let sizes else { return [size?.size.width] }
    // Two widths may have one size with whole parts.
    var widths: [Int?] = []
    for width in sizes.widths.map({ key.size(width: $0).width }) where !widths.contains(width) {
      widths.append(width)
    }
    return widths
  }

  func catalogue(of inputs: [Candidate], _ configuration: Configuration) -> Catalogue {
    Catalogue(inputs, configuration)
  }

  func make(
    _ input: Candidate, into made: inout [MadeFileReport], _ run: MakingRun
  ) async throws {
    guard let key = variant(of: run.index, in: run.catalogue) else { return }
    func target(width: Int?) -> FilePath { self.target(of: input, key, width: width) }
    func request(_ width: Int?) throws -> String { try self.request(key, width) }
    let earlier = run.cache.map(MadeFiles.init)
    let widths = widths(key)
    func isThere(_ width: Int?) throws -> Bool {
      try earlier?.note(of: target(width: width), from: input, by: request(width)) != nil
    }
    if !dryRun, target(width: widths[0]).lexicallyNormalized() == input.path.lexicallyNormalized() {
      throw InspectionError(
        .videoNotWritten, "it is the \(key.rawValue) video itself",
        advice: "name the other shape with --key, or another file with -o")
    }
    for width in dryRun ? [] : widths where try !isThere(width) {
      try OutputFile.refuseExisting(target(width: width))
    }
    let source = try source(input, run)
    run.warn(of: source.decoding.rest(of: source.facts.frameCount), in: input.path)
    for width in widths {
      let isThere = try !dryRun && isThere(width)
      if dryRun || isThere {
        let plan = try await run.value(
          of: run.pipeline.planDerivation(
            of: input.path, as: key, focus: focus.focus, width: width, facts: source.facts))
        if let picture, width == widths.first {
          try OutputFile.write(plan.picture, to: picture.path)
        }
        let target = isThere ? target(width: width) : nil
        let inspection = try target.map { target throws(InspectionError) in
          try run.pipeline.runner.inspect(Candidate(path: target), InspectionRequest()).inspection
        }
        made.append(
          try report(
            plan.report, inspection, source, input, as: key, target, isFromEarlierRun: isThere))
      } else {
        let video = try await run.value(
          of: run.pipeline.derive(
            input.path, as: key, focus: focus.focus, width: width, facts: source.facts))
        let target = target(width: width)
        let report = try report(
          video.encoding, video.inspection, source, input, as: key, target)
        run.line.clear()
        if outputDir != nil {
          try OutputFile.makeFolder(target.removingLastComponent(), or: "write into")
        }
        try AtomicFile.create(video.bytes, as: target)
        earlier?.keep(
          MadeFiles.Note(remaining: []), of: target, video.bytes, from: input,
          by: try request(width))
        made.append(report)
      }
    }
  }

  private func report(
    _ encoding: EncodingReport?, _ inspection: Inspection?, _ source: Inspection,
    _ input: Candidate, as key: ArtworkKey, _ target: FilePath?, isFromEarlierRun: Bool = false
  ) throws(InspectionError) -> MadeFileReport {
    guard let encoding, encoding.crop != nil else {
      throw InspectionError(.workerFailed, "no part was chosen")
    }
    return MadeFileReport(
      encoding, inspection, of: input.path, as: target, key: key, before: source,
      isFromEarlierRun: isFromEarlierRun)
  }

  private struct Decisive: Encodable {
    var version = Artworkd.version
    var ffmpeg = FFmpegVersion.text
    var key: ArtworkKey
    var focus: Encoding.Focus
    var size: PixelSize?
  }

  /// Everything besides the video that the new file depends on.
  private func request(_ key: ArtworkKey, _ width: Int?) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(
      Decisive(key: key, focus: focus.focus, size: width.map(key.size(width:))))
    return "derive " + String(decoding: bytes, as: UTF8.self)
  }

  /// The measurements of the video, if `check` has cached them.
  private func source(
    _ candidate: Candidate, _ run: MakingRun
  ) throws(InspectionError) -> Inspection {
    let (request, runner) = (InspectionRequest(settlesDoubts: true), run.pipeline.runner)
    guard let cache = run.cache else { return try runner.inspect(candidate, request).inspection }
    return try CachingInspector(runner, limits: runner.limits, cache: cache)
      .inspect(candidate, request).inspection
  }

  /// `song_1x1.mov` becomes `song_3x4.mp4`.
  private func target(of input: Candidate, _ key: ArtworkKey, width: Int?) -> FilePath {
    let suffix = sizes == nil ? "" : width.map { "-\($0)" } ?? ""
    if let target = inputs.target(
      of: input, { ArtworkName.variant(of: $0, as: key) + "\(suffix).mp4" })
    {
      return target
    }
    let name = FilePath(root: nil, input.path.lastComponent.map { [$0] } ?? ["video"])
    var path = output?.path ?? ArtworkName.variant(of: missing ? input.path : name, as: key)
    path.extension = nil
    return path.suffixed("\(suffix).mp4")
  }

  func output(_ made: [MadeFileReport], of input: Candidate) throws -> [UInt8] {
    switch format {
    case .text: Array(text(of: made, input.path).utf8)
    case .json:
      Array(try JSONReport.document(DeriveDocument(made, of: input.path, picture?.path)).utf8)
    }
  }

  private func text(of made: [MadeFileReport], _ path: FilePath) -> String {
    guard let crop = made.first?.encoding.crop else { return "" }
    func described(_ window: CropReport.Window) -> String {
      "\(window.width)x\(window.height) at \(window.x),\(window.y) keeps "
        + "\(decimal(window.score * 100, places: 0)) % of the visual interest"
    }
    let text = MadeFileText()
    var lines = text.wrapped("\(path.string.printable): the crop \(described(crop.window))")
    if let other = crop.runnerUp {
      // The middle of a part counts for more than its edges.
      let reason = other.score > crop.window.score ? ", but more of it near the edges" : ""
      lines += text.note("next best: \(described(other))\(reason)")
    }
    if crop.center != crop.window { lines += text.note("middle: \(described(crop.center))") }
    if crop.isFlat {
      lines += text.warning(
        "no crop is clearly better than the centre, so the centre is used; use --focus X,Y to choose another point"
      )
    }
    if crop.cutsLines { lines += text.warning(CropReport.cutLines) }
    if let picture { lines += text.made(picture.path, ["the crop marked, and alone"], seam: nil) }
    for report in made {
      guard let path = report.output, let size = report.encoding.crop?.size else { continue }
      lines += text.made(
        path,
        (report.isFromEarlierRun ? ["done already"] : [])
          + ["\(size)", "\(report.encoding.frameCount) frames"], seam: seam(of: report))
      lines += text.findings(of: report.after)
    }
    return lines
  }

  private func seam(of report: MadeFileReport) -> String? {
    guard let seam = report.after?.seam?.verdict, let before = report.before?.seam?.verdict else {
      return nil
    }
    return seam == before
      ? "seam: \(seam.rawValue), as before" : "seam: \(seam.rawValue), was \(before.rawValue)"
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
