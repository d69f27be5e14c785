/// Makes the small pictures of a candidate for reports.
struct ReportImageMaker {
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
      strip: try JPEGEncoder.encode(
        SeamStrip.draw(last: last, first: first, gap: 0), quantizer: JPEGEncoder.reportQuantizer),
      framesBeforeSeam: last.count,
      heatMap: try JPEGEncoder.encode(
        HeatMap.draw(end, start).image, quantizer: Self.mapQuantizer),
      steps: steps.largestOfGroups(atMost: ReportImages.mostSteps), seamStep: seamStep)
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
