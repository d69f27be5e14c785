import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// Where a store keeps what, below its folder:
///
///     lock                      taken by whoever may change anything
///     index.sqlite              artworks and assets; can be made again from the rest
///     assets/DIGEST/            one video: video.mp4, preview.png, 512x512.png, asset.json
///     leases/TOKEN/             one lease: video.mp4, a hard link, and lease.json
///     incoming/                 what is being made or thrown away; emptied when the store is opened
///
/// Folders of `assets` and `leases` are made in `incoming` and come and go by one rename: there are no halves.
struct StoreLayout: Sendable {
  let root: FilePath

  init(root: FilePath) { self.root = root }

  /// - Throws: `failed` when there is no store.
  init(ofStoreIn folder: FilePath) throws(StoreError) {
    self.init(root: folder)
    guard assets.exists else { throw StoreError(.failed, "there is no store in \(folder)") }
  }

  var lock: FilePath { root.appending("lock") }
  var index: FilePath { root.appending("index.sqlite") }
  var assets: FilePath { root.appending("assets") }
  var leases: FilePath { root.appending("leases") }
  var incoming: FilePath { root.appending("incoming") }

  /// - Parameter digest: hexadecimal.
  func asset(_ digest: String) -> FilePath { assets.appending(digest) }

  /// A path in `incoming` where nothing is.
  func spare() -> FilePath { incoming.appending(Self.token()) }

  /// 128 random bits: nobody guesses the path of a lease, and no path is used twice.
  static func token() -> String {
    (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
  }

  static let assetFile = "asset.json"
  static let leaseFile = "lease.json"
  static let previewFile = "preview.png"
  static let videoStem = "video"

  static func previewFile(_ size: PixelSize) -> String { "\(size).png" }

  /// `video` with the extension of its source where that is one, since players go by it.
  static func videoFile(extension name: String?) -> String {
    guard let name, name.lowercased() != "png", (1...8).contains(name.utf8.count),
      name.allSatisfy({ $0.isASCII && $0.isLetter || $0.isNumber }),
      name.utf8.allSatisfy({ $0 < 128 })
    else { return "\(videoStem).mp4" }
    return "\(videoStem).\(name.lowercased())"
  }
}
