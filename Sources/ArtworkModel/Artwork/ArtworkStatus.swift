/// What there is of an artwork in the store.
public enum ArtworkStatus: String, Sendable, Codable, CaseIterable {
  /// Its source is known. Nobody has asked for it yet, or its bytes were evicted.
  case registered
  /// A request waits for it.
  case preparing
  case ready
  /// It cannot be used. It is tried again when the refusal expires.
  case refused
}
