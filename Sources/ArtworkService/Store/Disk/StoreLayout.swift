import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// The files of a store, in its folder:
///
///     lock                      locked by the process that may change the store
///     index.sqlite              artworks and assets; can be rebuilt from the rest
///     sources.ndjson            the artworks once more: where they come from
///     assets/DIGEST/            one video: video.mp4, preview.png, asset.json
///     sessions.ndjson           what is playing; sessions.reserve is room for it on a full disk
///     leases/TOKEN/             one lease: video.mp4, a file of its own, and lease.json
///     leases.reserve/TOKEN/     room for the record of a lease on a full disk
///     incoming/                 files that are being made or removed; emptied when the store is opened
///
/// Folders of `assets` and `leases` are made in `incoming`, and appear and vanish by one rename: none is ever incomplete.
struct StoreLayout: Sendable {
  let root: FilePath

  init(root: FilePath) { self.root = root }

  /// - Throws: `failed` when the folder has no store.
  init(ofStoreIn folder: FilePath) throws(StoreError) {
    self.init(root: folder)
    guard assets.exists || index.exists else { throw StoreError(.failed, "no store in \(folder)") }
  }

  var lock: FilePath { root.appending("lock") }
  var index: FilePath { root.appending("index.sqlite") }
  var sources: FilePath { root.appending("sources.ndjson") }
  var assets: FilePath { root.appending("assets") }
  var leases: FilePath { root.appending("leases") }
  var sessions: FilePath { root.appending("sessions.ndjson") }
  var sessionsReserve: FilePath { root.appending("sessions.reserve") }
  var leasesReserve: FilePath { root.appending("leases.reserve") }
  var incoming: FilePath { root.appending("incoming") }

  /// - Parameter digest: hexadecimal.
  func asset(_ digest: String) -> FilePath { assets.appending(digest) }

  /// What a store has in its folder; SQLite and damaged files add an ending.
  private static let names = [
    "lock", "index.sqlite", "sources.ndjson", "assets", "leases", "incoming", "sessions.ndjson",
    "sessions.reserve",
    // The root of an ext file system has it.
    "lost+found",
  ]

  /// Whether the folder holds something other than a store: files that a store must not touch.
  func isForeign() throws(StoreError) -> Bool {
    guard !index.exists else { return false }
    for name in try StoreCore.names(in: root) {
      let isOurs = Self.names.contains {
        name.string == $0 || name.string.hasPrefix("\($0).") || name.string.hasPrefix("\($0)-")
      }
      if !isOurs { return true }
    }
    for folder in [assets, incoming, leases]
    where try StoreCore.names(in: folder).contains(where: { !Self.isMade($0) }) {
      return true
    }
    return false
  }

  /// Whether a folder of the store may have made an entry with this name: a digest or a token.
  static func isMade(_ name: FilePath.Component) -> Bool {
    [32, 64].contains(name.string.utf8.count)
      && name.string.utf8.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
  }

  /// An unused path in `incoming`, which is made again if it was removed; if that fails, so does what is made there.
  func temporaryPath() -> FilePath {
    try? DurableFiles.makeFolder(incoming)
    return incoming.appending(Self.token())
  }

  /// 128 random bits: the path of a lease cannot be guessed, and no path repeats.
  static func token() -> String {
    (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
  }

  static let assetFile = "asset.json"
  static let leaseFile = "lease.json"
  /// The preview in the video's own size, which the others are made from.
  static let previewFile = "preview.png"
  static let videoStem = "video"

  /// `video` with the extension of its source, if that is a plain one: players depend on it.
  static func videoFile(extension name: String?) -> String {
    guard let name, name.lowercased() != "png", (1...8).contains(name.utf8.count),
      name.allSatisfy({ $0.isASCII && $0.isLetter || $0.isNumber }),
      name.utf8.allSatisfy({ $0 < 128 })
    else { return "\(videoStem).mp4" }
    return "\(videoStem).\(name.lowercased())"
  }
}
