import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import SystemPackage

struct RepairCommand: FilesCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Repair videos in new files, without encoding unless you ask for it.",
    discussion: """
      Copies the packets of each video that has a finding marked [*] by check --format full. The copy is MP4 or \
      QuickTime, with the right sample entry, no other tracks, times from zero, the header first, \
      and its colour matrix stated. Compares the copy with the original, frame by frame or, for \
      H.264 and HEVC, bit by bit, and checks it again. Keeps it only if every frame is the same, \
      and if it has fewer findings and no new ones.

      --unsafe also fixes findings that need encoding. It cuts out the best loop, dissolves the \
      end into the start, or plays the clip forward and back; it lowers the frame rate, crops \
      bars, and changes the codec and pixel format. Reports what happens to the picture, and keeps \
      a file only if it has fewer findings and no new ones. Gives up more than a tenth of what \
      lies between the fades only with --shortest, or if the destination takes no longer one.

      A folder is repaired release by release: both shapes get the same frames, and a missing one is cropped out of \
      the other. --output-dir then gets the same tree, complete: what needs no repair is linked or copied. \
      --in-place repairs the releases where they are, and moves originals to .artworkd/originals in their folder; \
      --undo puts them back.

      Otherwise, existing files are never changed or replaced. A repaired file is a different video: publish it \
      under a new artworkID.

      \(ExitStatus.words)
      """)

  @OptionGroup
  var inputs: InputOptions

  @Flag(
    help:
      "Replace the files themselves, and move the originals to .artworkd/originals in their folder."
  )
  var inPlace = false

  @Flag(
    help:
      "Put back the newest originals of --in-place in these folders and below, or of these files, and remove what was made."
  )
  var undo = false

  @Flag(help: "Also fix findings that need encoding. The picture may change.")
  var unsafe = false

  @Option(
    help: ArgumentHelp(
      "With --unsafe, also take loops that are shorter than nine tenths of the clip, down to this length.",
      valueName: "seconds"))
  var shortest: Double?

  @Option(
    help: ArgumentHelp("With --unsafe, take only loops shorter than this.", valueName: "seconds"))
  var longest: Double?

  @Flag(help: "Show what would be repaired, and write nothing.")
  var dryRun = false

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Repair only videos that break these rules; other findings are fixed along with them. Repeatable.",
      valueName: "rule,..."),
    transform: RuleList.init)
  var selected: [RuleList] = []

  @Option(
    help: ArgumentHelp(
      "Also write a page that shows each video before and after, as html=FILE. There, a and r accept and reject.",
      valueName: "html=file"),
    transform: ReportArgument.init)
  var report: ReportArgument?

  @OptionGroup
  var judging: JudgingOptions

  @Option(help: "The format of the results.")
  var format: OutputFormat = .text

  @OptionGroup(title: "Configuration")
  var configurationOptions: ConfigurationOptions

  @OptionGroup(title: "Configuration")
  var search: SearchOptions

  @OptionGroup
  var isolation: IsolationOptions

  @OptionGroup
  var cacheOption: CacheOption

  var caching: CacheOption? { cacheOption }

  func validate() throws {
    if undo, outputDir != nil || output != nil || inPlace || dryRun {
      throw ValidationError("--undo takes paths only.")
    }
    if inPlace, outputDir != nil || output != nil {
      throw ValidationError("--in-place cannot be combined with -o and --output-dir.")
    }
    if outputDir == nil, output == nil, !dryRun, !inPlace, !undo {
      throw ValidationError(
        "Name a folder for the new files with --output-dir, a file for one video with -o, or use "
          + "--in-place or --dry-run.")
    }
    if let report {
      guard report.format == .html else { throw ValidationError("--report takes html=FILE here.") }
      if dryRun || undo {
        throw ValidationError("--report shows what was made: leave out --dry-run.")
      }
    }
    try inputs.validate("video", takesFolder: true)
    _ = try output.map { try MovieContainer(fileName: $0) }
    if shortest != nil || longest != nil {
      if !unsafe { throw ValidationError("--shortest and --longest need --unsafe.") }
      try LoopPartArgument.validate(shortest ?? 0, longest ?? 86_400)
    }
  }

  /// `nil` for a dry run without a folder, which could go anywhere.
  private var place: Destination? { Destination(inputs, inPlace: inPlace) }

  private var rules: RuleSelection {
    RuleSelection(selected: selected.flatMap(\.names), ignored: [])
  }

  func settings() throws -> Configuration { try configurationOptions.load(for: paths, search, judging) }

  func inputs(_ configuration: Configuration) async throws -> [Candidate] {
    let selection = CandidateSelection(
      paths: paths.map(\.path), configuration: configuration)
    if undo { return [] }
    func found() async throws -> [Candidate] {
      try selection.candidates().filter { place?.holds($0, among: selection.paths) != true }
    }
    var candidates = try await found()
    if inPlace, !dryRun {
      let folders = Set(candidates.map { $0.path.removingLastComponent() })
      if folders.contains(where: { (try? KeptOriginals(of: $0).recover()) == true }) {
        candidates = try await found()
      }
    }
    if inPlace { candidates = Self.withReleases(candidates, configuration) }
    // What is large comes last, with the rest of its release, so that nothing waits for it.
    func home(_ candidate: Candidate) -> FilePath { Catalogue.home(of: candidate.path) }
    let large = Set(
      candidates.filter { FileStamp(of: $0.path).map { $0.state.size > Self.large } ?? false }.map(
        home))
    candidates =
      candidates.filter { !large.contains(home($0)) }
      + candidates.filter { large.contains(home($0)) }
    if candidates.isEmpty {
      Terminal.printError("artworkd: no candidate videos in \(selection.place.printable)\n")
    }
    if case .file? = place, candidates.count > 1 {
      Terminal.printError(
        "artworkd: -o takes one video, and there are \(candidates.count); use --output-dir\n")
      throw ExitStatus.usage.code
    }
    return candidates
  }

  /// Bytes of a file that is heavy work: artwork has a tenth.
  private static let large = 32 << 20

  /// The candidates with the rest of the releases of named files: where a release is repaired in place, its other shape has
  /// to stay its pair.
  private static func withReleases(
    _ candidates: [Candidate], _ configuration: Configuration
  ) -> [Candidate] {
    var seen: Set<FilePath> = []
    return candidates.flatMap { candidate -> [Candidate] in
      guard candidate.folder == nil else { return [candidate] }
      let folder = candidate.path.removingLastComponent()
      let beside = CandidateFinder.find([folder.isEmpty ? "." : folder])
      let catalogue = Catalogue(beside, configuration)
      let name = candidate.path.lastComponent
      guard
        let index = beside.firstIndex(where: {
          $0.path.lastComponent == name
            && $0.path.removingLastComponent() == (folder.isEmpty ? "." : folder)
        }),
        let release = catalogue.releases.first(where: { release in
          release.videos.contains { $0.candidate == index }
        })
      else { return [candidate] }
      return release.videos.map { $0.candidate == index ? candidate : beside[$0.candidate] }
    }.filter { seen.insert($0.path.lexicallyNormalized()).inserted }
  }

  func catalogue(of inputs: [Candidate], _ configuration: Configuration) -> Catalogue {
    Catalogue(inputs, configuration)
  }

  func make(_ input: Candidate, into made: inout [Repair], _ run: MakingRun) throws {
    let isWhole = (input.folder != nil || inPlace) && output == nil
    // The files of a release in a folder are repaired with the first of them.
    let group = isWhole ? run.catalogue.group(beginningWith: run.index) : (nil, [run.index])
    guard let group else { return }
    let place = place
    let request = try request(run.configuration, run.pipeline.runner.limits)
    let notes = dryRun || inPlace ? nil : run.cache.map(MadeFiles.init)
    let relatives = relatives(group.candidates, run)
    let (batch, caching) = batch(run)
    var options = Repairer.Options()
    (options.rules, options.encodes, options.onlyPlans) = (rules, unsafe, dryRun)
    (options.isWhole, options.shortest, options.longest) = (isWhole, shortest, longest)
    options.container = output.flatMap { try? MovieContainer(fileName: $0) }
    var repairer = Repairer(batch, run.pipeline.runner, options)
    repairer.known = { caching?.known($0, $1) }
    repairer.target = { (place ?? .inPlace).target(of: $0, in: $1) }
    repairer.obstacle = { dryRun ? nil : place?.obstacle($0, replacing: $1) }
    repairer.earlier = { notes?.note(of: $0, from: $1, by: request + relatives) }
    repairer.progress = run.line.show
    var (result, files) = repairer.repair(
      group.candidates.map(run.catalogue.file), of: group.release.map { run.catalogue.releases[$0] })
    defer { made.append(result) }
    do throws(InspectionError) {
      for file in files {
        let outcome = file.outcome.map { result.outcomes[$0] }
        let note = MadeFiles.Note(
          repaired: outcome?.repaired ?? [], remaining: outcome?.remaining ?? [],
          doubts: outcome?.doubts ?? [])
        notes?.keep(note, of: file.path, file.bytes, from: file.source, by: request + relatives)
      }
      try place?.write(files)
      if !dryRun, isWhole {
        place?.completeRelease(
          run.catalogue.files(group.candidates, of: group.release), without: result.replaced)
      }
    } catch {
      result.replaced.removeAll { path in files.contains { $0.replaces == path } }
      for file in files {
        guard let index = file.outcome else { continue }
        result.outcomes[index].status = .failed(error)
        result.outcomes[index].output = nil
      }
    }
  }

  /// The states of the files of a release that a new file of one of them depends on.
  private func relatives(_ candidates: [Int], _ run: MakingRun) -> String {
    guard candidates.count > 1, let cache = run.cache else { return "" }
    let digester = CachingDigester(cache: cache)
    return candidates.map {
      " " + (digester.digest(of: run.catalogue.candidates[$0])?.hexadecimal ?? "")
    }.joined()
  }

  /// - Parameter showsPictures: whether reports have pictures.
  func batch(
    _ run: MakingRun, showsPictures: Bool = false
  ) -> (batch: Batch, caching: CachingInspector?) {
    let (configuration, runner, names) = (
      run.configuration, run.pipeline.runner, judging.profiles?.names
    )
    var options = Batch.Options(jobs: 1)
    options.profilesFor = { configuration.profiles(for: $0, named: names) }
    options.key = judging.key.key
    options.reportImages = showsPictures
    let caching = run.cache.map { CachingInspector(runner, limits: runner.limits, cache: $0) }
    return (Batch(options: options, inspector: caching ?? runner), caching)
  }

  private struct Decisive: Encodable {
    var unsafe: Bool
    var shortest: Double?
    var longest: Double?
    var selected: [String]
    var profiles: [String]?
    var key: ArtworkKey?
    var limits: Limits
  }

  /// A digest of everything besides the videos that affects new files.
  private func request(_ configuration: Configuration, _ limits: Limits) throws -> String {
    "repair "
      + (try configuration.digest(
        with: Decisive(
          unsafe: unsafe, shortest: shortest, longest: longest,
          selected: selected.flatMap(\.names).sorted(), profiles: judging.profiles?.names,
          key: judging.key.key, limits: limits)))
  }

  private var text: RepairText {
    RepairText(style: Terminal.outputStyle, width: Terminal.outputWidth)
  }

  func output(_ made: [Repair], of input: Candidate) -> [UInt8] {
    format == .text ? made.flatMap { text.render($0).utf8 } : []
  }

  func close(_ results: MakingResults<Repair>) async throws -> ExitStatus {
    if undo { return takeBack() }
    var releases = results.made
    if case .folder? = place, !dryRun {
      let failures =
        place?.complete(results.inputs, without: Set(releases.flatMap(\.replaced))) ?? [:]
      for index in releases.indices {
        releases[index].incompleteness =
          releases[index].outcomes.lazy.compactMap { failures[$0.plan.candidate.path] }.first
        if let error = releases[index].incompleteness {
          Terminal.printError(error, of: FilePath(releases[index].name))
        }
      }
    }
    // Clips that could not be read take precedence over those that were not repaired, as in `check`.
    var status = releases.contains(where: isLeft) ? ExitStatus.findings : .success
    if releases.contains(where: { $0.error.map { $0.code != .notCopied } ?? false }) {
      status = .unreadableInput
    }
    if let report { try await writePage(results, to: report.file) }
    Terminal.emit {
      format == .text
        ? text.closing(releases, leaving: releases.count { $0.error == nil && isFaulty($0) })
        : try JSONReport.document(RepairDocument(releases))
    }
    return status
  }

  /// Whether a selected rule has a warning or an error that this run leaves.
  private func isLeft(_ release: Repair) -> Bool {
    isFaulty(release)
      || release.outcomes.contains {
        switch $0.status {
        case .refused, .failed: true
        case .unchanged, .planned, .repaired, .fromEarlierRun: false
        }
      }
  }

  private func isFaulty(_ release: Repair) -> Bool {
    let isOpen = release.outcomes.contains {
      switch $0.status {
      case .planned, .refused, .failed: true
      case .unchanged, .repaired, .fromEarlierRun: false
      }
    }
    return (release.isWhole || !isOpen) && release.left.contains { rules.contains($0.rule) }
  }

  private func takeBack() -> ExitStatus {
    var status = ExitStatus.success
    let changes = KeptOriginals.changes(paths.map(\.path))
    for (folder, names) in changes {
      do throws(KeptOriginals.Failure) {
        let (names, older) = try KeptOriginals(of: folder).takeBack(names)
        let place = folder.isEmpty ? "." : folder.string.printable
        Terminal.emit {
          "\(place): \(names.isEmpty ? "what was made is removed" : names.joined(separator: ", ").printable + " as before")\n"
            + older.map { "  an older version stays: \($0.string.printable)\n" }.joined()
        }
      } catch {
        Terminal.printError("artworkd: \(folder.string.printable): \(error.sentence.printable)\n")
        status = .unreadableInput
      }
    }
    guard changes.isEmpty else { return status }
    if let missing = paths.map(\.path).first(where: { FileState(of: $0) == nil }) {
      Terminal.printError(InspectionError(.notFound, "there is no such file or folder"), of: missing)
      return .unreadableInput
    }
    Terminal.emit { "nothing was changed here\n" }
    return .success
  }
}

/// The page that shows the releases as they are now, and each new video beside the one that it was made of.
extension RepairCommand {
  func writePage(_ results: MakingResults<Repair>, to file: FilePath) async throws {
    let batch = batch(results.run, showsPictures: true).batch
    let configuration = results.run.configuration
    let places = outputDir.map { [$0.path] } ?? output.map { [$0.path] } ?? paths.map(\.path)
    let found = CandidateFinder.find(places).filter {
      $0.folder == nil || configuration.isIncluded($0.path)
    }
    let reports = await batch.run(Catalogue(found, configuration))
    var before: [FilePath: (report: CandidateReport, changes: [String])] = [:]
    for outcome in results.made.flatMap(\.outcomes) where outcome.isRepaired {
      guard let output = outcome.output else { continue }
      let path = outcome.plan.candidate.path
      let original = KeptOriginals.original(of: path) ?? path
      var report = batch.check(
        Candidate(path: original), key: outcome.isDerived ? nil : outcome.plan.key)
      report.path = original
      before[output.lexicallyNormalized()] = (report, outcome.changes)
    }
    let files =
      found + reports.compactMap(\.cover) + before.values.map { Candidate(path: $0.report.path) }
    var setting = ReportSetting(
      reading: files, results.run.cache.map { CachingDigester(cache: $0) } ?? FileDigester())
    setting.folder = setting.currentFolder.pushing(file.removingLastComponent())
    setting.before = { [before] in before[$0.lexicallyNormalized()] }
    // The doubts of a release stand with its first new file.
    var doubts: [FilePath: [String]] = [:]
    for release in results.made {
      let new = release.outcomes.lazy.compactMap(\.output).first ?? release.reports.first?.path
      if let new { doubts[new.lexicallyNormalized()] = release.doubts }
    }
    setting.doubts = { [doubts] in doubts[$0.lexicallyNormalized()] ?? [] }
    let report = CheckReport(
      results: reports, summary: Summary(reports, seconds: results.seconds),
      profiles: configuration.allProfiles(named: judging.profiles?.names))
    try Terminal.writing(file) {
      try AtomicFile.write(Array(try HTMLReport.render(report, setting).utf8), to: file)
    }
  }
}
