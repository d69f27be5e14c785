import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

/// The store's contents in memory: the index without the inspections.
struct StoreState {
  struct Artwork {
    var source: ArtworkSource
    /// The digest of the video that this ID stands for, once known.
    var digest: String?
  }

  struct Asset {
    /// The video's file in the asset's folder.
    var file: String
    var videoBytes: Int64
    /// The state of the file when its bytes were last known to be right, as far as a change since would show.
    var stamp: FileStamp?
    /// The codec of the video.
    var codec: String
    var container: String
    /// The size of the first frame.
    var previewSize: PixelSize
    /// Bytes of the preview; 0 without one.
    var previewBytes: Int64
    /// When it was last used, counted in uses of the store: no clock can disturb the order.
    var use: UInt64
    /// The rules that it breaks as each key, as errors and as warnings; filled on the first request.
    var brokenRules: [ArtworkKey: BrokenRules] = [:]

    var bytes: Int64 { videoBytes + previewBytes }
  }

  struct BrokenRules {
    var errors: [String] = []
    var warnings: [String] = []
  }

  /// A preview in the size of its video.
  struct Still {
    var size: PixelSize
    var png: [UInt8]
  }

  struct LeaseKey: Hashable {
    var session: SessionReference
    var reference: ArtworkReference
    /// The size of a rendition; `nil` for the video itself.
    var rendition: PixelSize?

    init(_ session: SessionReference, _ reference: ArtworkReference, _ rendition: PixelSize? = nil) {
      self.session = session
      self.reference = reference
      self.rendition = rendition
    }
  }

  var artworks: [ArtworkReference: Artwork] = [:]
  /// Assets by digest.
  var assets: [String: Asset] = [:]
  /// The previews of videos that are not stored now, by their digests.
  var stills = BoundedCache<String, Still>(
    .init(count: 1024, cost: 32 << 20, entryCost: largestStill))
  /// Bytes: more than a picture of 2048x2732 usually takes.
  static let largestStill = 16 << 20
  /// Stills that were not requested yet, of artworks whose video had no room.
  var unseen: [ArtworkReference: String] = [:]
  /// Digests of stills that players have supplied, of artworks whose videos were not stored yet.
  var supplied: [ArtworkReference: String] = [:]
  /// Digests of renditions.
  var renditions: [RenditionKey: String] = [:]
  private(set) var leases: [LeaseKey: Lease] = [:]
  /// Stamps of the files of leases, see ``Asset/stamp``.
  var leaseStamps: [LeaseKey: FileStamp] = [:]
  /// The number of leases on a video, made or being made, by digest.
  private(set) var leaseCounts: [String: Int] = [:]
  /// Bytes of leases that are copies, made or being made.
  private(set) var copiedBytes: Int64 = 0
  private(set) var uses: UInt64 = 0
  /// Assets whose last use is not in the index.
  private var unwrittenUses: Set<String> = []
  /// The most uses that a crash loses.
  private static let mostUnwrittenUses = 64

  var bytes: Int64 { assets.values.reduce(copiedBytes) { $0 + $1.bytes } }

  mutating func keep(_ still: Still, _ digest: String) {
    stills.insert(still, for: digest, cost: still.png.count)
  }

  /// The digest of the still that is an artwork's preview; `nil` without one, and while its video is stored.
  mutating func still(of reference: ArtworkReference) -> String? {
    let digest = artworks[reference]?.digest
    if let digest, assets[digest] != nil { return nil }
    return [digest, supplied[reference]].compactMap(\.self).first { stills.value(for: $0) != nil }
  }

  /// What a stored video is a rendition of.
  func origin(of digest: String) -> RenditionKey? {
    renditions.first { $0.value == digest }?.key
  }

  /// Forgets a video. Its renditions stay until they are evicted themselves.
  mutating func removeAsset(_ digest: String) {
    assets[digest] = nil
    renditions = renditions.filter { $0.value != digest }
  }

  /// Records a use of an asset.
  ///
  /// - Returns: whether it is time to write the uses to the index.
  @discardableResult mutating func use(_ digest: String) -> Bool {
    guard assets[digest] != nil else { return false }
    uses += 1
    assets[digest]?.use = uses
    return unwrittenUses.insert(digest).inserted && unwrittenUses.count >= Self.mostUnwrittenUses
  }

  mutating func takeUnwrittenUses() -> [(digest: String, use: UInt64)] {
    defer { unwrittenUses = [] }
    return unwrittenUses.compactMap { digest in assets[digest].map { (digest, $0.use) } }
  }

  /// Continues to count where the index left off.
  mutating func continueUses() { uses = assets.values.map(\.use).max() ?? 0 }

  /// - Parameter stamp: of its file, if its bytes are known to be right.
  mutating func add(_ lease: Lease, _ stamp: FileStamp?) {
    removeLease(lease.key)
    leases[lease.key] = lease
    leaseStamps[lease.key] = stamp
    leaseCounts[lease.digest, default: 0] += 1
    copiedBytes += lease.ownBytes
  }

  mutating func removeLease(_ key: LeaseKey) {
    guard let lease = leases.removeValue(forKey: key) else { return }
    leaseStamps[key] = nil
    unpin(lease.digest, reserved: lease.ownBytes)
  }

  /// Keeps an asset while a lease on it is made.
  mutating func pin(_ digest: String) -> Asset? {
    guard let asset = assets[digest] else { return nil }
    leaseCounts[digest, default: 0] += 1
    return asset
  }

  mutating func unpin(_ digest: String, reserved bytes: Int64) {
    copiedBytes -= bytes
    let left = (leaseCounts[digest] ?? 1) - 1
    leaseCounts[digest] = left > 0 ? left : nil
  }

  /// Keeps room for the copy of a lease that is made.
  mutating func reserve(_ bytes: Int64) { copiedBytes += bytes }

  /// The files of leases that were made as hard links to a stored video.
  func links(to digest: String) -> [FilePath] {
    leases.values.filter { $0.digest == digest && $0.making == .link }.map(\.file)
  }

  func isLeased(_ digest: String) -> Bool { leaseCounts[digest] != nil }

  /// Bytes of leases, and of the assets that ``evictable(downTo:sparing:)`` never chooses.
  func bytesToStay(sparing spared: String?) -> Int64 {
    assets.reduce(copiedBytes) { $1.key == spared || isLeased($1.key) ? $0 + $1.value.bytes : $0 }
  }

  /// Sessions with a lease.
  func leaseCount(_ reference: ArtworkReference) -> Int {
    Set(leases.keys.filter { $0.reference == reference }.map(\.session)).count
  }

  /// The least recently used assets without a lease, as many as necessary to get down to `budget`.
  ///
  /// - Parameter spared: an asset that stays.
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
