import Synchronization

/// What a store holds, in leases and figures.
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

  public func leases() -> [Lease] {
    core.state.withLock { Array($0.leases.values) }.sorted {
      ($0.session.text, $0.reference.artworkID.text, $0.reference.key.rawValue)
        < ($1.session.text, $1.reference.artworkID.text, $1.reference.key.rawValue)
    }
  }

  public func usage() -> Usage {
    var usage = core.state.withLock { state in
      var usage = Usage()
      usage.artworks = state.artworks.count
      usage.bytes = state.bytes
      usage.leases = state.leases.count
      usage.leasedBytes = state.leaseCounts.keys.reduce(0) { $0 + (state.assets[$1]?.bytes ?? 0) }
      return usage
    }
    usage.byteBudget = options.byteBudget
    usage.pending = workers.pending
    return usage
  }

  public var counters: Counters { core.state.withLock(\.counters) }
}
