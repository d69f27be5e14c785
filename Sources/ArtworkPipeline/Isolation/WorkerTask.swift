/// What a worker is asked, sent as three numbers.
enum WorkerTask: Equatable {
  case inspect(decodesEverything: Bool, preview: Inspector.PreviewRequest)
  /// Try what the sandbox forbids, see ``SandboxTrial``.
  case trial

  static let numberCount = 3

  var preview: Inspector.PreviewRequest {
    switch self {
    case .inspect(_, let preview): preview
    case .trial: .none
    }
  }

  /// The kind, and the width and height that the preview has to fit in: negative for no preview, 0 for
  /// its own size.
  var numbers: [Int64] {
    switch self {
    case .trial: return [0, 0, 0]
    case .inspect(let decodesEverything, let preview):
      let kind: Int64 = decodesEverything ? 2 : 1
      switch preview {
      case .none: return [kind, -1, -1]
      case .original: return [kind, 0, 0]
      case .fitted(let size): return [kind, Int64(size.width), Int64(size.height)]
      }
    }
  }

  init?(numbers: [Int64]) {
    guard numbers.count == Self.numberCount else { return nil }
    let preview: Inspector.PreviewRequest =
      switch (numbers[1], numbers[2]) {
      case (..<0, _): .none
      case (0, _): .original
      case (let width, let height): .fitted(PixelSize(width: Int(width), height: Int(height)))
      }
    switch numbers[0] {
    case 0: self = .trial
    case 1: self = .inspect(decodesEverything: false, preview: preview)
    case 2: self = .inspect(decodesEverything: true, preview: preview)
    default: return nil
    }
  }
}
