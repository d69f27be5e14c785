/// Inspects a candidate. The answer's bytes are the pictures of the exhibit, then the preview.
package struct InspectJob: Job {
  package static let name = "inspect"

  package var request: InspectionRequest

  package init(request: InspectionRequest) { self.request = request }

  package struct Reply: Codable, Sendable {
    var inspection: Inspection
    var exhibit: ExhibitForm?
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
      }
    return preview + (request.exhibit ? Int64(ExhibitForm.mostBytes) : 0)
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
        inspection: examination.inspection, exhibit: examination.exhibit.map(ExhibitForm.init)),
      bytes: (examination.exhibit?.bytes ?? []) + (preview ?? []))
  }

  package func outcome(of answer: JobAnswer<Reply>) -> InspectedCandidate? {
    let exhibit = answer.value.exhibit?.exhibit(from: answer.bytes)
    let preview = Array(answer.bytes.dropFirst(exhibit?.bytes.count ?? 0))
    guard request.exhibit == (exhibit != nil),
      request.preview == .none ? preview.isEmpty : request.previewFormat.isWellFormed(preview)
    else { return nil }
    return InspectedCandidate(
      inspection: answer.value.inspection, preview: request.preview == .none ? nil : preview,
      exhibit: exhibit)
  }
}
