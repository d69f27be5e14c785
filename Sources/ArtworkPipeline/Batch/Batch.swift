import Dispatch

/// Checks many candidates in parallel, each on its own thread. One bad file costs one result; with an
/// ``IsolatedInspector`` that holds for any file.
package struct Batch: Sendable {
  package struct Options: Sendable {
    package var profiles: [Profile] = [.nowPlaying]
    /// The profiles of a file, if they depend on its path; replaces `profiles`.
    package var profilesFor: (@Sendable (FilePath) -> [Profile])?
    /// The key to judge every candidate as; `nil` derives it from the file's name, or else its shape.
    package var key: ArtworkKey?
    /// The folder for previews; `nil` makes none.
    package var previewFolder: FilePath?
    /// Whether to make small pictures of each candidate, for reports with pictures.
    package var reportImages = false
    /// Digests the files for ``Evidence`` of each report; `nil` adds none.
    package var digester: (any ContentDigester)?
    /// The videos that people approved: others have a finding. `nil` if that is not required.
    package var approved: (list: ApprovedVideos, digester: any ContentDigester)?
    /// When every frame of a candidate is decoded.
    package var everyFrame = EveryFrame.whereInDoubt
    /// The number of candidates processed in parallel, at least 1. Each needs the memory of one decoder.
    package var jobs: Int

    package init(jobs: Int) { self.jobs = jobs }
  }

  package enum EveryFrame: Sendable {
    case always
    /// If the ends of a clip leave a rule undecided, and if a profile treats flashes as errors.
    case whereInDoubt
    case never
  }

  package var options: Options
  let inspector: any CandidateInspector

  package init(
    options: Options, inspector: any CandidateInspector = Inspector()
  ) {
    precondition(options.jobs > 0, "a batch needs at least one job")
    self.options = options
    self.inspector = inspector
  }

  /// Checks all candidates, and returns their reports in the same order.
  package func run(_ candidates: [Candidate]) async -> [CandidateReport] {
    await run(Catalogue(candidates))
  }

  /// Checks all candidates by the rules across files, too.
  ///
  /// - Parameters:
  ///   - onReports: called with the reports of each release when its last file is done, and with that of each file
  ///     without a release; from any thread, one call at a time.
  package func run(
    _ catalogue: Catalogue,
    onReports: @escaping @Sendable ([CandidateReport]) -> Void = { _ in }
  ) async -> [CandidateReport] {
    let candidates = catalogue.candidates
    if candidates.isEmpty { return [] }
    let progress = BatchProgress(catalogue)
    // Blocking work is kept off Swift's cooperative pool: each job is a dispatch thread that takes the next candidate
    // until none is left. A serial queue always gets a thread; concurrent queues share as many as there are
    // processors, and get more only after a delay.
    await withCheckedContinuation { continuation in
      let group = DispatchGroup()
      for job in 0..<min(options.jobs, candidates.count) {
        DispatchQueue(label: "artworkd.batch.\(job)").async(group: group) {
          while let index = progress.next() {
            let report = check(index, in: catalogue)
            guard let (group, reports) = progress.finish(index, report) else { continue }
            var judged = group.release.map { judge(catalogue.releases[$0], reports) }
            if options.reportImages { drawCrops(&judged, group.candidates.map { candidates[$0] }) }
            progress.publish(judged ?? reports, of: group, onReports)
          }
        }
      }
      group.notify(queue: DispatchQueue(label: "artworkd.batch.end")) { continuation.resume() }
    }
    return progress.all
  }

  /// Checks a candidate, and adds what a merge needs.
  private func check(_ index: Int, in catalogue: Catalogue) -> CandidateReport {
    let candidate = catalogue.candidates[index]
    var report = check(
      candidate, key: catalogue.key(of: index), stills: catalogue.previews[index] ?? [:])
    guard let digester = options.digester else { return report }
    let release = catalogue.releaseOf[index]
    let state = FileStamp(of: candidate)?.state
    report.evidence = Evidence(
      place: catalogue.places[index],
      judges: profiles(for: candidate.path).map { profile in
        let severities = profile.severities.filter { Rules.acrossReleases.contains($0.key) }
        return Evidence.Judge(
          name: profile.name, severities: severities.isEmpty ? nil : severities)
      },
      bytes: state?.size,
      digest: release == nil || state?.comparedSize == nil
        ? nil : digester.digest(of: candidate)?.hexadecimal,
      release: release.flatMap { catalogue.folderName(ofRelease: $0) },
      key: release == nil ? nil : catalogue.key(of: index))
    return report
  }

  /// Checks one candidate on the calling thread, which it blocks.
  ///
  /// - Parameters:
  ///   - key: from a manifest; `nil` to use the name.
  ///   - stills: previews beside the candidate, by the key that they are for, `nil` for any.
  package func check(
    _ candidate: Candidate, key: ArtworkKey? = nil, stills: [ArtworkKey?: Candidate] = [:]
  ) -> CandidateReport {
    let name = candidate.path.lastComponent?.string ?? ""
    let profiles = profiles(for: candidate.path)
    var report = CandidateReport(
      path: candidate.path, key: options.key ?? key ?? ArtworkKey(fileName: name),
      profiles: profiles.map(\.name))
    do throws(InspectionError) {
      let inspected = try inspector.inspect(candidate, request(for: profiles))
      let inspection = inspected.inspection
      let key = report.key ?? ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)
      let still = stills[key] ?? stills[nil]
      report = CandidateReport(
        judging: inspection, of: candidate.path, as: report.key, for: profiles,
        preview: still.map(suppliedPicture))
      if let (list, digester) = options.approved {
        let digest = digester.digest(of: candidate)?.hexadecimal
        let found = profiles.flatMap { profile in
          Rules.inOrder(ApprovalRule.check(digest, list, profile: profile), profile: profile)
        }
        report.join(found, of: [ApprovalRule.id])
      }
      report.reportImages = inspected.reportImages
      if let preview = inspected.preview, let folder = options.previewFolder {
        report.preview = try write(preview, for: candidate, key: key, below: folder)
      }
    } catch {
      report.error = error
    }
    return report
  }

  func profiles(for path: FilePath) -> [Profile] {
    options.profilesFor?(path) ?? options.profiles
  }

  func suppliedPicture(_ still: Candidate) -> SuppliedPicture {
    let name = still.path.lastComponent?.string ?? still.path.string
    do throws(InspectionError) {
      return SuppliedPicture(name: name, picture: try inspector.inspectStill(still))
    } catch {
      return SuppliedPicture(name: name, error: error)
    }
  }

  func request(for profiles: [Profile]) -> InspectionRequest {
    let flash = profiles.map { $0.severities[FlashRule.id] }
    return InspectionRequest(
      preview: options.previewFolder == nil ? .none : .original,
      // Flashes that are errors are counted in any case.
      everyFrame: options.everyFrame == .always
        || options.everyFrame == .whereInDoubt && flash.contains(.error),
      settlesDoubts: options.everyFrame == .whereInDoubt,
      countsFlashes: flash.contains { $0 != .off }, reportImages: options.reportImages)
  }

  /// The path of a candidate's preview.
  private static func previewPath(
    of candidate: Candidate, _ key: ArtworkKey, below folder: FilePath
  ) -> FilePath {
    folder.appending(candidate.previewStem.components).suffixed(".\(key.rawValue).png")
  }

  private func write(
    _ preview: [UInt8], for candidate: Candidate, key: ArtworkKey, below folder: FilePath
  ) throws(InspectionError) -> FilePath {
    let path = Self.previewPath(of: candidate, key, below: folder)
    do throws(Errno) {
      try AtomicFile.makeFolder(path.removingLastComponent())
      try AtomicFile.write(preview, to: path)
    } catch {
      throw InspectionError(
        .previewNotWritten, "cannot write \(path): \(error.description.lowercased())")
    }
    return path
  }
}

extension Batch {
  /// Joins the reports of a release whose files are all inspected with the findings of rules across files.
  func judge(
    _ release: Release, _ reports: [CandidateReport]
  ) -> [CandidateReport] {
    var judged = release
    for (place, report) in zip(judged.videos.indices, reports) {
      judged.videos[place].key =
        options.key ?? release.videos[place].key ?? report.key ?? .square
      (judged.videos[place].path, judged.videos[place].inspection) = (
        report.path, report.inspection
      )
    }
    let keys = Set(judged.videos.compactMap(\.key))
    if release.isGuessed, reports.count > 1, keys.count == 1 { return reports }
    judged.keys.formUnion(keys)
    judged.coverPicture = release.cover.map(suppliedPicture)
    if reports.contains(where: { $0.profiles.count > 1 }),
      let square = judged.video(.square)?.inspection, let tall = judged.video(.tall)?.inspection
    {
      judged.pictures = PicturePair(square, tall, cover: judged.coverPicture?.picture)
    }
    // Files of one release may have different profiles. Each profile judges the release once.
    var judgements: [(profile: Profile, findings: [(video: Int, finding: Finding)])] = []
    func findings(_ profile: Profile) -> [(video: Int, finding: Finding)] {
      if let known = judgements.first(where: { $0.profile == profile }) { return known.findings }
      let findings = Rules.judge(judged, profile: profile)
      judgements.append((profile, findings))
      return findings
    }
    let rules = Set(Rules.ofReleases.map { $0.id })
    var joined = reports.enumerated().map { place, report in
      var report = report
      (report.artworkID, report.release) = (release.artworkID, release.name)
      report.cover = release.cover
      let compared =
        report.inspection == nil
        ? []
        : profiles(for: report.path).flatMap { profile in
          findings(profile).filter { $0.video == place }.map(\.finding)
        }
      report.join(compared, of: rules)
      return report
    }
    joined.markDerivable()
    let homes = Set(joined.map { Catalogue.home(of: $0.path) })
    // A release with a folder of its own is repaired as a whole.
    let isOwn = release.isWhole && homes.count == 1
    joined.nameRepairs(
      of: homes.first.flatMap {
        isOwn && $0.lastComponent?.string == release.artworkID ? $0 : nil
      }, for: profiles)
    return joined
  }

  /// Adds pictures of the crops that make the shapes which a release lacks.
  func drawCrops(_ reports: inout [CandidateReport]?, _ candidates: [Candidate]) {
    for (place, report) in (reports ?? []).enumerated() {
      guard report.findings.contains(where: { $0.rule == PairRule.id && $0.command != nil }),
        let facts = report.inspection?.facts,
        let key = ArtworkKey.allCases.first(where: { $0 != report.key })
      else { continue }
      // Where it cannot be drawn, the command of the finding says why.
      guard let crop = try? inspector.drawCrop(of: candidates[place], as: key, facts) else {
        continue
      }
      reports?[place].reportImages?.crop = crop
    }
  }
}
