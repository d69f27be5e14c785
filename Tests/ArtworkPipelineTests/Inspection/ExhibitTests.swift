import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkAnalysis
@testable import ArtworkPipeline
@testable import ArtworkReports

@Suite struct ExhibitTests {
  static func exhibit(_ file: String, everyFrame: Bool = true) throws -> Exhibit? {
    try Inspector().inspect(
      Candidate(path: Fixture.named(file).path),
      InspectionRequest(everyFrame: everyFrame, exhibit: true)
    ).exhibit
  }

  /// Width and height that ffprobe reads.
  static func size(_ bytes: [UInt8]) throws -> [Int] {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("picture"))
    let told = try run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0",
        folder.url("picture").path,
      ])
    return String(decoding: told.output, as: UTF8.self)
      .split { ",\n".contains($0) }.compactMap { Int($0) }
  }

  @Test("an exhibit has a preview, both ends, a map and every step")
  func whole() throws {
    let exhibit = try #require(try Self.exhibit("good-3x4.mp4"))
    let facts = Fixture.named("good-3x4.mp4").facts
    #expect(try Self.size(exhibit.preview) == [240, 320])
    // Three frames of 120x160 at each end.
    #expect(exhibit.framesBeforeSeam == 3)
    #expect(try Self.size(exhibit.strip) == [720, 160])
    #expect(try Self.size(exhibit.heatMap) == [120, 160])
    #expect(exhibit.steps.count == (facts.decodedFrames ?? 0) - 1)
    let seam = try #require(exhibit.seamStep)
    #expect(seam > 0 && exhibit.steps.allSatisfy { $0 > 0 })
  }

  @Test("without every frame there are the steps at the ends, and for one frame a preview only")
  func parts() throws {
    // Eight frames at each end of 24, and those between that came on the way.
    let steps = try #require(try Self.exhibit("good-1x1.mp4", everyFrame: false)).steps
    #expect((14...23).contains(steps.count))
    let single = try #require(try Self.exhibit("frames-1.mp4"))
    #expect(single.strip.isEmpty && single.heatMap.isEmpty && single.seamStep == nil)
    #expect(try Self.size(single.preview).count == 2)
  }

  @Test(
    "the pictures of a candidate take at most 16 kB in a page",
    arguments: [
      "good-3x4.mp4", "good-1x1-2s.mp4", "aspect-3x4-off-1.6pct.mp4", "color-pq.mp4",
      "image-anim.gif",
    ])
  func weight(file: String) throws {
    let exhibit = try #require(try Self.exhibit(file))
    #expect(!exhibit.strip.isEmpty && !exhibit.heatMap.isEmpty)
    #expect(exhibit.bytes.count <= 16_000)
  }

  @Test("the colours of a preview are those of the clip")
  func colours() throws {
    let exhibit = try #require(try Self.exhibit("color-bt709.mp4"))
    let folder = try TemporaryFolder()
    try Data(exhibit.preview).write(to: folder.url("preview.jpg"))
    let still = try Inspector().inspectStill(Candidate(path: folder.path("preview.jpg")))
    let frame = try #require(
      try Inspector().inspect(Fixture.named("color-bt709.mp4").path).inspection.firstFrame)
    let differences = zip(frame.cells, still.signature.cells).map { abs(Int($0.0) - Int($0.1)) }
    #expect(differences.reduce(0, +) < 3 * differences.count)
  }

  @Test("what a worker sends is an exhibit only if it has the form of one")
  func forms() throws {
    let exhibit = try #require(try Self.exhibit("good-1x1.mp4"))
    let form = ExhibitForm(exhibit)
    let bytes = exhibit.bytes + [1, 2, 3]
    #expect(form.exhibit(from: bytes) == exhibit)
    #expect(form.exhibit(from: Array(bytes.dropLast(4))) == nil)
    func spoiled(_ change: (inout ExhibitForm) -> Void) -> Exhibit? {
      var form = form
      change(&form)
      return form.exhibit(from: bytes)
    }
    #expect(spoiled { $0.previewBytes -= 1 } == nil)
    #expect(spoiled { $0.previewBytes = -1 } == nil)
    #expect(spoiled { $0.stripBytes = .max } == nil)
    #expect(spoiled { $0.heatMapBytes += 1 } == nil)
    #expect(spoiled { $0.framesBeforeSeam = 65 } == nil)
    #expect(spoiled { $0.steps = Array(repeating: 0, count: 401) } == nil)
  }
}
