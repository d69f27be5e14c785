/// The state of an artwork in the store.
public enum ArtworkStatus: String, Sendable, Codable, CaseIterable {
  /// The source is known. The video was not requested yet, or was evicted.
  case registered
  /// A request waits for the video.
  case preparing
  case ready
  /// The video cannot be used. The source is tried again when the refusal expires.
  case refused
}
