import Fixtures
import Foundation
import SystemPackage
import Testing

@testable import ArtworkPipeline

/// Copies that stopped too early. A cut that loses frames must show, as an error or as a finding.
@Suite struct TruncationTests {
  static func check(_ bytes: Data, in folder: TemporaryFolder) throws -> CandidateReport {
    try bytes.write(to: folder.url("cut.mp4"))
    return Batch(options: Batch.Options(jobs: 1)).check(Candidate(path: folder.path("cut.mp4")))
  }

  static func isNoticed(_ report: CandidateReport) -> Bool {
    report.error != nil || report.findings.contains { $0.rule == "truncated" }
  }

  /// Forty places all over the file and the last fifty bytes.
  static func cuts(_ length: Int) -> [Int] {
    (1...40).map { length * $0 / 41 } + stride(from: length - 50, to: length, by: 3)
  }

  @Test(
    "a cut is noticed unless every frame is still there",
    arguments: [
      "moov-first.mp4", "good-1x1.mp4", "prores-422.mov", "h264-pyramid.mp4", "hevc-main10.mp4",
    ])
  func cut(file: String) throws {
    let fixture = Fixture.named(file)
    let whole = try Data(contentsOf: fixture.url)
    let folder = try TemporaryFolder()
    for length in Self.cuts(whole.count) {
      let report = try Self.check(whole.prefix(length), in: folder)
      let frames = report.inspection?.facts.frameCount
      #expect(
        Self.isNoticed(report) || frames == fixture.facts.decodedFrames, "cut to \(length) bytes")
    }
    #expect(try !Self.isNoticed(Self.check(whole, in: folder)))
  }

  /// Copies of a fragmented file, each cut in the middle of a top-level box of this type.
  static func cuts(_ file: String, inside type: String) throws -> [Data] {
    let bytes = try Data(contentsOf: Fixture.named(file).url)
    var cuts: [Data] = []
    var start = 0
    while start + 8 <= bytes.count {
      let size = max(8, bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) })
      if bytes[start + 4..<start + 8].elementsEqual(type.utf8) {
        cuts.append(bytes.prefix(start + size / 2))
      }
      start += size
    }
    return cuts
  }

  @Test(
    "a cut inside the data of a fragment is noticed",
    arguments: ["frag-keyframe.mp4", "frag-no-index.mp4"])
  func insideData(file: String) throws {
    let folder = try TemporaryFolder()
    let cuts = try Self.cuts(file, inside: "mdat")
    #expect(cuts.count > 1)
    for cut in cuts {
      #expect(try Self.isNoticed(Self.check(cut, in: folder)), "cut to \(cut.count) bytes")
    }
  }

  /// Nobody can notice a cut right before a fragment.
  @Test("a cut inside the header of a fragment is noticed")
  func insideHeader() throws {
    let folder = try TemporaryFolder()
    let cuts = try Self.cuts("frag-no-index.mp4", inside: "moof")
    #expect(cuts.count == 24)
    let unnoticed = try cuts.filter { try !Self.isNoticed(Self.check($0, in: folder)) }
    withKnownIssue("a cut inside a fragment's header is taken for the end") {
      #expect(unnoticed.map(\.count) == [])
    }
  }
}
