/// What the store knows of an artwork that a session publishes.
public enum ArtworkAvailability: Sendable, Equatable {
  /// Nobody has said where it comes from.
  case unknown
  /// Its source is known; it is fetched or looked at when somebody asks.
  case registered
  /// It is there and was judged.
  ///
  /// - Parameter broken: the rules that it breaks with an error, by identifier.
  case ready(broken: [String])
  /// It cannot be used.
  case refused(code: String, message: String)
}
