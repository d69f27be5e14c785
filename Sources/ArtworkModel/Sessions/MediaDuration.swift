/// The duration of an item (`MediaDuration` of the NowPlaying framework).
public enum MediaDuration: Sendable, Equatable {
  /// Seconds, ads included.
  case finite(Double)
  /// Sent as it happens: the end is unknown, and skipping forward is impossible.
  case live
  /// Without an end, though not live: a station that a machine puts together, or sounds to sleep by.
  case continuous
  /// The duration is not known, or not yet.
  case unknown
}

/// `durationSeconds` for a finite duration, `durationKind` for one without an end, and neither for an unknown one;
/// fields of the object that has the duration.
extension MediaDuration {
  enum CodingKeys: String, CodingKey, CaseIterable { case durationSeconds, durationKind }

  private enum Kind: String, CaseIterable { case finite, live, continuous }

  /// - Returns: `nil` if both fields are absent.
  static func stated(by decoder: any Decoder) throws -> MediaDuration? {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let seconds = try container.timeIfPresent(forKey: .durationSeconds)
    guard let name = try container.decodeIfPresent(String.self, forKey: .durationKind) else {
      return seconds.map { .finite($0) }
    }
    func refusal(_ reason: String) -> DecodingError {
      .dataCorruptedError(forKey: .durationKind, in: container, debugDescription: reason)
    }
    switch (Kind(rawValue: name), seconds) {
    case (.finite, let seconds?): return .finite(seconds)
    case (.finite, nil): throw refusal("a finite duration needs durationSeconds")
    case (.live, nil): return .live
    case (.continuous, nil): return .continuous
    case (nil, _):
      throw refusal(
        "it must be one of \(Kind.allCases.map(\.rawValue).joined(separator: ", "))")
    case (_, _?): throw refusal("\(name) content has no durationSeconds")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .finite(let seconds): try container.encode(seconds, forKey: .durationSeconds)
    case .live: try container.encode(Kind.live.rawValue, forKey: .durationKind)
    case .continuous: try container.encode(Kind.continuous.rawValue, forKey: .durationKind)
    case .unknown: break
    }
  }
}
