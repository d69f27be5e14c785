public import SystemPackage

/// Whether every file in a store is what it should be. Reads all of them; changes nothing, and a service may be using
/// the store.
public struct StoreVerification: Sendable, Equatable {
  public struct Problem: Sendable, Equatable {
    public var path: FilePath
    /// What is wrong, in a sentence without the path.
    public var message: String
    /// What to do about it.
    public var help: String
  }

  /// Videos that were read, those of leases included.
  public private(set) var videos = 0
  public private(set) var problems: [Problem] = []

  /// The first eight bytes of a PNG file (PNG, third edition, 5.2).
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// - Throws: `failed` when there is no such folder, `damaged` when the index cannot be read.
  public init(of folder: FilePath) throws(StoreError) {
    let (layout, listing) = (StoreLayout(root: folder), try StoreListing(of: folder))
    for name in StoreCore.names(in: layout.assets) { checkAsset(layout.assets.appending(name)) }
    for name in StoreCore.names(in: layout.leases) { checkLease(layout.leases.appending(name)) }
    for artwork in listing.artworks {
      guard artwork.status == .ready, let digest = artwork.digest else { continue }
      if !layout.asset(digest).exists {
        note(layout.asset(digest), "\(artwork.reference) has no video", Self.fetchedAgain)
      }
    }
  }

  private static let fetchedAgain =
    "nothing is lost: artworkd cache gc forgets it, and it is made again when asked for"

  private mutating func checkAsset(_ folder: FilePath) {
    let name = folder.lastComponent?.string ?? ""
    let bytes = Candidate(path: folder.appending(StoreLayout.assetFile)).contents(atMost: 1 << 24)
    guard let bytes, let document = StoreFormat.document(AssetDocument.self, bytes) else {
      return note(folder, "it does not say what it is", Self.fetchedAgain)
    }
    check(folder.appending(document.file), name, Self.fetchedAgain)
    for file in StoreCore.names(in: folder) where file.extension == "png" {
      let path = folder.appending(file)
      let start = (try? SourceFile(path))?.start(Self.signature.count)
      if start != Self.signature { note(path, "it is no PNG file", Self.fetchedAgain) }
    }
  }

  private mutating func checkLease(_ folder: FilePath) {
    let help = "the session should publish the artwork again; artworkd cache gc mends what it can"
    guard let lease = StoreCore.lease(in: folder) else {
      return note(folder, "it does not say whose lease it is", help)
    }
    check(lease.file, lease.digest, help)
  }

  private mutating func check(_ video: FilePath, _ digest: String, _ help: String) {
    videos += 1
    switch StagedVideo.digest(of: video) {
    case digest?: break
    case nil: note(video, "it cannot be read", help)
    case let other?:
      note(video, "its SHA-256 is \(other.prefix(12))… and should be \(digest.prefix(12))…", help)
    }
  }

  private mutating func note(_ path: FilePath, _ message: String, _ help: String) {
    problems.append(Problem(path: path, message: message, help: help))
  }
}
