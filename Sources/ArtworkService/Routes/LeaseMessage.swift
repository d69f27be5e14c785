import ArtworkModel
import ArtworkStore

/// A lease as clients see it.
struct LeaseMessage: Encodable {
  struct Owner: Encodable {
    var process: Int32?
  }

  var sessionID: SessionID
  var application: String
  var artworkID: ArtworkID
  var key: String
  var digest: String
  var bytes: Int64
  var url: String
  /// The size of a rendition; absent for the video itself.
  var rendition: PixelSize?
  /// How the file was made; absent for one of a version that did not record it.
  var making: Lease.Making?
  var owner: Owner

  init(_ lease: Lease) {
    sessionID = lease.session.id
    application = lease.session.application
    artworkID = lease.reference.artworkID
    key = lease.reference.part
    digest = lease.digest
    bytes = lease.bytes
    url = lease.url
    rendition = lease.rendition
    making = lease.making
    owner = Owner(process: lease.owner.process?.identifier)
  }
}
