/// Figures of a store.
extension ArtworkStore {
  public struct Usage: Sendable, Equatable, Codable {
    public var artworks = 0
    /// Of videos and previews.
    public var bytes: Int64 = 0
    public var byteBudget: Int64 = 0
    public var leases = 0
    /// Of videos that somebody leases.
    public var leasedBytes: Int64 = 0
    /// Videos being looked at or waiting for that.
    public var pending = 0

    public init() {}
  }

  /// What has happened since the store was opened.
  public struct Counters: Sendable, Equatable {
    public var previewHits = 0
    public var previewMisses = 0
    public var inspections = 0
    public var refusals = 0
    public var evictions = 0
    public var fetches = 0

    public init() {}
  }
}
