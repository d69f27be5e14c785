import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkPipeline

/// The verdict on clips whose labels are known because they were made so: a part of the set that
/// Scripts/seams/evaluate measures the accuracy on. They are drawn anew for each run, which is most of what this takes.
@Suite(.enabled(if: Nightly.isOn, Nightly.absence)) struct LabelledClipsTests {
  struct Label: Decodable {
    var file: String
    var defect: String
    var strength: Int
    var clear: Bool
  }

  struct Result {
    var label: Label
    var verdict: SeamJudgement.Verdict
    var fails: Bool

    var isDefect: Bool { !["seamless", "static"].contains(label.defect) }
    var isCaught: Bool { ![.seamless, .static].contains(verdict) }
  }

  private static func results() async throws -> [Result] {
    let folder = try TemporaryFolder()
    let script = Checkout.root.appendingPathComponent("Scripts/seams/make-clips")
    try run("/usr/bin/python3", [script.path, folder.root.path, "--subset"])
    let labels = try JSONDecoder().decode(
      [Label].self, from: Data(contentsOf: folder.url("labels.json")))
    let reports = await Batch(options: Batch.Options(jobs: 2)).run(
      labels.map { Candidate(path: folder.path($0.file)) })
    return try zip(labels, reports).map { label, report in
      Result(
        label: label, verdict: try #require(report.seam, "\(label.file)").verdict,
        fails: report.findings.contains {
          ["loop-seam", "fade"].contains($0.rule) && $0.severity == .error
        })
    }
  }

  @Test("loops pass, defects are caught and named as they are labelled")
  func accuracy() async throws {
    let results = try await Self.results()
    func names(_ results: [Result]) -> String {
      results.map { "\($0.label.file): \($0.verdict.rawValue)" }.joined(separator: ", ")
    }
    let loops = results.filter { $0.label.defect == "seamless" }
    #expect(loops.count >= 20)
    let failed = loops.filter(\.fails)
    #expect(failed.isEmpty, "\(names(failed))")
    let doubted = loops.filter { ![.seamless, .reverse].contains($0.verdict) }
    #expect(doubted.count <= 1, "\(names(doubted))")

    let defects = results.filter { $0.isDefect && $0.label.clear }
    #expect(defects.count >= 20)
    let missed = defects.filter { !$0.isCaught }
    #expect(Double(missed.count) <= 0.1 * Double(defects.count), "\(names(missed))")
    let misnamed = defects.filter { $0.isCaught && $0.verdict.rawValue != $0.label.defect }
    #expect(Double(misnamed.count) <= 0.15 * Double(defects.count), "\(names(misnamed))")
    #expect(!results.contains { $0.verdict == .uncertain }, "doubts are settled by every frame")
  }
}
