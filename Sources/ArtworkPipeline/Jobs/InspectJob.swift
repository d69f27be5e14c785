/// Inspects a candidate. The answer's bytes are the pictures of the report images, then the preview.
package struct InspectJob: Job {
  package static let name = "inspect"

  package var request: InspectionRequest

  package init(request: InspectionRequest) { self.request = request }

  package struct Reply: Codable, Sendable {
    var inspection: Inspection
    var reportImages: ReportImagesLayout?
  }

  package func cpuSeconds(_ limits: Limits) -> Int {
    // Undecided rules are settled by decoding every frame.
    request.everyFrame || request.settlesDoubts
      ? limits.cpuSecondsForEverything : limits.cpuSeconds
  }

  package func mostBytes(_ limits: Limits) -> Int64 {
    // Enough for WebP too, which compresses better.
    let most = PixelSize.largestPreview.area
    let preview =
      switch request.preview {
      case .none: Int64(0)
      case .original: PictureBytes.png(pixels: most)
      case .fitted(let box): PictureBytes.png(pixels: min(box.area, most))
      case .seam: PictureBytes.png(pixels: SeamStrip.largest.area)
      }
    return preview + (request.reportImages ? Int64(ReportImagesLayout.mostBytes) : 0)
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let examination = try Inspector(limits: limits).examine(file, request)
    let preview = try examination.preview.map { image throws(InspectionError) in
      try request.previewFormat.encode(image)
    }
    return JobAnswer(
      value: Reply(
        inspection: examination.inspection,
        reportImages: examination.reportImages.map(ReportImagesLayout.init)),
      bytes: (examination.reportImages?.bytes ?? []) + (preview ?? []))
  }

  package func outcome(of answer: JobAnswer<Reply>) -> InspectedCandidate? {
    let reportImages = answer.value.reportImages?.reportImages(from: answer.bytes)
    let preview = Array(answer.bytes.dropFirst(reportImages?.bytes.count ?? 0))
    guard request.reportImages == (reportImages != nil),
      request.preview == .none ? preview.isEmpty : request.previewFormat.isWellFormed(preview)
    else { return nil }
    return InspectedCandidate(
      inspection: answer.value.inspection, preview: request.preview == .none ? nil : preview,
      reportImages: reportImages)
  }
}
