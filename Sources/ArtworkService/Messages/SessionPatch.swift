import ArtworkModel

/// A merge patch of a session (RFC 7396). Playback continues from its current position: a patch that changes it
/// without `elapsedSeconds` uses the position at its timestamp, or else at its receipt.
struct SessionPatch: Sendable {
  private let patch: JSONNode

  /// - Throws: ``Problem`` for a body that is no patch.
  init(_ body: [UInt8]) throws(Problem) {
    patch = try JSON.read(body)
    try Contract.served.check(patch, as: "SessionPatch")
  }

  /// The application in the patch, which distinguishes sessions with the same name.
  var application: String? { patch["application"]?.text }

  /// Whether it changes nothing but the playback.
  var isOfPlayback: Bool { patch.names.allSatisfy { ["playback", "application"].contains($0) } }

  /// - Parameters:
  ///   - former: the published session.
  ///   - seconds: the time of receipt, in seconds since 1970.
  /// - Throws: ``Problem`` that names the field, for a result that is not a valid session.
  func revised(_ former: SessionRequest, at seconds: Double) throws(Problem) -> SessionRequest {
    if let application, application != former.session.application {
      throw .badRequest(
        "application cannot change: the session belongs to \(former.session.application)")
    }
    let bytes = try present(former, at: seconds).merging(patch).bytes
    var revised = try JSON.decode(SessionRequest.self, as: "SessionRequest", from: bytes)
    revised.session = revised.session.received(at: seconds)
    return revised
  }

  /// The document that the patch changes.
  private func present(_ former: SessionRequest, at seconds: Double) throws(Problem) -> JSONNode {
    var former = former
    if case .object? = patch["playback"], let playback = former.session.timedPlayback {
      let moment = min(patch["playback"]?["timestamp"]?.number ?? seconds, seconds)
      former.session.playback?.elapsedSeconds = playback.position(at: moment)
      former.session.playback?.timestamp = nil
    }
    do { return try JSONReader.read(try JSON.bytes(former)) } catch {
      throw .badRequest("the session cannot be encoded as JSON: \(error)")
    }
  }
}
