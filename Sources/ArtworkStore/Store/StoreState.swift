import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

/// What is in the store, in memory: the index without the inspections.
struct StoreState {
  struct Artwork {
    var source: ArtworkSource
    /// Of the video that this ID stands for, once known.
    package var digest: String?
  }

  struct Asset {
    /// The video's file in the asset's folder.
    var file: String
    var videoBytes: Int64
    /// Of the first frame.
    var previewSize: PixelSize
    /// All previews, by what they are called.
    var previews: [String: Int64]
    /// When it was last used, in uses of the store: no clock moves it.
    var use: UInt64
    /// When previews were last used, by what they are called, in uses of the store.
    var previewUses: [String: UInt64] = [:]
    /// Rules that it breaks as each key; filled when first asked for.
    var broken: [ArtworkKey: [String]] = [:]

    /// The name of the preview in a size.
    func previewFile(_ size: PixelSize) -> String {
      size == previewSize ? StoreLayout.previewFile : StoreLayout.previewFile(size)
    }

    /// The preview besides that of its own size which was not used for longest.
    var oldestPreview: String? {
      previews.keys.filter { $0 != StoreLayout.previewFile }
        .min { (previewUses[$0] ?? 0, $0) < (previewUses[$1] ?? 0, $1) }
    }

    mutating func forgetPreview(_ file: String) {
      previews[file] = nil
      previewUses[file] = nil
    }

    var bytes: Int64 { previews.values.reduce(videoBytes, +) }
  }

  struct Holding: Hashable {
    var session: SessionID
    var reference: ArtworkReference
  }

  var artworks: [ArtworkReference: Artwork] = [:]
  /// By digest.
  var assets: [String: Asset] = [:]
  var leases: [Holding: Lease] = [:]
  /// How many leases there are on a video.
  private(set) var leaseCounts: [String: Int] = [:]
  private(set) var uses: UInt64 = 0
  /// Assets whose last use the index has not heard of.
  private var unwrittenUses: Set<String> = []
  /// So many are lost at most when the process ends.
  private static let mostUnwrittenUses = 64
  var counters = AssetStore.Counters()

  var bytes: Int64 { assets.values.reduce(0) { $0 + $1.bytes } }

  /// Takes note that an asset is used now.
  ///
  /// - Parameter preview: which of its previews, if it was one.
  /// - Returns: whether it is time to write what was used.
  @discardableResult mutating func use(_ digest: String, preview: String? = nil) -> Bool {
    guard assets[digest] != nil else { return false }
    uses += 1
    assets[digest]?.use = uses
    if let preview { assets[digest]?.previewUses[preview] = uses }
    return unwrittenUses.insert(digest).inserted && unwrittenUses.count >= Self.mostUnwrittenUses
  }

  mutating func takeUnwrittenUses() -> [(digest: String, use: UInt64)] {
    defer { unwrittenUses = [] }
    return unwrittenUses.compactMap { digest in assets[digest].map { (digest, $0.use) } }
  }

  /// Continues counting where the index left off.
  mutating func continueUses() { uses = assets.values.map(\.use).max() ?? 0 }

  mutating func add(_ lease: Lease) {
    let holding = Holding(session: lease.session, reference: lease.reference)
    if leases.updateValue(lease, forKey: holding) == nil {
      leaseCounts[lease.digest, default: 0] += 1
    }
  }

  mutating func removeLease(_ holding: Holding) {
    guard let lease = leases.removeValue(forKey: holding) else { return }
    let left = (leaseCounts[lease.digest] ?? 1) - 1
    leaseCounts[lease.digest] = left > 0 ? left : nil
  }

  func isLeased(_ digest: String) -> Bool { leaseCounts[digest] != nil }

  /// Bytes of what ``evictable(downTo:sparing:)`` never chooses.
  func bytesToStay(sparing spared: String?) -> Int64 {
    assets.reduce(0) { $1.key == spared || isLeased($1.key) ? $0 + $1.value.bytes : $0 }
  }

  func leaseCount(_ reference: ArtworkReference) -> Int {
    leases.keys.count { $0.reference == reference }
  }

  /// The least recently used assets that nobody leases, as many as it takes to come down to `budget`.
  ///
  /// - Parameter spared: stays.
  func evictable(downTo budget: Int64, sparing spared: String?) -> [String] {
    var excess = bytes - budget
    guard excess > 0 else { return [] }
    var chosen: [String] = []
    let candidates = assets.filter { $0.key != spared && !isLeased($0.key) }
      .sorted { $0.value.use < $1.value.use }
    for (digest, asset) in candidates {
      if excess <= 0 { break }
      chosen.append(digest)
      excess -= asset.bytes
    }
    return chosen
  }
}
