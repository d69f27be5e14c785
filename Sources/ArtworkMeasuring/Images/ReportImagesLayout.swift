import FoundationEssentials

/// Report images without their pictures, which are sent as plain bytes.
package struct ReportImagesLayout: Codable {
  package var previewBytes: Int
  package var stripBytes: Int
  var heatMapBytes: Int
  package var framesBeforeSeam: Int
  package var steps: [Double]
  package var seamStep: Double?

  /// All pictures together: several times the size of noise at their dimensions.
  package static let mostBytes = 2 << 20

  package init(_ reportImages: ReportImages) {
    previewBytes = reportImages.preview.count
    stripBytes = reportImages.strip.count
    heatMapBytes = reportImages.heatMap.count
    framesBeforeSeam = reportImages.framesBeforeSeam
    steps = reportImages.steps
    seamStep = reportImages.seamStep
  }

  /// The report images whose pictures `bytes` start with; `nil` for some that ``ReportImageMaker`` would not make. Does not
  /// check the compressed data.
  package func reportImages(from bytes: [UInt8]) -> ReportImages? {
    let lengths = [previewBytes, stripBytes, heatMapBytes]
    guard lengths.allSatisfy({ (0...Self.mostBytes).contains($0) }),
      lengths.reduce(0, +) <= bytes.count, (0...64).contains(framesBeforeSeam),
      steps.count <= ReportImages.mostSteps
    else { return nil }
    let reportImages = ReportImages(
      preview: Array(bytes[..<previewBytes]),
      strip: Array(bytes[previewBytes..<previewBytes + stripBytes]),
      framesBeforeSeam: framesBeforeSeam,
      heatMap: Array(bytes[(previewBytes + stripBytes)...].prefix(heatMapBytes)), steps: steps,
      seamStep: seamStep)
    guard ReportImages.isJPEG(reportImages.preview),
      [reportImages.strip, reportImages.heatMap].allSatisfy({
        $0.isEmpty || ReportImages.isJPEG($0)
      })
    else { return nil }
    return reportImages
  }
}

extension ReportImages {
  /// The pictures one after the other.
  package var bytes: [UInt8] { preview + strip + heatMap }

  /// Whether the bytes run from a start of image to an end of image.
  package static func isJPEG(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 4 && bytes.starts(with: [0xff, 0xd8, 0xff]) && bytes.suffix(2) == [0xff, 0xd9]
  }
}

extension ReportImages: Codable {
  private enum CodingKeys: CodingKey { case form, pictures }

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let form = try fields.decode(ReportImagesLayout.self, forKey: .form)
    guard
      let reportImages = form.reportImages(
        from: Array(try fields.decode(Data.self, forKey: .pictures)))
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .pictures, in: fields, debugDescription: "these are not the pictures")
    }
    self = reportImages
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(ReportImagesLayout(self), forKey: .form)
    try fields.encode(Data(bytes), forKey: .pictures)
  }
}
