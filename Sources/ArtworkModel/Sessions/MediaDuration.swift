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
  enum Kind: String, Codable { case live, continuous }

  init(_ seconds: Double?, _ kind: Kind?) {
    self =
      switch kind {
      case .live: .live
      case .continuous: .continuous
      case nil: seconds.map { .finite($0) } ?? .unknown
      }
  }

  var seconds: Double? { if case .finite(let seconds) = self { seconds } else { nil } }

  var kind: Kind? {
    switch self {
    case .live: .live
    case .continuous: .continuous
    case .finite, .unknown: nil
    }
  }
}

extension KeyedDecodingContainer {
  /// A request may also name the kind of a finite duration. Synthesised conformances call this.
  func decodeIfPresent(
    _ type: MediaDuration.Kind.Type, forKey key: Key
  ) throws -> MediaDuration.Kind? {
    try decodeIfPresent(String.self, forKey: key).flatMap(MediaDuration.Kind.init)
  }
}
