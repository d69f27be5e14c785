/// Why a request to the store failed.
public struct StoreError: Error, Sendable, Hashable, Codable {
  /// Stable identifiers, part of the public contract (`code` of problem documents).
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// The request has no valid result.
    case badRequest = "bad-request"
    /// No source is registered for the artwork.
    case unknownArtwork = "unknown-artwork"
    case unknownSession = "unknown-session"
    /// Several applications have a session of this name, and the request names none of them.
    case ambiguousSession = "ambiguous-session"
    /// The session does not satisfy `If-Match` or `If-None-Match`.
    case preconditionFailed = "precondition-failed"
    /// Another client that lives owns the session.
    case owned
    /// The process that should own the session does not exist.
    case unknownProcess = "unknown-process"
    /// The session does not publish this artwork.
    case notPublished = "not-published"
    /// The session does not carry out this command.
    case commandNotOffered = "command-not-offered"
    /// The session carries out this command, but not now.
    case commandDisabled = "command-disabled"
    /// Live content cannot be skipped.
    case liveContent = "live-content"
    /// No connection holds the session, so no owner receives its commands.
    case notListening = "not-listening"
    /// No such command waits for an answer.
    case unknownCommand = "unknown-command"
    /// The session is published and never primary.
    case notEligible = "not-eligible"
    /// The artworkID already identifies other bytes.
    case conflict
    /// A session publishes the artwork.
    case inUse = "in-use"
    /// The video cannot be used; `inspection` has the reason.
    case refused
    case sourceNotAllowed = "source-not-allowed"
    case sourceUnavailable = "source-unavailable"
    /// A limit is reached; retry later.
    case busy
    case late
    case noSpace = "no-space"
    /// Another process uses the store.
    case locked
    case damaged
    case failed
  }

  public var code: Code
  /// The problem.
  public var message: String
  /// Why a video was refused.
  package var inspection: InspectionError?
  /// Whether the source is a file of this machine, which the client named.
  package var isOfLocalFile: Bool

  package init(
    _ code: Code, _ message: String, inspection: InspectionError? = nil,
    isOfLocalFile: Bool = false
  ) {
    self.code = code
    self.message = message
    self.inspection = inspection
    self.isOfLocalFile = isOfLocalFile
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String { message }
}
