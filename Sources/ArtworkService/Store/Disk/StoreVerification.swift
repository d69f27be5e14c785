package import ArtworkModel
import ArtworkPipeline
package import SystemPackage

/// Checks every file in a store. Reads all of them and changes nothing. Works while a service uses the store: a file that is
/// removed meanwhile is not a problem.
package struct StoreVerification: Sendable, Equatable {
  package struct Problem: Sendable, Equatable {
    package var path: FilePath
    /// What is wrong, without the path.
    package var message: String
    /// The advice.
    package var help: String
    var kind: Kind
  }

  enum Kind: Equatable {
    case index
    /// The description of an asset; can be made again, as pictures can.
    case document
    case picture
    case video
    case lease
  }

  /// The number of videos read, those of leases included.
  package private(set) var videos = 0
  package private(set) var problems: [Problem] = []

  /// - Throws: `failed` when the folder has no store, or when the index cannot be opened.
  package init(of folder: FilePath) throws(StoreError) {
    let layout = try StoreLayout(ofStoreIn: folder)
    try self.init(filesOf: layout)
    do throws(StoreError) {
      _ = try StoreListing(of: folder)
    } catch {
      guard error.code == .damaged || !layout.index.exists else { throw error }
      record(
        .index, layout.index,
        layout.index.exists ? "it is damaged: \(error.message)" : "it is missing")
    }
  }

  /// Checks all files but the index.
  init(filesOf layout: StoreLayout) throws(StoreError) {
    for name in try StoreCore.names(in: layout.assets) { checkAsset(layout.assets.appending(name)) }
    for name in try StoreCore.names(in: layout.leases) { checkLease(layout.leases.appending(name)) }
  }

  private mutating func checkAsset(_ folder: FilePath) {
    let document = folder.appending(StoreLayout.assetFile)
    if (try? StoreCore.document(in: folder)) == nil, folder.exists {
      record(.document, document, "it does not describe the video")
    }
    var hasVideo = false
    guard let files = try? StoreCore.names(in: folder) else {
      return record(.video, folder, "it cannot be listed")
    }
    for file in files {
      let path = folder.appending(file)
      if file.string == StoreLayout.previewFile {
        let start = (try? SourceFile(path))?.start(PNGFile.signature.count)
        if start != PNGFile.signature, path.exists {
          record(.picture, path, "it is not a PNG file")
        }
      } else if file.stem == StoreLayout.videoStem {
        hasVideo = true
        check(.video, path, folder.lastComponent?.string ?? "")
      }
    }
    if !hasVideo, folder.exists { record(.video, folder, "it has no video") }
  }

  private mutating func checkLease(_ folder: FilePath) {
    guard let lease = StoreCore.lease(in: folder)?.lease else {
      if folder.exists { record(.lease, folder, "it does not describe a lease") }
      return
    }
    check(.lease, lease.file, lease.digest)
  }

  private mutating func check(_ kind: Kind, _ video: FilePath, _ digest: String) {
    videos += 1
    switch StagedVideo.digest(of: video) {
    case digest?: break
    // It was evicted or released meanwhile.
    case nil where !video.removingLastComponent().exists: videos -= 1
    case nil: record(kind, video, "it cannot be read")
    case let other?:
      record(
        kind, video,
        "its SHA-256 is \(other.prefix(12))… and should be \(digest.prefix(12))…")
    }
  }

  private mutating func record(_ kind: Kind, _ path: FilePath, _ message: String) {
    let help =
      switch kind {
      case .index, .document, .picture: "nothing is lost: artworkd cache gc restores it"
      case .video:
        "artworkd cache gc removes it; the next request brings it from its source again"
      case .lease:
        "artworkd cache gc restores it if the store has the video; otherwise its session must ask again"
      }
    problems.append(Problem(path: path, message: message, help: help, kind: kind))
  }
}
