/// How much a page carries along: a page of thousands of candidates must still open.
struct PageRoom {
  /// Bytes that files may still take.
  private var left: Int
  private let pictured: Set<Int>

  /// Pictures come first, and among them those of candidates that need attention.
  init(_ results: [CandidateReport]) {
    var pictures = 0
    var pictured: Set<Int> = []
    let inOrder =
      results.indices.filter { results[$0].isProblem }
      + results.indices.filter { !results[$0].isProblem }
    for index in inOrder {
      let size = results[index].reportImages.map { reportImages in
        reportImages.bytes.count + reportImages.crop.count
      }
      guard pictures + (size ?? 0) <= ReportSetting.largestPictures else { continue }
      pictures += size ?? 0
      pictured.insert(index)
    }
    self.pictured = pictured
    left = max(0, ReportSetting.largestEmbeddedTotal - pictures)
  }

  func showsPictures(of index: Int) -> Bool { pictured.contains(index) }

  /// The bytes of a small file, if there is room.
  ///
  /// - Parameter size: the known size, so that large files are not read; the file may have grown since.
  mutating func take(_ path: FilePath, size: Int64?, _ setting: ReportSetting) -> [UInt8]? {
    let most = min(ReportSetting.largestEmbedded, left)
    guard size ?? 0 <= most, let bytes = setting.contents(path), bytes.count <= most else {
      return nil
    }
    left -= bytes.count
    return bytes
  }
}
