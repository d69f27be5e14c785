/// Inspects a candidate. The answer's bytes are the pictures of the exhibit, then the preview.
public struct InspectJob: Job {
  public static let name = "inspect"

  public var request: InspectionRequest

  public init(request: InspectionRequest) { self.request = request }

  public struct Reply: Codable, Sendable {
    var inspection: Inspection
    var exhibit: ExhibitForm?
  }

  public func cpuSeconds(_ limits: Limits) -> Int {
    // Doubts are settled by decoding every frame.
    request.everyFrame || request.settlesDoubts
      ? limits.cpuSecondsForEverything : limits.cpuSeconds
  }

  public func mostBytes(_ limits: Limits) -> Int64 {
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

  public func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let look = try Inspector(limits: limits).examine(file, request)
    let preview = try look.preview.map { image throws(InspectionError) in
      try request.previewFormat.encode(image)
    }
    return JobAnswer(
      value: Reply(
        inspection: look.inspection, exhibit: look.exhibit.map(ExhibitForm.init)),
      bytes: (look.exhibit?.bytes ?? []) + (preview ?? []))
  }

  public func outcome(of answer: JobAnswer<Reply>) -> InspectedCandidate? {
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
