import ArtworkModel

/// A merge patch of a session (RFC 7396). Playback continues from its current position: a patch that changes it
/// without `elapsedSeconds` uses the position at its timestamp, or else at its receipt.
struct SessionPatch: Sendable {
  private let patch: JSONValue

  init(_ patch: JSONValue) { self.patch = patch }

  /// The application in the patch, which distinguishes sessions with the same name.
  var application: String? {
    if case .text(let name)? = patch["application"] { name } else { nil }
  }

  /// - Parameters:
  ///   - former: the published session.
  ///   - seconds: the time of receipt, in seconds since 1970.
  /// - Throws: ``Problem`` that names the field, for a result that is not a valid session.
  func revised(_ former: SessionRequest, at seconds: Double) throws(Problem) -> SessionRequest {
    guard case .object = patch else { throw .badRequest("a patch of a session is an object") }
    if let application = patch["application"], application != .text(former.session.application) {
      throw .badRequest(
        "application cannot change: the session belongs to \(former.session.application)")
    }
    var revised = try JSON.convert(
      SessionRequest.self, from: try present(former, at: seconds).merging(patch))
    revised.session = revised.session.received(at: seconds)
    return revised
  }

  /// The document that the patch changes.
  private func present(_ former: SessionRequest, at seconds: Double) throws(Problem) -> JSONValue {
    var former = former
    if case .object(let changes)? = patch["playback"], let playback = former.session.timedPlayback {
      var moment = seconds
      if case .number(let named)? = changes["timestamp"] { moment = named }
      former.session.playback?.elapsedSeconds = playback.position(at: moment)
      former.session.playback?.timestamp = nil
    }
    return try JSON.convert(JSONValue.self, from: former)
  }
}
