package import ArtworkModel
import ArtworkPipeline
package import SystemPackage

/// Whether every file in a store is what it should be. Reads all of them; changes nothing, and a service may be using
/// the store: what it removes meanwhile is no problem.
package struct StoreVerification: Sendable, Equatable {
  package struct Problem: Sendable, Equatable {
    package var path: FilePath
    /// What is wrong, in a sentence without the path.
    package var message: String
    /// What to do about it.
    package var help: String
    var kind: Kind
  }

  enum Kind: Equatable {
    case index
    /// What an asset's folder says of itself, and its pictures, can be made again from the rest.
    case document
    case picture
    case video
    case lease
  }

  /// Videos that were read, those of leases included.
  package private(set) var videos = 0
  package private(set) var problems: [Problem] = []

  /// The first eight bytes of a PNG file (PNG, third edition, 5.2).
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  /// - Throws: `failed` when there is no such folder, or when nothing can be said of the index.
  package init(of folder: FilePath) throws(StoreError) {
    let layout = try StoreLayout(ofStoreIn: folder)
    do throws(StoreError) {
      _ = try StoreListing(of: folder)
    } catch {
      guard error.code == .damaged || !layout.index.exists else { throw error }
      note(
        .index, layout.index,
        layout.index.exists ? "it is damaged: \(error.message)" : "it is missing")
    }
    for name in StoreCore.names(in: layout.assets) { checkAsset(layout.assets.appending(name)) }
    for name in StoreCore.names(in: layout.leases) { checkLease(layout.leases.appending(name)) }
  }

  private mutating func checkAsset(_ folder: FilePath) {
    let document = folder.appending(StoreLayout.assetFile)
    let bytes = Candidate(path: document).contents(atMost: 1 << 24)
    if bytes.flatMap({ StoreFormat.document(AssetDocument.self, $0) }) == nil, folder.exists {
      note(.document, document, "it does not say what the video is")
    }
    var hasVideo = false
    for file in StoreCore.names(in: folder) {
      let path = folder.appending(file)
      if file.extension == "png" {
        let start = (try? SourceFile(path))?.start(Self.signature.count)
        if start != Self.signature, path.exists { note(.picture, path, "it is no PNG file") }
      } else if file.stem == StoreLayout.videoStem {
        hasVideo = true
        check(.video, path, folder.lastComponent?.string ?? "")
      }
    }
    if !hasVideo, folder.exists { note(.video, folder, "it has no video") }
  }

  private mutating func checkLease(_ folder: FilePath) {
    guard let lease = StoreCore.lease(in: folder) else {
      if folder.exists { note(.lease, folder, "it does not say whose lease it is") }
      return
    }
    check(.lease, lease.file, lease.digest)
  }

  private mutating func check(_ kind: Kind, _ video: FilePath, _ digest: String) {
    videos += 1
    switch StagedVideo.digest(of: video) {
    case digest?: break
    // Evicted or released while it was read.
    case nil where !video.removingLastComponent().exists: videos -= 1
    case nil: note(kind, video, "it cannot be read")
    case let other?:
      note(
        kind, video,
        "its SHA-256 is \(other.prefix(12))… and should be \(digest.prefix(12))…")
    }
  }

  private mutating func note(_ kind: Kind, _ path: FilePath, _ message: String) {
    let help =
      switch kind {
      case .index, .document, .picture: "nothing is lost: artworkd cache gc has it made again"
      case .video:
        "artworkd cache gc removes it; it comes from its source again when it is asked for"
      case .lease:
        "artworkd cache gc gives it the right bytes where the store has them, else its session has to ask again"
      }
    problems.append(Problem(path: path, message: message, help: help, kind: kind))
  }
}
