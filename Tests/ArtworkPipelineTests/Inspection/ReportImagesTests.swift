@testable import ArtworkMeasuring

@Suite struct ReportImagesTests {
  static func reportImages(_ file: String, everyFrame: Bool = true) throws -> ReportImages? {
    try Inspector().inspect(
      Candidate(path: Fixture.named(file).path), InspectionRequest(everyFrame: everyFrame, reportImages: true)
    ).reportImages
  }

  /// Width and height that ffprobe reads.
  static func size(_ bytes: [UInt8]) throws -> [Int] {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("picture"))
    return try folder.ffprobe("picture", "stream=width,height").flatMap { $0.split(separator: ",") }.compactMap { Int($0) }
  }

  @Test func `report images has a preview, both ends, a map and every step`() throws {
    let reportImages = try #require(try Self.reportImages("good-3x4.mp4"))
    let facts = Fixture.named("good-3x4.mp4").facts
    #expect(try Self.size(reportImages.preview) == [240, 320])
    // Three frames of 120x160 at each end.
    #expect(reportImages.framesBeforeSeam == 3)
    #expect(try Self.size(reportImages.strip) == [720, 160])
    #expect(try Self.size(reportImages.heatMap) == [120, 160])
    #expect(reportImages.steps.count == (facts.decodedFrames ?? 0) - 1)
    let seam = try #require(reportImages.seamStep)
    #expect(seam > 0 && reportImages.steps.allSatisfy { $0 > 0 })
  }

  @Test func `without every frame there are the steps at the ends, and for one frame a preview only`() throws {
    // Eight frames at each end of 24, and those between that came on the way.
    let steps = try #require(try Self.reportImages("good-1x1.mp4", everyFrame: false)).steps
    #expect((14...23).contains(steps.count))
    let single = try #require(try Self.reportImages("frames-1.mp4"))
    #expect(single.strip.isEmpty && single.heatMap.isEmpty && single.seamStep == nil)
    #expect(try Self.size(single.preview).count == 2)
  }

  @Test(arguments: ["good-3x4.mp4", "good-1x1-2s.mp4", "aspect-3x4-off-1.6pct.mp4", "color-pq.mp4", "image-anim.gif"])
  func `the pictures of a candidate take at most 16 kB in a page`(file: String) throws {
    let reportImages = try #require(try Self.reportImages(file))
    #expect(!reportImages.strip.isEmpty && !reportImages.heatMap.isEmpty)
    #expect(reportImages.bytes.count <= 16_000)
  }

  @Test func `the colours of a preview are those of the clip`() throws {
    let reportImages = try #require(try Self.reportImages("color-bt709.mp4"))
    let folder = try TemporaryFolder()
    try Data(reportImages.preview).write(to: folder.url("preview.jpg"))
    let still = try Inspector().inspectStill(Candidate(path: folder.path("preview.jpg")))
    let frame = try #require(try Inspector().inspect(Fixture.named("color-bt709.mp4").path).inspection.firstFrame)
    let differences = zip(frame.cells, still.signature.cells).map { abs(Int($0.0) - Int($0.1)) }
    #expect(differences.reduce(0, +) < 3 * differences.count)
  }

  @Test func `what a worker sends is report images only if it has the form of one`() throws {
    let reportImages = try #require(try Self.reportImages("good-1x1.mp4"))
    let form = ReportImagesLayout(reportImages)
    let bytes = reportImages.bytes + [1, 2, 3]
    #expect(form.reportImages(from: bytes) == reportImages)
    #expect(form.reportImages(from: Array(bytes.dropLast(4))) == nil)
    func spoiled(_ change: (inout ReportImagesLayout) -> Void) -> ReportImages? {
      var form = form
      change(&form)
      return form.reportImages(from: bytes)
    }
    #expect(spoiled { $0.previewBytes -= 1 } == nil)
    #expect(spoiled { $0.previewBytes = -1 } == nil)
    #expect(spoiled { $0.stripBytes = .max } == nil)
    #expect(spoiled { $0.heatMapBytes += 1 } == nil)
    #expect(spoiled { $0.framesBeforeSeam = 65 } == nil)
    #expect(spoiled { $0.steps = Array(repeating: 0, count: 401) } == nil)
  }
}
