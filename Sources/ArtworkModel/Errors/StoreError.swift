/// Why the store did not do what it was asked to.
public struct StoreError: Error, Sendable, Hashable, Codable {
  /// Stable identifiers, part of the public contract (`code` of problem documents).
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nobody has said where this artwork comes from.
    case unknownArtwork = "unknown-artwork"
    case unknownSession = "unknown-session"
    /// There is no such process that could own a session.
    case unknownProcess = "unknown-process"
    /// The session does not publish this artwork.
    case notPublished = "not-published"
    /// The same artworkID was used for other bytes.
    case conflict
    /// It is leased.
    case inUse = "in-use"
    /// The video cannot be used; `inspection` says why.
    case refused
    case sourceNotAllowed = "source-not-allowed"
    case sourceUnavailable = "source-unavailable"
    /// As many wait as may.
    case busy
    case late
    case noSpace = "no-space"
    /// Another process has the store.
    case locked
    case damaged
    case failed
  }

  public var code: Code
  /// What happened, in a sentence.
  public var message: String
  /// Why a video was refused.
  public var inspection: InspectionError?

  public init(_ code: Code, _ message: String, inspection: InspectionError? = nil) {
    self.code = code
    self.message = message
    self.inspection = inspection
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String { message }
}
