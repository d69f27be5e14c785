public import SystemPackage

/// Whether every file in a store is what it should be. Reads all of them; changes nothing, and a service may be using
/// the store: what it removes meanwhile is no problem.
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
  /// Folders of assets and leases that have problems.
  private(set) var folders: Set<FilePath> = []

  /// The first eight bytes of a PNG file (PNG, third edition, 5.2).
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// - Throws: `failed` when there is no such folder.
  public init(of folder: FilePath) throws(StoreError) {
    let layout = try StoreLayout(ofStoreIn: folder)
    do throws(StoreError) {
      _ = try StoreListing(of: folder)
    } catch {
      problems.append(
        Problem(
          path: layout.index, message: error.message,
          help: "nothing is lost: artworkd cache gc makes it again"))
    }
    for name in StoreCore.names(in: layout.assets) { checkAsset(layout.assets.appending(name)) }
    for name in StoreCore.names(in: layout.leases) { checkLease(layout.leases.appending(name)) }
  }

  private mutating func checkAsset(_ folder: FilePath) {
    let help = "nothing is lost: artworkd cache gc forgets it, and it is made again when asked for"
    let name = folder.lastComponent?.string ?? ""
    let bytes = Candidate(path: folder.appending(StoreLayout.assetFile)).contents(atMost: 1 << 24)
    guard let bytes, let document = StoreFormat.document(AssetDocument.self, bytes) else {
      return note(folder, in: folder, "it does not say what it is", help)
    }
    check(folder.appending(document.file), in: folder, name, help)
    for file in StoreCore.names(in: folder) where file.extension == "png" {
      let path = folder.appending(file)
      let start = (try? SourceFile(path))?.start(Self.signature.count)
      if start != Self.signature { note(path, in: folder, "it is no PNG file", help) }
    }
  }

  private mutating func checkLease(_ folder: FilePath) {
    let help =
      "artworkd cache gc gives it the right bytes where the store has them, else its session has to ask again"
    guard let lease = StoreCore.lease(in: folder) else {
      return note(folder, in: folder, "it does not say whose lease it is", help)
    }
    check(lease.file, in: folder, lease.digest, help)
  }

  private mutating func check(
    _ video: FilePath, in folder: FilePath, _ digest: String, _ help: String
  ) {
    videos += 1
    switch StagedVideo.digest(of: video) {
    case digest?: break
    case nil: note(video, in: folder, "it cannot be read", help)
    case let other?:
      note(
        video, in: folder,
        "its SHA-256 is \(other.prefix(12))… and should be \(digest.prefix(12))…", help)
    }
  }

  private mutating func note(
    _ path: FilePath, in folder: FilePath, _ message: String, _ help: String
  ) {
    // Evicted or released while it was read.
    guard folder.exists else { return }
    folders.insert(folder)
    problems.append(Problem(path: path, message: message, help: help))
  }
}
