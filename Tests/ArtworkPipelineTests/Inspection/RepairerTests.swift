import Synchronization

@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkPipeline

@Suite struct RepairerTests {
  private static func shown(_ digests: [UInt64], step: Int64 = 40_000_000) -> DisplayedFrames {
    DisplayedFrames(
      frames: digests.enumerated().map { .init(digest: [$1, 0], nanoseconds: Int64($0) * step) }, tickNanoseconds: 1_000_000)
  }

  private static func rejectionReason(
    _ after: DisplayedFrames, of before: DisplayedFrames = shown([1, 2, 3]), _ change: (inout MediaFacts) -> Void = { _ in }
  ) -> String? {
    let facts = MediaFacts.sample { $0.color.matrix = nil }
    var copied = facts
    copied.color.matrix = "bt709"
    change(&copied)
    let copy = CopiedClip(
      movie: [1], before: before, after: after, facts: copied)
    return Repairer.rejectionReason(
      copy, facts, Recipe(content: .packets(matrix: "bt709", sourceBytes: 1)))
  }

  @Test func `a copy with one other frame, one less, or one at another time is not kept`() {
    #expect(Self.rejectionReason(Self.shown([1, 2, 3])) == nil)
    #expect(Self.rejectionReason(Self.shown([1, 9, 3]))?.contains("1 of 3 frames differ") == true)
    #expect(Self.rejectionReason(Self.shown([1, 2]))?.contains("2 frames instead of 3") == true)
    #expect(Self.rejectionReason(Self.shown([1, 2, 3], step: 43_000_000))?.contains("different times") == true)
    #expect(Self.rejectionReason(Self.shown([]), of: Self.shown([])) != nil)
  }

  @Test func `a copy that is shown otherwise is not kept`() {
    let same = Self.shown([1, 2, 3])
    #expect(Self.rejectionReason(same) { $0.rotation = 90 } != nil)
    #expect(Self.rejectionReason(same) { $0.setDisplay(1080, 1440) } != nil)
    #expect(Self.rejectionReason(same) { $0.color.matrix = nil } != nil)
    #expect(Self.rejectionReason(same) { $0.color.range = "pc" } != nil)
    #expect(Self.rejectionReason(same) { $0.durationSeconds += 0.04 } != nil)
  }

  private static func finding(_ rule: String, _ severity: Finding.Severity, profile: String = "now-playing") -> Finding {
    Finding(rule: rule, severity: severity, message: "m", help: "h", profile: profile)
  }

  @Test func `a copy has fewer findings, none is new or worse, and what it repairs is gone`() {
    let tag = Self.finding("codec-tag", .error)
    let color = Self.finding("color", .info)
    func rejectionReason(_ after: [Finding]) -> String? {
      Repairer.rejectionReason(before: [tag, color], after: after, [tag])
    }
    #expect(rejectionReason([]) == nil && rejectionReason([color]) == nil)
    #expect(rejectionReason([tag])?.contains("still breaks the rule codec-tag") == true)
    #expect(rejectionReason([Self.finding("duration", .info)])?.contains("duration") == true)
    #expect(rejectionReason([Self.finding("loop-seam", .info)]) == nil, "it swings to and fro")
    #expect(rejectionReason([Self.finding("loop-seam", .warning)]) != nil)
    #expect(rejectionReason([Self.finding("color", .warning)]) != nil)
    #expect(rejectionReason([Self.finding("color", .info, profile: "web")]) != nil)
    #expect(rejectionReason([color, color]) != nil)
    // A clip that swings is a remark.
    #expect(rejectionReason([Self.finding("codec-tag", .info), color]) == nil)
  }

  @Test func `a finding states how it can be repaired: by a copy, or by encoding`() {
    func kinds(_ change: (inout MediaFacts) -> Void) -> [String: RepairKind] {
      let inspection = Inspection(
        facts: .sample(change), decoding: .init(packetsDecoded: 3, errorCount: 0, missingFrames: 0), previewIsToneMapped: false)
      let found = Rules.judge(inspection, key: .square, path: "a.mp4", profile: .nowPlaying)
      return Dictionary(
        found.findings.compactMap { finding in finding.repair.map { (finding.rule, $0) } }, uniquingKeysWith: { $1 })
    }
    #expect(kinds { ($0.codec, $0.codecTag) = ("hevc", "hev1") } == ["codec-tag": .lossless])
    #expect(kinds { $0.container = "matroska" } == ["container": .lossless])
    #expect(kinds { $0.hasAudio = true } == ["audio-track": .lossless])
    #expect(kinds { $0.startSeconds = 0.5 } == ["start-offset": .lossless])
    #expect(kinds { $0.color.matrix = nil } == ["color": .metadata])
    #expect(kinds { $0.codec = "vp9" } == ["codec": .unsafe])
    #expect(kinds { $0.setRate(120, 1) } == ["frame-rate": .unsafe])
    // A copy would reveal frames that the edit list hides.
    #expect(kinds { ($0.hasAudio, $0.discardedFrameCount) = (true, 3) } == ["audio-track": .unsafe, "start-offset": .unsafe])
    // Players crop it in different ways.
    let aperture = CleanAperture(x: 8, y: 8, width: 1064, height: 1064)
    #expect(kinds { ($0.codec, $0.cleanAperture) = ("vp9", aperture) } == [:])
  }

  /// Runs the jobs of a repair in this process, and remembers their names.
  private final class Recording: JobRunner {
    let limits = Limits()
    /// Processor time that each job is said to take.
    let secondsEach: Double
    private let names = Mutex<[String]>([])
    var jobs: [String] { names.withLock { $0 } }
    var cpuSeconds: Double { secondsEach * Double(jobs.count) }

    init(secondsEach: Double = 0) { self.secondsEach = secondsEach }

    func run<Work: Job>(_ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?)
      throws(InspectionError) -> Work.Outcome
    {
      names.withLock { $0.append(Work.name) }
      return try Inspector().run(job, on: file, isCancelled: isCancelled, progress: progress)
    }
  }

  /// The result of a repair, and its jobs.
  private static func repaired(
    _ path: FilePath, isKnown: Bool = false, encodes: Bool = false, secondsEach: Double = 0,
    obstacle: Repairer.Obstacle = { _ in nil }
  ) -> (outcome: RepairOutcome, movie: [UInt8]?, jobs: [String]) {
    let runner = Recording(secondsEach: secondsEach)
    var options = Repairer.Options()
    options.encodes = encodes
    var repairer = Repairer(Batch(options: .init(jobs: 1), inspector: runner), runner, options)
    repairer.known = { isKnown ? try? Inspector().inspect($0, $1).inspection : nil }
    let (outcome, movie) = repairer.repair(Candidate(path: path), obstacle: obstacle)
    return (outcome, movie, runner.jobs)
  }

  @Test(arguments: [
    "codec-hev1.mp4", "color-untagged.mp4", "audio-aac.mp4", "rate-24000-1001.mkv", "edit-start-1s.mp4", "loop-jump.mp4",
    "good-1x1.mp4", "codec-mjpeg.avi", "h264-pyramid.mp4",
  ])
  func `a clip that is decoded once, as its copy, is judged and repaired as one that is scanned first`(name: String) throws {
    let path = Fixture.named(name).path
    let (once, one, jobs) = Self.repaired(path)
    let (twice, two, _) = Self.repaired(path, isKnown: true)
    func rules(_ findings: [Finding]) -> [String] { findings.map { "\($0.rule) \($0.severity)" } }
    #expect(rules(once.plan.findings) == rules(twice.plan.findings))
    #expect(rules(once.repaired) == rules(twice.repaired))
    #expect(rules(once.remaining) == rules(twice.remaining))
    #expect(rules(once.plan.needsEncoding) == rules(twice.plan.needsEncoding))
    #expect(once.assumptions == twice.assumptions && one == two)
    switch (once.status, twice.status) {
    case (.repaired, .repaired):
      #expect(one != nil && once.comparison?.compared == twice.comparison?.compared)
      if once.comparison?.method == .packets { #expect(jobs == ["quick-scan", "make", "packets", "inspect"]) }
    case (.unchanged, .unchanged): #expect(one == nil && jobs == ["quick-scan", "inspect"])
    default: Issue.record("\(once.status) instead of \(twice.status)")
    }
  }

  @Test func `both shapes of a release are measured once`() throws {
    let folder = try TemporaryFolder()
    for (fixture, name) in [("good-1x1.mp4", "1x1.mp4"), ("good-3x4.mp4", "3x4.mp4")] {
      try folder.copy(.named(fixture), to: name)
    }
    let runner = Recording()
    var options = Repairer.Options()
    (options.encodes, options.isWhole) = (true, true)
    // Both are the square picture and its mirror image.
    options.rules = RuleSelection(selected: [], ignored: [InsetCoverRule.id])
    let repairer = Repairer(Batch(options: .init(jobs: 1), inspector: runner), runner, options)
    let catalogue = Catalogue(
      CandidateFinder.find([FilePath(folder.root.path)]), Configuration())
    let group = try #require(catalogue.group(beginningWith: 0))
    let (result, files) = repairer.repair(
      group.candidates.map(catalogue.file), of: group.release.map { catalogue.releases[$0] })
    #expect(result.outcomes.count == 2 && files.isEmpty)
    #expect(runner.jobs.count { $0 == "inspect" } == 2, "\(runner.jobs)")
  }

  @Test func `a release that took its processor time is refused with how to allow more`() {
    let most = Limits().cpuSecondsForEncoding
    // The inspection, the search for a loop, and one file fit.
    for (seconds, makes) in [(Double(most) / 2.5, 1), (Double(most), 0)] {
      let (outcome, movie, jobs) = Self.repaired(
        Fixture.named("loop-jump.mp4").path, encodes: true, secondsEach: seconds)
      #expect(jobs.count { $0 == "make" } == makes, "\(jobs)")
      guard makes == 0 else { continue }
      guard case .refused(let reason) = outcome.status else {
        Issue.record("\(outcome.status)")
        continue
      }
      #expect(movie == nil && reason.hasPrefix("its release took more than \(most) s of processor time: --limit cpu="))
    }
  }

  @Test func `nothing is searched and nothing is made for a file that could not be kept`() {
    for (name, encodes) in [("loop-jump.mp4", true), ("codec-hev1.mp4", false)] {
      let (outcome, _, jobs) = Self.repaired(Fixture.named(name).path, encodes: encodes) { "the name of the .\($0) is taken" }
      guard case .refused("the name of the .mp4 is taken") = outcome.status else {
        Issue.record("\(outcome.status)")
        continue
      }
      #expect(jobs == (encodes ? ["inspect"] : ["quick-scan", "inspect"]))
    }
  }

  @Test(arguments: ["good-1x1.mp4", "audio-aac.mp4"])
  func `a clip that becomes another one after the quick scan is judged as what it is`(other: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("clip.mp4")
    try folder.copy(Fixture.named("codec-hev1.mp4"), to: "clip.mp4")
    let expected = Self.repaired(Fixture.named(other).path, isKnown: true).outcome
    var isReplaced = false
    let result = Self.repaired(path) { _ in
      // Asked after the quick scan, and again later.
      if isReplaced { return nil }
      isReplaced = true
      try? FileManager.default.removeItem(at: folder.url("clip.mp4"))
      try? folder.copy(Fixture.named(other), to: "clip.mp4")
      return nil
    }.outcome
    #expect(result.plan.findings.map(\.rule) == expected.plan.findings.map(\.rule))
    #expect(result.comparison?.compared == expected.comparison?.compared)
    #expect(result.repaired.map(\.rule) == expected.repaired.map(\.rule))
  }

  @Test func `loops start no earlier than the first picture, best first, and the swing as well`() throws {
    let times = (0...90).map { Double($0) / 30 }
    var report = LoopReport(
      answer: .trim, candidates: [], whole: nil, crossFade: nil, frameCount: 90, startSeconds: 0, endSeconds: 3,
      frameRate: Rational(30), isVariableRate: false, damagedFrames: 0, below: 30)
    report.candidates = [(0, 31), (40, 80), (30, 70)].map {
      TrimCandidate(
        startFrame: $0.0, endFrame: $0.1, startSeconds: times[$0.0], endSeconds: times[$0.1], motion: 1, isLossless: true,
        seam: .sample())
    }
    report.crossFade = CrossFade(startFrame: 12, endFrame: 60, startSeconds: 0.4, endSeconds: 2, fadeFrames: 6)
    report.below = 2
    #expect(report.parts().map(\.frames) == [0..<31, 12..<60, 0..<29])
    #expect(report.parts().map(\.swings) == [false, false, true])
    #expect(report.parts(from: 1).map(\.frames) == [40..<80, 30..<59])
    #expect(report.parts(from: 2.9) == [])
    // The swing keeps to its scene, and begins near the cover.
    report.swing = 50..<70
    report.likeness = (0..<90).map { $0 == 66 ? 0.9 : 0.2 }
    let swing = try #require(report.parts().last)
    #expect(swing.frames == 50..<70 && report.begin(of: swing) == 66)
    // As good as the first, and longer.
    #expect(report.parts(prefersLongest: true).first?.frames == 40..<80)
  }
}
