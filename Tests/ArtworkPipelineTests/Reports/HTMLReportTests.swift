@testable import ArtworkJudging
@testable import ArtworkPipeline

@Suite struct HTMLReportTests {
  static func data(_ page: String) throws -> [String: Any] {
    let start = try #require(page.firstRange(of: "<script type=\"application/json\" id=\"data\">"))
    let end = try #require(page[start.upperBound...].firstRange(of: "</script>"))
    let json = Data(page[start.upperBound..<end.lowerBound].utf8)
    return try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  static func candidates(_ report: CheckReport, _ setting: ReportSetting) throws -> [[String: Any]] {
    let data = try data(HTMLReport.render(report, setting))
    return try #require(data["candidates"] as? [[String: Any]])
  }

  @Test func `the data holds the same results as JSON does, but for the measurements, which the page does not show`() throws {
    let json = try JSONReport.document(SampleReport.hostile.results, summary: SampleReport.hostile.summary)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let results = try Self.candidates(SampleReport.hostile, SampleReport.setting).map { $0["result"] as? NSDictionary }
    let expected = (document["results"] as? [[String: Any]])?.map { result in
      var result = result.filter { !["looks", "decoding"].contains($0.key) }
      if let seam = result["seam"] as? [String: Any] { result["seam"] = seam.filter { $0.key != "measurement" } }
      return result as NSDictionary
    }
    #expect(results == expected)
  }

  @Test func `no name is in the page but as data, in which nothing can end it`() throws {
    let page = try HTMLReport.render(SampleReport.hostile, SampleReport.setting)
    let empty = try HTMLReport.render(SampleReport.report([]), SampleReport.setting)
    #expect(page.ranges(of: "<").count == empty.ranges(of: "<").count)
    #expect(!empty.contains("{{"))
    // Nothing is fetched from anywhere.
    #expect(empty.ranges(of: /(?:src|href)="(?!#)/).isEmpty)
    #expect(
      empty.ranges(of: "http").count == empty.ranges(of: "http-equiv").count
        + empty.ranges(of: "http://www.w3.org/2000/svg").count)
  }

  @Test(
    arguments: [
      ("a/b c.mp4", "out", "../a/b%20c.mp4"), ("a/b.mp4", "a", "b.mp4"), ("a/b.mp4", nil, "a/b.mp4"),
      ("/else/b.mp4", nil, "../../else/b.mp4"), ("../b.mp4", "/srv/art/x/y", "../../../b.mp4"),
      ("a:b?c#d.mp4", nil, "a%3Ab%3Fc%23d.mp4"), ("a/1.mp4", "a/../b", "../a/1.mp4"),
    ] as [(String, String?, String)])
  func `videos are searched from where the page is`(path: String, folder: String?, address: String) throws {
    let setting = ReportSetting(currentFolder: "/srv/art", folder: folder.map { FilePath($0) }, toolVersion: "1")
    #expect(setting.pageLink(to: FilePath(path)) == address)
  }

  @Test func `small videos travel along until there is no more room; others do not`() throws {
    let size = Int64(ReportSetting.largestEmbedded)
    var results = (0..<5).map { number in SampleReport.result(FilePath("\(number).mp4")) { $0.fileBytes = size } }
    results += [
      SampleReport.result("large.mp4") { $0.fileBytes = size + 1 }, SampleReport.result("grown.mp4") { $0.fileBytes = 1 },
      SampleReport.result("gone.mp4") { $0.fileBytes = 1 },
      SampleReport.result("film.avi") { ($0.fileBytes, $0.container) = (1, "avi") }, SampleReport.error("broken.mp4"),
    ]
    var setting = SampleReport.setting
    setting.contents = { path in
      switch path.string {
      case "gone.mp4": nil
      case "grown.mp4", "large.mp4": [UInt8](repeating: 0, count: Int(size) + 1)
      default: [UInt8](repeating: 0, count: Int(size))
      }
    }
    let candidates = try Self.candidates(SampleReport.report(results), setting)
    let carried = candidates.map { ($0["embedded"] as? String)?.utf8.count }
    let expected = (Int(size) + 2) / 3 * 4 + "data:video/mp4;base64,".count
    #expect(carried.prefix(3).allSatisfy { $0 == expected })
    #expect(carried.dropFirst(3).allSatisfy { $0 == nil })
  }

  @Test func `pictures come before videos, and those of candidates with problems before others`() throws {
    let half = ReportImages(
      preview: [UInt8](repeating: 1, count: ReportSetting.largestPictures / 2 + 1), strip: [], framesBeforeSeam: 0, heatMap: [],
      steps: [], seamStep: nil)
    var results = [
      SampleReport.result("fine.mp4") { $0.fileBytes = 1 },
      SampleReport.result("bad.mp4", [SampleReport.finding()]) { $0.fileBytes = 1 },
    ]
    for index in results.indices { results[index].reportImages = half }
    var setting = SampleReport.setting
    setting.contents = { _ in [0] }
    let candidates = try Self.candidates(SampleReport.report(results), setting)
    #expect(candidates.map { $0["reportImages"] != nil } == [false, true])
    #expect(candidates.allSatisfy { $0["embedded"] == nil })
  }

  @Test func `files of one release share its entry, with the cover; the same ID elsewhere is another release`() throws {
    let paths: [FilePath] = ["a/song/1x1.mp4", "a/song/3x4.mp4", "b/song/1x1.mp4", "alone.mp4"]
    let results = paths.map { path in
      var result = SampleReport.result(path)
      guard path != "alone.mp4" else { return result }
      let folder = FilePath("/srv/art").pushing(path).removingLastComponent()
      result.release = Release.Name(folder: folder, artworkID: "song")
      result.cover = Candidate(path: path.removingLastComponent().appending("cöver.jpg"))
      return result
    }
    var setting = SampleReport.setting
    setting.contents = { $0 == "b/song/cöver.jpg" ? [0xff] : nil }
    let data = try Self.data(HTMLReport.render(SampleReport.report(results), setting))
    let candidates = try #require(data["candidates"] as? [[String: Any]])
    #expect(candidates.map { $0["release"] as? Int } == [0, 0, 1, nil])
    let releases = try #require(data["releases"] as? [[String: Any]])
    #expect(releases.map { $0["folder"] as? String } == ["a/song", "b/song"])
    let covers = releases.compactMap { $0["cover"] as? [String: String] }
    #expect(covers.map { $0["address"] } == ["a/song/c%C3%B6ver.jpg", "b/song/c%C3%B6ver.jpg"])
    #expect(covers.map { $0["embedded"] } == [nil, "data:image/jpeg;base64,/w=="])
  }
}
