import FoundationEssentials

/// A file of a bundle.
public struct BundledFile: Sendable, Encodable {
  public var name: String
  /// `1x1` or `3x4`; `nil` for pictures of any shape.
  public var shape: ArtworkKey?
  public var width: Int?
  public var height: Int?
  public var bytes: Int
  public var sha256: String
  /// The name of its source file, with its folder unless that is the bundle's.
  public var madeOf: String
  /// How, as the name of a command: `copy`, `repair`, `derive`, `import`, `animate`, `preview` or `export`.
  public var madeBy: String
  public var seam: SeamJudgement.Verdict?
  /// Rules of `now-playing` that a video breaks, remarks left out.
  public var findings: [String]?
  /// The release's video of this shape and its error, if it was not copied.
  public var leftOut: String?
}

/// Makes all files of a release for its destinations: both videos, their previews, animated pictures and a list.
///
/// A file that exists and passes is copied, and one with an error is repaired: by a copy, or else by encoding. A missing one
/// is made from the best source: a video of the other shape, an animation, and the still cover if there is no video at all.
package struct ReleaseBundler {
  private let runner: any JobRunner
  private let release: FilePath
  private let target: FilePath
  /// Whether the still cover is set in motion also where a video cannot be used.
  private let animatesMissing: Bool
  /// The part of the work that begins, by the name of its file.
  private let begins: (String) -> Void
  /// A file of the release that is left out, because it cannot be read.
  private let skips: (FilePath, InspectionError) -> Void
  private var made = NewFiles()

  /// Bytes of an animated WebP that every server takes, and of a GIF that Discord takes.
  private static let (webpBytes, gifBytes) = (4_000_000, 8_000_000)
  private static let pictureWidth = 512
  /// Largest video that is copied, in bytes.
  private static let mostCopied = 512 << 20
  private static let width = 1080

  /// - Parameters:
  ///   - release: a folder.
  ///   - target: an existing folder.
  package init(
    _ runner: any JobRunner, _ release: FilePath, into target: FilePath,
    animatesMissing: Bool = false,
    begins: @escaping (String) -> Void = { _ in },
    skips: @escaping (FilePath, InspectionError) -> Void = { _, _ in }
  ) {
    (self.runner, self.release, self.target) = (runner, release, target)
    (self.animatesMissing, self.begins, self.skips) = (animatesMissing, begins, skips)
  }

  /// The names of all files that may be made.
  package static let names =
    ArtworkKey.allCases.map(FolderNames.video)
    + ArtworkKey.allCases.map { preview(of: FolderNames.video($0)) }
    + ["cover.webp", "cover.gif", "cover.jpg", "cover.png", FolderNames.list]

  private static func preview(of video: String) -> String {
    video.replacing(".mp4", with: ".preview.png")
  }

  /// The source files of a release.
  private struct Sources {
    /// The best of each shape.
    var videos: [ArtworkKey: Video] = [:]
    var animation: Candidate?
    var still: Candidate?
    /// What the repair of the release made for a shape, and of which video.
    var new: [ArtworkKey: (file: Repair.NewFile, isDerived: Bool)] = [:]
  }

  private struct Video {
    var candidate: Candidate
    var measured: MeasuredClip
    /// The first finding because of which it is not copied.
    var error: Finding? { measured.report.findings.first { $0.severity == .error } }
    /// Why it has no repair, in a sentence.
    var refusal: String?

    /// Lower is better: by the judgement, then MP4 before QuickTime before others.
    var rank: (Int, Int) {
      let types = ["mp4", "m4v", "mov"]
      return (
        CandidateReport.Verdict.allCases.firstIndex(of: measured.report.verdict) ?? 0,
        types.firstIndex(of: candidate.path.extension?.lowercased() ?? "") ?? types.count
      )
    }

    /// Why it cannot be copied.
    var fault: String {
      let reason =
        error.map { "\($0.rule): \($0.message)" }
        ?? "it is larger than \(ReleaseBundler.mostCopied >> 20) MiB"
      return "\(ReleaseBundler.name(candidate)) is left out: \(reason)"
        + (refusal.map { "; it cannot be repaired: \($0)" } ?? "")
    }
  }

  /// Makes all files, the list last. Blocks the calling thread. If anything fails, no file is left.
  ///
  /// - Throws: `no-match` for a folder without a video, an animation or a cover; the error if a file cannot be made.
  package mutating func bundle() throws(InspectionError) -> [BundledFile] {
    do throws(InspectionError) {
      let files = try makeAll()
      try writeList(files)
      made.keep()
      return files
    } catch {
      made.removeAll()
      throw error
    }
  }

  private mutating func makeAll() throws(InspectionError) -> [BundledFile] {
    var sources = try findSources()
    repair(&sources)
    var files: [BundledFile] = []
    var square: Inspection?
    for key in ArtworkKey.allCases {
      let name = FolderNames.video(key)
      begins(name)
      let (video, inspection) = try video(key, name, sources)
      files += video
      if key == .square { square = inspection }
    }
    for (name, format, most) in [
      ("cover.webp", FileFormat.webp, Self.webpBytes),
      ("cover.gif", .gif, Self.gifBytes),
    ] where format != .webp || FileFormat.webp.isAvailable {
      begins(name)
      let picture = try PictureExporter(
        runner, Candidate(path: target.appending("cover.mp4")), as: format,
        width: Self.pictureWidth, mostBytes: most, inspection: square
      ).export()
      var file = try write(picture.bytes, name, of: "cover.mp4", by: "export")
      (file.width, file.height) = (picture.size.width, picture.size.height)
      file.seam = picture.seam?.verdict
      files.append(file)
    }
    if let still = sources.still, let file = try cover(still) { files.append(file) }
    return files
  }

  /// The still cover: a copy, or for another format than PNG and JPEG its picture, since `cover.webp` moves.
  private mutating func cover(_ still: Candidate) throws(InspectionError) -> BundledFile? {
    guard let bytes = still.contents(atMost: Self.mostCopied) else { return nil }
    for (format, name) in [(FileFormat.png, "cover.png"), (.jpeg, "cover.jpg")]
    where format.begins(bytes) { return try write(bytes, name, of: source(still), by: "copy") }
    let request = InspectionRequest(preview: .original, still: true)
    guard let picture = try runner.inspect(still, request).preview else { return nil }
    return try write(picture, "cover.png", of: source(still), by: "preview")
  }

  private mutating func writeList(_ files: [BundledFile]) throws(InspectionError) {
    struct Document: Encodable {
      var schemaVersion = 1
      var files: [BundledFile]
    }
    guard let text = try? JSONReport.document(Document(files: files)) else {
      throw InspectionError(.workerFailed, "the list cannot be encoded")
    }
    try made.create(Array(text.utf8), as: target.appending(FolderNames.list))
  }

  private func findSources() throws(InspectionError) -> Sources {
    let cover = FolderNames(of: release).cover()
    var sources = Sources(
      still: cover.map {
        Candidate(
          path: release.appending($0), folder: release, previewStem: FilePath(root: nil, [$0]))
      })
    var unreadable: InspectionError?
    // As its repair asks, so that none is measured twice.
    let request = InspectionRequest(settlesDoubts: true, countsFlashes: true)
    let found = CandidateFinder.find([release])
    // Not of releases in folders below it.
    let others = Catalogue(found, Configuration()).homes.keys.filter { $0 != release }
    let own = found.filter { file in !others.contains { file.path.starts(with: $0) } }
    for candidate in own.isEmpty ? found : own {
      let state = FileStamp(of: candidate)?.state
      let inspection: Inspection
      do throws(InspectionError) {
        inspection = try runner.inspect(candidate, request).inspection
      } catch {
        if candidate.path == release { throw error }
        skips(candidate.path, error)
        unreadable = unreadable ?? error
        continue
      }
      if inspection.facts.isAnimation {
        sources.animation = sources.animation ?? candidate
        continue
      }
      let key =
        ArtworkKey(fileName: Self.name(candidate))
        ?? ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)
      let report = CandidateReport(judging: inspection, of: candidate.path, as: key)
      let video = Video(
        candidate: candidate, measured: MeasuredClip(state: state, report: report))
      // Of equals the first.
      if let best = sources.videos[key], best.rank <= video.rank { continue }
      sources.videos[key] = video
    }
    guard !sources.videos.isEmpty || sources.animation != nil || sources.still != nil else {
      throw unreadable
        ?? InspectionError(
          .noMatch, "there is no video, animation or cover in it",
          advice: "name the folder of one release, with a cover.jpg at least")
    }
    return sources
  }

  private mutating func video(
    _ key: ArtworkKey, _ name: String, _ sources: Sources
  ) throws(InspectionError) -> ([BundledFile], Inspection) {
    let (bytes, source, how) = try content(key, sources)
    let inspected = try runner.run(
      InspectJob(request: InspectionRequest(preview: .original, settlesDoubts: true)),
      onBytes: bytes)
    let judged = CandidateReport(judging: inspected.inspection, of: nil, as: key)
    let serious = judged.findings.filter { $0.severity == .error }
    if let first = serious.first {
      throw InspectionError(
        .videoNotWritten, "\(name) would break \(first.rule): \(first.message)",
        advice:
          "repair \(FilePath(source).lastComponent?.string ?? source), or export it again without this fault"
      )
    }
    let size = PixelSize(
      width: max(1, inspected.inspection.facts.displayWidth),
      height: max(1, inspected.inspection.facts.displayHeight))
    var video = try write(bytes, name, of: source, by: how)
    (video.shape, video.width, video.height) = (key, size.width, size.height)
    video.seam = judged.seam?.verdict
    video.findings = judged.findings.filter { $0.severity > .info }.map(\.rule)
    if how != "copy", how != "repair" { video.leftOut = sources.videos[key]?.fault }
    guard let picture = inspected.preview else {
      throw InspectionError(.previewNotWritten, "\(name) has no preview")
    }
    var preview = try write(
      picture, Self.preview(of: name), of: name, by: "preview")
    (preview.shape, preview.width, preview.height) = (key, size.width, size.height)
    return ([video, preview], inspected.inspection)
  }

  /// Repairs the release as `artworkd repair` does, where a shape is missing or has an error.
  private func repair(_ sources: inout Sources) {
    let keys = ArtworkKey.allCases.filter { sources.videos[$0] != nil }
    let videos = keys.compactMap { sources.videos[$0] }
    let errors = videos.flatMap(\.measured.report.brokenRules)
    guard videos.count == 1 || !errors.isEmpty else { return }
    for video in videos where video.error != nil { begins(Self.name(video.candidate)) }
    var options = Repairer.Options()
    (options.encodes, options.isWhole, options.container) = (true, true, .mp4)
    options.rules = RuleSelection(selected: errors + [PairRule.id], ignored: [])
    let release = Release(
      name: Release.Name(folder: release, artworkID: ""), isWhole: true, keys: Set(keys),
      videos: keys.enumerated().map { Release.Video(candidate: $0, key: $1) },
      cover: sources.still)
    let batch = Batch(options: Batch.Options(jobs: 1), inspector: runner)
    let (result, files) = Repairer(batch, runner, options).repair(
      zip(keys, videos).map {
        Repairer.File(candidate: $1.candidate, key: $0, measured: $1.measured)
      }, of: release)
    for outcome in result.outcomes where !outcome.isFurther {
      sources.videos[outcome.plan.key]?.refusal =
        switch outcome.status {
        case .refused(let reason): reason
        case .failed(let error): error.message
        default: nil
        }
    }
    for file in files {
      guard let outcome = file.outcome.map({ result.outcomes[$0] }) else { continue }
      sources.new[outcome.plan.key] = (file, outcome.isDerived)
    }
  }

  /// The bytes of a video of this shape, which are not inspected yet, its source, and the method.
  private mutating func content(
    _ key: ArtworkKey, _ sources: Sources
  ) throws(InspectionError) -> (bytes: [UInt8], source: String, how: String) {
    if let (new, isDerived) = sources.new[key] {
      let cropped = sources.videos.first { $0.key != key }?.value.candidate
      return (
        new.bytes, source(isDerived ? cropped ?? new.source : new.source),
        isDerived ? "derive" : "repair"
      )
    }
    if let own = sources.videos[key], own.error == nil,
      let bytes = own.candidate.contents(atMost: Self.mostCopied)
    {
      return (bytes, source(own.candidate), "copy")
    }
    if let candidate = sources.animation {
      var drawing = Drawing()
      drawing.contentMode = .fill
      let recipe = Recipe(drawing: drawing, size: key.size(width: Self.width))
      return (
        try runner.run(MakeJob(recipe: recipe), on: candidate).bytes, source(candidate), "import"
      )
    }
    if let own = sources.videos[key] ?? sources.videos.values.first,
      !animatesMissing || sources.still == nil
    {
      throw InspectionError(
        .noMatch, own.fault,
        advice: (own.refusal == nil ? "" : "try artworkd repair --unsafe and its options, ")
          + "export the video again, or "
          + (sources.still == nil
            ? "put a cover.jpg beside it and use --animate-missing"
            : "set the cover in motion with --animate-missing"))
    }
    guard let still = sources.still else {
      throw InspectionError(.noMatch, "nothing in it can be made into a \(key.rawValue) video")
    }
    let recipe = Recipe(moving: Motion(.auto), key: key, focus: .auto)
    return (try runner.run(MakeJob(recipe: recipe), on: still).bytes, source(still), "animate")
  }

  private mutating func write(
    _ bytes: [UInt8], _ name: String, of source: String, by how: String
  ) throws(InspectionError) -> BundledFile {
    let path = target.appending(name)
    try made.create(bytes, as: path)
    guard let digest = FileDigester().digest(of: Candidate(path: path)) else {
      throw InspectionError(.unreadable, "\(path.string) cannot be read again")
    }
    return BundledFile(
      name: name, bytes: bytes.count, sha256: digest.hexadecimal, madeOf: source, madeBy: how)
  }

  private static func name(_ candidate: Candidate) -> String {
    candidate.path.lastComponent?.string ?? candidate.path.string
  }

  /// The path of a file of the release, from the release's folder on.
  private func source(_ candidate: Candidate) -> String {
    var below = candidate.path
    guard below.removePrefix(release),
      let folder = release.absolute(in: .currentFolder).lexicallyNormalized().lastComponent
    else { return Self.name(candidate) }
    return FilePath(root: nil, [folder]).appending(below.components).string
  }

  // MARK: Several releases

  /// The folders of the releases below a folder, each with its path from there; the folder alone if it is one release.
  ///
  /// - Throws: `no-match` if several releases share a folder, so that none of them is meant.
  package static func releases(
    below folder: FilePath
  ) throws(InspectionError) -> [(release: FilePath, place: FilePath)] {
    let found = CandidateFinder.find([folder]).filter { $0.folder != nil }
    var homes = Catalogue(found, Configuration()).homes
    if let shared = homes.first(where: { $0.value.count > 1 }) {
      throw InspectionError(
        .noMatch,
        "\(shared.key.string) holds \(shared.value.count) releases: \(shared.value.sorted().joined(separator: ", "))",
        advice: "give each release a folder of its own")
    }
    for cover in CandidateFinder.covers([folder]) {
      let home = Catalogue.home(of: cover.path)
      // The picture of an artist is no release beside albums.
      if !homes.keys.contains(where: { $0.starts(with: home) || home.starts(with: $0) }) {
        homes[home] = []
      }
    }
    guard homes.count > 1 else { return [(folder, FilePath())] }
    return homes.keys.sorted { $0.string < $1.string }.map { home in
      var place = home
      guard place.removePrefix(folder), !place.isEmpty else {
        return (home, FilePath(root: nil, [home.lastComponent].compactMap(\.self)))
      }
      return (home, place)
    }
  }
}

/// Names under which readers look for the files of a bundle.
public enum BundleNames: String, CaseIterable, Sendable {
  /// Those of music players: `cover.mp4`, `cover_3x4.mp4` and the files beside them.
  case players
  /// Names of Jellyfin's plugin Animated Music.
  case jellyfin
  /// Names of Navidrome, which sends an animated picture as it is, and no video.
  case navidrome

  /// The name of a file of a bundle there; `nil` if nothing there reads it.
  package func name(of file: String) -> String? {
    switch (self, file) {
    case (.players, _): file
    case (.jellyfin, FolderNames.video(.square)): "cover-animated.mp4"
    case (.jellyfin, FolderNames.video(.tall)): "vertical-background.mp4"
    case (.navidrome, "cover.webp") where FileFormat.webp.isAvailable: file
    case (.navidrome, "cover.gif") where !FileFormat.webp.isAvailable: file
    default: nil
    }
  }
}
