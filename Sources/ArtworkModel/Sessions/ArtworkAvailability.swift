/// The store's state of an artwork that a session publishes.
package enum ArtworkAvailability: Sendable, Equatable {
  /// No source is registered.
  case unknown
  /// A source is registered; the video is fetched and inspected on request.
  case registered(hasPreview: Bool)
  /// A source is registered, and the store had no room for the video at the last request.
  case withoutRoom(message: String, hasPreview: Bool)
  /// The video is stored and was judged.
  ///
  /// - Parameters:
  ///   - broken: the rules that it breaks as errors.
  ///   - warnings: the rules that it breaks as warnings.
  ///   - codec: of the video; `nil` for a static cover.
  case ready(broken: [String], warnings: [String] = [], codec: String? = nil)
  /// The video cannot be used.
  case refused(code: String, message: String)

  /// Whether a cover is stored, or can be fetched.
  package var mayBePresented: Bool {
    switch self {
    case .registered, .withoutRoom, .ready: true
    case .unknown, .refused: false
    }
  }
}
