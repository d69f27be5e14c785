/// Inspects a candidate. The answer's bytes are the pictures of the exhibit, then the preview.
struct InspectJob: WorkerJob {
  static let name = "inspect"

  var request: InspectionRequest

  struct Reply: Codable, Sendable {
    var inspection: Inspection
    var exhibit: ExhibitForm?
  }

  func cpuSeconds(_ limits: Limits) -> Int {
    // Doubts are settled by decoding every frame.
    request.everyFrame || request.settlesDoubts
      ? limits.cpuSecondsForEverything : limits.cpuSeconds
  }

  func mostBytes(_ limits: Limits) -> Int64 {
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

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    let result = try Inspector(limits: limits).inspect(file, request)
    return WorkerAnswer(
      value: Reply(
        inspection: result.inspection, exhibit: result.exhibit.map(ExhibitForm.init)),
      bytes: (result.exhibit?.bytes ?? []) + (result.preview ?? []))
  }

  func outcome(of answer: WorkerAnswer<Reply>) -> InspectedCandidate? {
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
