import ArtworkPipeline
import SystemPackage

/// One run of `import`.
struct ImportRun: Sendable {
  let command: ImportCommand
  let inspector: any JobRunner

  private var text: ImportText {
    ImportText(style: Terminal.outputStyle, width: Terminal.outputWidth)
  }

  private var setting: ReportSetting {
    var setting = ReportSetting(toolVersion: Artworkd.version)
    (setting.style, setting.width) = (Terminal.outputStyle, Terminal.outputWidth)
    return setting
  }

  /// A new video, checked.
  private struct Made {
    var video: EncodedClip
    var recipe: Recipe
    var report: CandidateReport
  }

  /// - Parameter facts: of the file, if they are known.
  private func make(
    _ candidate: Candidate, _ facts: MediaFacts? = nil, as output: FilePath, _ line: EncodingLine
  ) throws(InspectionError) -> Made {
    let recipe = try command.recipe { () throws(InspectionError) in
      if let facts { facts } else { try self.facts(candidate) }
    }
    let video = try inspector.encode(candidate, recipe, progress: line.show)
    return Made(
      video: video, recipe: recipe,
      report: CandidateReport(judging: video.inspection, of: output))
  }

  private func facts(_ candidate: Candidate) throws(InspectionError) -> MediaFacts {
    // The quick inspection is for videos only.
    try inspector.inspect(candidate, InspectionRequest()).inspection.facts
  }

  /// Makes the video of one file.
  func one(_ file: FilePath, to output: FilePath) throws {
    let line = EncodingLine()
    let interrupt = Interrupt(clearing: line)
    var worst: Finding.Severity?
    try withExtendedLifetime(interrupt) {
      try SingleFile.run(file) { () throws(InspectionError) in
        try SingleFile.refuseExisting(output)
        let start = ContinuousClock.now
        let made: Made
        do throws(InspectionError) {
          made = try make(Candidate(path: file), as: output, line)
        } catch {
          line.clear()
          throw error
        }
        line.clear()
        try AtomicFile.create(made.video.movie, as: output)
        worst = made.report.findings.map(\.severity).max()
        let summary = Summary([made.report], seconds: (ContinuousClock.now - start) / .seconds(1))
        let said =
          text.render(made.video.report, made.recipe, source: file, output: output)
          + TextReport.render(
            .full, CheckReport(results: [made.report], summary: summary, profiles: []), setting)
          + text.advice(made.report, made.recipe, source: file)
        try SingleFile.print(Array(said.utf8))
      }
    }
    if worst == .error { throw ExitStatus.findings.code }
  }

  /// Makes a video of each file, and of each animation in folders.
  func several(into folder: OutputFolder) async throws {
    let line = EncodingLine()
    let interrupt = Interrupt(clearing: line)
    var configuration = Configuration()
    try command.search.apply(to: &configuration)
    let selection = CandidateSelection(
      paths: command.files.map(\.path), isStaged: false, configuration: configuration)
    let candidates = try await selection.candidates().filter {
      !folder.holds($0, among: selection.paths)
    }
    let start = ContinuousClock.now
    var made: [CandidateReport] = []
    var (videos, failures) = (0, 0)
    for (index, candidate) in candidates.enumerated() {
      line.begin(index, of: candidates.count)
      let target = folder.target(of: candidate, in: .mp4)
      let outcome = Result { () throws(InspectionError) -> Made? in
        // A video that is named explicitly is wanted.
        let facts = candidate.folder == nil ? nil : try facts(candidate)
        if facts?.isAnimation == false { return nil }
        try SingleFile.refuseExisting(target)
        let made = try make(candidate, facts, as: target, line)
        try OutputFolder.create(made.video.movie, as: target)
        return made
      }
      line.clear()
      switch outcome {
      case .success(nil): videos += 1
      case .success(let new?):
        made.append(new.report)
        Terminal.emit {
          text.render(new.video.report, new.recipe, source: candidate.path, output: target)
        }
      case .failure(let error):
        failures += 1
        SingleFile.printError(error, of: candidate.path)
      }
    }
    withExtendedLifetime(interrupt) {}
    if videos > 0 {
      Terminal.printError(
        "artworkd: \(videos) video\(videos == 1 ? " is" : "s are") skipped; artworkd repair fixes videos\n"
      )
    }
    if made.isEmpty, failures == 0 {
      Terminal.printError("artworkd: no animations in \(selection.place.printable)\n")
    }
    if !made.isEmpty {
      let summary = Summary(made, seconds: (ContinuousClock.now - start) / .seconds(1))
      var setting = setting
      setting.places = [folder.path]
      let report = CheckReport(results: made, summary: summary, profiles: [])
      Terminal.emit { "\n" + TextReport.render(.text, report, setting) }
    }
    if failures > 0 { throw ExitStatus.unreadableInput.code }
    if made.contains(where: { $0.findings.contains { $0.severity == .error } }) {
      throw ExitStatus.findings.code
    }
  }
}
