/// Why the store rejected or failed a request.
public struct StoreError: Error, Sendable, Hashable, Codable {
  /// Stable identifiers, part of the public contract (`code` of problem documents).
  public enum Code: String, Sendable, Hashable, Codable, CaseIterable {
    /// The artwork has no registered source.
    case unknownArtwork = "unknown-artwork"
    case unknownSession = "unknown-session"
    /// The process that should own the session does not exist.
    case unknownProcess = "unknown-process"
    /// The session does not publish this artwork.
    case notPublished = "not-published"
    /// The artworkID already names other bytes.
    case conflict
    /// The artwork is leased.
    case inUse = "in-use"
    /// The video is not usable; `inspection` says why.
    case refused
    case sourceNotAllowed = "source-not-allowed"
    case sourceUnavailable = "source-unavailable"
    /// The queue is full.
    case busy
    case late
    case noSpace = "no-space"
    /// Another process uses the store.
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
