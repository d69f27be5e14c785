/// What the store knows of one artwork.
public struct StoredArtwork: Sendable, Equatable {
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Its source is known; nobody has asked for it yet, or its bytes were evicted.
    case registered
    /// Somebody waits for it.
    case preparing
    case ready
    /// It cannot be used; tried again when the refusal expires.
    case refused
  }

  public var reference: ArtworkReference
  public var source: ArtworkSource
  public var status: Status
  /// Hexadecimal SHA-256 of the video, once known; kept when the bytes are evicted.
  public var digest: String?
  /// Bytes of the video; `nil` when it is not here.
  public var bytes: Int64?
  public var inspection: Inspection?
  public var error: StoreError?
  /// How many sessions hold it.
  public var leases: Int

  public init(
    reference: ArtworkReference, source: ArtworkSource, status: Status, digest: String? = nil,
    bytes: Int64? = nil, inspection: Inspection? = nil, error: StoreError? = nil, leases: Int = 0
  ) {
    self.reference = reference
    self.source = source
    self.status = status
    self.digest = digest
    self.bytes = bytes
    self.inspection = inspection
    self.error = error
    self.leases = leases
  }
}
