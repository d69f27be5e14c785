import ArtworkModel
import Synchronization

/// Statistics of the store, and its leases.
extension AssetStore {
  package struct Usage: Sendable, Equatable, Codable {
    package var artworks = 0
    /// Bytes of videos and previews, and of leases that are copies.
    package var bytes: Int64 = 0
    package var byteBudget: Int64 = 0
    package var leases = 0
    /// Bytes of leased videos and their previews, and of leases that are copies.
    package var leasedBytes: Int64 = 0
    /// Inspections that run or wait.
    package var pending = 0

    package init() {}
  }

  /// Leases in the order of their sessions and artwork.
  package func leases() -> [Lease] {
    core.state.withLock { Array($0.leases.values) }.sorted {
      ($0.session.description, $0.reference.artworkID.text, $0.reference.part)
        < ($1.session.description, $1.reference.artworkID.text, $1.reference.part)
    }
  }

  /// The sessions of all leases with their owners, in no order.
  var leaseOwners: [(session: SessionReference, owner: SessionOwner)] {
    core.state.withLock { $0.leases.values.map { ($0.session, $0.owner) } }
  }

  package func usage() -> Usage {
    var usage = core.state.withLock { state in
      var usage = Usage()
      usage.artworks = state.artworks.keys.count { $0.key != nil }
      usage.bytes = state.bytes
      usage.leases = state.leases.count
      usage.leasedBytes = state.leaseCounts.keys.reduce(state.copiedBytes) {
        $0 + (state.assets[$1]?.bytes ?? 0)
      }
      return usage
    }
    usage.byteBudget = options.byteBudget
    usage.pending = inspecting.pending
    return usage
  }
}
