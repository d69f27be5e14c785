/// A session's own file with a video, as the service and the command line report it. A report has the fields that its
/// readers need; the others are `nil`.
package struct LeaseRecord: Sendable, Equatable, Codable {
  package struct Owner: Sendable, Equatable, Codable {
    package var process: Int32?

    package init(process: Int32?) { self.process = process }
  }

  package var sessionID: SessionID
  /// `nil` for a lease whose session is lost.
  package var application: String?
  package var artworkID: ArtworkID
  /// `1x1`, `3x4` or `cover`.
  package var key: String
  /// The size of a rendition; `nil` for the video itself.
  package var rendition: PixelSize?
  /// Hexadecimal SHA-256 of the video.
  package var digest: String?
  /// Bytes of the video.
  package var bytes: Int64?
  /// How the file was made: `reflink`, `copy` or `link`.
  package var making: String?
  package var url: String?
  package var owner: Owner?
  /// The path of the file, whether it can be opened, and the process that owns the session: in lists of the command line,
  /// which work without a service.
  package var path: String?
  package var opens: Bool?
  package var process: Int32?
  /// Whether the session has lost the file, in events.
  package var released: Bool?

  package init(
    _ session: SessionReference, _ reference: ArtworkReference, rendition: PixelSize?,
    released: Bool? = nil
  ) {
    sessionID = session.id
    application = session.application
    artworkID = reference.artworkID
    key = reference.part
    self.rendition = rendition
    self.released = released
  }
}
