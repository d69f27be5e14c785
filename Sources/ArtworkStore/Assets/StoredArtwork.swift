package import ArtworkModel
package import ArtworkPipeline

/// An artwork as the store knows it.
package struct StoredArtwork: Sendable, Equatable {
  package var reference: ArtworkReference
  package var source: ArtworkSource
  package var status: ArtworkStatus
  /// Hexadecimal SHA-256 of the video, once known; kept when the bytes are evicted.
  package var digest: String?
  /// Bytes of the video; `nil` while it is not stored.
  package var bytes: Int64?
  package var inspection: Inspection?
  package var error: StoreError?
  /// Sessions that have a lease on it.
  package var leases: Int = 0
}
