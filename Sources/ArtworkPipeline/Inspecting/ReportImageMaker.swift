/// Makes the small pictures of a candidate for reports.
struct ReportImageMaker {
  /// Frames of each end in the strip.
  static let endCount = 3
  /// Pictures of the strip are at most this large, and the preview twice as large each way.
  static let frameSize = PixelSize(width: 128, height: 160)
  static let previewSize = PixelSize(width: 256, height: 320)
  /// The JPEG quantizer of maps, which have no fine detail.
  private static let mapQuantizer: Int32 = 8

  var preview: PixelImage
  /// Small pictures of the first and of the last frames in presentation order; they overlap in short clips.
  var first: [PixelImage]
  var last: [PixelImage]
  /// Displayed frames of the clip.
  var count: Int
  var steps: [Double]
  var seamStep: Double?

  func make() throws(InspectionError) -> ReportImages {
    let preview = try JPEGEncoder.encode(preview, quantizer: JPEGEncoder.reportQuantizer)
    guard count > 1, let start = first.first, let end = last.last else {
      return ReportImages(
        preview: preview, strip: [], framesBeforeSeam: 0, heatMap: [], steps: [], seamStep: nil)
    }
    return ReportImages(
      preview: preview,
      strip: try JPEGEncoder.encode(.row(last + first), quantizer: JPEGEncoder.reportQuantizer),
      framesBeforeSeam: last.count,
      heatMap: try JPEGEncoder.encode(
        HeatMap.draw(end, start).image, quantizer: Self.mapQuantizer),
      steps: steps.largestOfGroups(atMost: ReportImages.mostSteps), seamStep: seamStep)
  }
}

extension PixelImage {
  /// Pictures of one size side by side, without transparency.
  fileprivate static func row(_ pictures: [PixelImage]) -> PixelImage {
    guard let size = pictures.first?.size else { preconditionFailure("a row has pictures") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.area * 3 * pictures.count)
    for y in 0..<size.height {
      for picture in pictures {
        for x in 0..<size.width {
          let place = y * picture.bytesPerRow + x * picture.channels.rawValue
          bytes += picture.bytes[place..<place + 3]
        }
      }
    }
    return PixelImage(
      size: PixelSize(width: size.width * pictures.count, height: size.height), channels: .rgb,
      bytes: bytes)
  }
}

extension [Double] {
  /// Reduces the numbers to at most so many, each the maximum of its group.
  fileprivate func largestOfGroups(atMost most: Int) -> [Double] {
    guard count > most else { return self }
    return (0..<most).map { group in
      self[group * count / most..<(group + 1) * count / most].max() ?? 0
    }
  }
}
