import ArtworkModel

/// What a worker is asked, sent as five numbers.
enum WorkerTask: Equatable {
  case inspect(InspectionRequest)
  /// Look at a picture that lies beside candidates.
  case still
  /// Look for loops, and draw the best one's seam.
  case loop(TrimRequest, withPictures: Bool)
  case seam
  /// Try what the sandbox forbids, see ``SandboxTrial``.
  case trial

  static let numberCount = 5

  /// The processor time that this may take.
  func cpuSeconds(_ limits: Limits) -> Int {
    switch self {
    case .inspect(let request):
      request.everyFrame ? limits.cpuSecondsForEverything : limits.cpuSeconds
    case .still, .trial: limits.cpuSeconds
    case .loop, .seam: limits.cpuSecondsForEverything
    }
  }

  var preview: Inspector.PreviewRequest {
    switch self {
    case .inspect(let request): request.preview
    case .still, .loop, .seam, .trial: .none
    }
  }

  /// The kind, and the width and height that the preview has to fit in: negative for no preview, 0 for
  /// its own size, and whether with an exhibit. For loops, the lengths as bit patterns, how many, and whether with pictures.
  var numbers: [Int64] {
    switch self {
    case .trial: return [0, 0, 0, 0, 0]
    case .loop(let request, let withPictures):
      return [
        3, Int64(bitPattern: request.shortest.bitPattern),
        Int64(bitPattern: request.below.bitPattern), Int64(request.count), withPictures ? 1 : 0,
      ]
    case .seam: return [4, 0, 0, 0, 0]
    case .still: return [5, 0, 0, 0, 0]
    case .inspect(let request):
      let kind: Int64 = request.everyFrame ? 2 : 1
      let exhibit: Int64 = request.exhibit ? 1 : 0
      switch request.preview {
      case .none: return [kind, -1, -1, exhibit, 0]
      case .original: return [kind, 0, 0, exhibit, 0]
      case .fitted(let size):
        return [kind, Int64(size.width), Int64(size.height), exhibit, 0]
      }
    }
  }

  init?(numbers: [Int64]) {
    guard numbers.count == Self.numberCount else { return nil }
    if numbers[0] == 3 {
      let shortest = Double(bitPattern: UInt64(bitPattern: numbers[1]))
      let below = Double(bitPattern: UInt64(bitPattern: numbers[2]))
      guard shortest >= 0, below > 0, (1...TrimRequest.mostCandidates).contains(Int(numbers[3]))
      else { return nil }
      self = .loop(
        TrimRequest(shortest: shortest, below: below, count: Int(numbers[3])),
        withPictures: numbers[4] == 1)
      return
    }
    let preview: Inspector.PreviewRequest =
      switch (numbers[1], numbers[2]) {
      case (..<0, _): .none
      case (0, _): .original
      case (let width, let height): .fitted(PixelSize(width: Int(width), height: Int(height)))
      }
    switch numbers[0] {
    case 0: self = .trial
    case 1, 2:
      self = .inspect(
        InspectionRequest(
          preview: preview, everyFrame: numbers[0] == 2, exhibit: numbers[3] == 1))
    case 4: self = .seam
    case 5: self = .still
    default: return nil
    }
  }
}
