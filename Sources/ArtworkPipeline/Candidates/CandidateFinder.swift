import Glibc

/// Finds the candidates below files and folders. Files named directly are always candidates. Inside folders, the
/// content decides, or else the extension: a text file named `.mp4` is a candidate (its owner believes it is a
/// video), a cover image, a song or a part of a stream is not.
package enum CandidateFinder {
  /// Candidates in a stable order: arguments as given, in folders
  /// files before subfolders, each by the bytes of its name. Two candidates never share a preview name.
  ///
  /// A path that cannot be accessed is a candidate too, so that it gets an error: a path that does not exist, a
  /// folder that cannot be read or was removed, and inside folders everything with the extension of a video, even a
  /// FIFO or a link that is dangling or leads out of the folder.
  ///
  /// Reads up to 4 KB of every file inside the folders without such an extension. Hidden entries are skipped,
  /// symbolic links to folders are not followed, those to files only if they stay inside the folder that was named.
  /// Only regular files and folders are opened, and nothing blocks.
  /// The paths themselves may be links. Time and memory grow with the number of entries.
  package static func find(_ paths: [FilePath]) -> [Candidate] {
    var found: [Candidate] = []
    var folders: [FilePath] = []
    for path in paths {
      if path.isFolder {
        folders.append(path)
        found += search(path)
      } else {
        found.append(Candidate(path: path))
      }
    }
    // Arguments may overlap: a file counts once.
    var distinct: Set<FilePath> = []
    return PreviewNames.distinct(
      withoutSources(found.filter { distinct.insert($0.path.lexicallyNormalized()).inserted }),
      folders: folders)
  }

  /// Leaves out animations in searched folders that are the source of a video beside them: `1x1.json` of `1x1.mp4`.
  private static func withoutSources(_ found: [Candidate]) -> [Candidate] {
    /// The place of a video that an animation may be the source of.
    func place(_ candidate: Candidate) -> [String]? {
      guard candidate.folder != nil, let file = candidate.path.lastComponent?.string else {
        return nil
      }
      let (name, folder) = (ArtworkName(fileName: file), candidate.path.removingLastComponent())
      guard name != nil || ArtworkName.isOfFolder(fileName: file) else { return nil }
      return [folder.string, name?.artworkID ?? "", name?.key.rawValue ?? "cover"]
    }
    func isVideo(_ candidate: Candidate) -> Bool {
      ["mp4", "m4v", "mov"].contains(candidate.path.extension?.lowercased() ?? "")
    }
    let videos = Set(found.filter(isVideo).compactMap(place))
    if videos.isEmpty { return found }
    return found.filter { candidate in
      let name = candidate.path.extension?.lowercased() ?? ""
      guard animations.contains(name), let place = place(candidate) else { return true }
      return !videos.contains(place)
    }
  }

  /// Whether a file has a video extension.
  package static func isNamedLikeVideo(_ path: FilePath) -> Bool {
    videoExtensions.contains(path.extension?.lowercased() ?? "")
  }

  /// Whether a file has the extension of a cover or a preview.
  package static func isNamedLikeStill(_ path: FilePath) -> Bool {
    FileFormat.stillExtensions.contains(path.extension?.lowercased() ?? "")
  }

  /// Whether a file contains video or animation, by its first bytes if its extension leaves that open.
  ///
  /// - Parameter root: a folder above it, out of which no link leads.
  package static func isMoving(_ path: FilePath, below root: FilePath) -> Bool {
    if isNamedLikeVideo(path) { return true }
    var below = path
    guard below.removePrefix(root), let folder = try? Folder(opening: root) else { return false }
    return holdsPictures(below, in: folder, extension: path.extension?.lowercased() ?? "")
  }

  /// Video extensions. `ts` and `mts` are also those of TypeScript and of Qt translations, so only content decides
  /// there.
  private static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "qt", "3gp", "webm", "mkv", "avi", "gif", "apng", "mpg", "mpeg",
    "m2ts", "flv", "wmv", "ogv", "lottie", "tgs",
  ]

  /// Extensions of animations and animated pictures.
  private static let animations: Set<String> = [
    "gif", "apng", "png", "webp", "avif", "json", "lottie", "tgs",
  ]

  /// The file in a folder that `artworkd repair` filled: searches of the folders above leave it out.
  package static let outputMarker: FilePath.Component = ".artworkd-output"

  /// Extensions of sound and stills that share a container with video.
  private static let otherExtensions: Set<String> = [
    "m4a", "m4b", "m4p", "m4r", "ogg", "oga", "opus", "wma", "mka", "weba",
  ]

  /// Brands of stills and sound in ISO base media files.
  private static let otherBrands: Set<String> = [
    "heic", "heix", "heim", "heis", "avci", "avif", "jpeg", "j2ki", "vvic", "mif1", "mif2", "mif3",
    "M4A ", "M4B ", "M4P ",
  ]

  /// - Parameter path: below `folder`.
  private static func isCandidate(
    _ entry: Folder.Entry, at path: FilePath, in folder: borrowing Folder, hasPlaylist: Bool
  ) -> Bool {
    let name = entry.name.extension?.lowercased() ?? ""
    // The pictures that `artworkd loop` writes beside a video.
    if name == "png", entry.name.string.hasSuffix(".loop.png") { return false }
    if entry.kind == .other { return videoExtensions.contains(name) }
    // Only beside a playlist: whoever checks 4,000 videos again opens none of them.
    if videoExtensions.contains(name) { return !(hasPlaylist && isPartOfStream(path, in: folder)) }
    return holdsPictures(path, in: folder, extension: name)
  }

  private static func holdsPictures(
    _ path: FilePath, in folder: borrowing Folder, extension name: String
  ) -> Bool {
    // A file that exceeds the inspection limit must get the error for that.
    var limits = Limits()
    limits.fileBytes = .max
    guard let input = try? InputFile.open(path, in: folder, limits: limits) else { return false }
    switch MediaSignature(input.bytes(at: 0, count: MediaSignature.length)) {
    case nil: return false
    case .animatedImage, .animation: return true
    case .container: return !otherExtensions.contains(name)
    case .isoMedia(let brand):
      if otherExtensions.contains(name) { return false }
      if brand.map(otherBrands.contains) ?? false { return false }
      let boxes = FileBoxes(input)
      return !boxes.areStills && !boxes.arePartOfStream
    }
  }

  /// Whether a file with the name of a video is a part of a stream; false for one that cannot be read.
  private static func isPartOfStream(_ path: FilePath, in folder: borrowing Folder) -> Bool {
    var limits = Limits()
    limits.fileBytes = .max
    guard let input = try? InputFile.open(path, in: folder, limits: limits),
      case .isoMedia = MediaSignature(input.bytes(at: 0, count: MediaSignature.length))
    else { return false }
    return FileBoxes(input).arePartOfStream
  }

  /// The still covers: the named files, and that of each folder below a named one.
  package static func covers(_ paths: [FilePath]) -> [Candidate] {
    let found = paths.flatMap { root -> [Candidate] in
      guard root.isFolder, let folder = try? Folder(opening: root) else {
        return [Candidate(path: root)]
      }
      var found: [Candidate] = []
      var pending = [FilePath()]
      while let below = pending.popLast() {
        guard let entries = try? folder.entries(of: below) else { continue }
        let names = inOrder(entries)
        if let cover = FolderNames(names.filter { $0.kind != .folder }.map(\.name)).cover() {
          var stem = below.appending(cover)
          stem.extension = nil
          found.append(
            Candidate(
              path: root.pushing(below.appending(cover)), folder: root, previewStem: stem))
        }
        pending += names.filter { $0.kind == .folder }.map { below.appending($0.name) }.reversed()
      }
      return found
    }
    return PreviewNames.distinct(found, folders: paths.filter(\.isFolder))
  }

  /// Candidates below a folder that was named. Each folder is opened by its path below the first one and without any
  /// link, then closed again: a folder that is swapped for a link meanwhile is an error, a loop is impossible, and
  /// depth costs no descriptors. The depth is limited only by the system's limit on the length of a path; beyond that
  /// is an error, too.
  private static func search(_ root: FilePath) -> [Candidate] {
    let folder: Folder
    do throws(Errno) {
      folder = try Folder(opening: root)
    } catch {
      return [Candidate(path: root)]
    }
    func candidate(_ below: FilePath) -> Candidate {
      var stem = below
      stem.extension = nil
      return Candidate(
        path: root.pushing(below), folder: root, previewStem: stem)
    }
    var found: [Candidate] = []
    // Still to be read, the next one last. A list instead of recursion, as it may go deep.
    var pending = [FilePath()]
    while let below = pending.popLast() {
      let entries: [Folder.Entry]
      do throws(OpenError) {
        entries = try folder.entries(of: below)
      } catch {
        found.append(below.isEmpty ? Candidate(path: root) : candidate(below))
        continue
      }
      if !below.isEmpty, entries.contains(where: { $0.name == outputMarker }) { continue }
      let hasPlaylist = entries.contains {
        ["m3u8", "mpd"].contains($0.name.extension?.lowercased() ?? "")
      }
      var subfolders: [FilePath] = []
      for entry in inOrder(entries) {
        let path = below.appending(entry.name)
        if entry.kind == .folder {
          subfolders.append(path)
        } else if isCandidate(entry, at: path, in: folder, hasPlaylist: hasPlaylist) {
          found.append(candidate(path))
        }
      }
      pending += subfolders.reversed()
    }
    return found
  }

  /// Visible entries by the bytes of their names.
  private static func inOrder(_ entries: [Folder.Entry]) -> [Folder.Entry] {
    entries
      .filter {
        unsafe $0.name.withPlatformString { unsafe $0.pointee }
          != CChar(bitPattern: UInt8(ascii: "."))
      }
      .sorted { first, second in
        unsafe first.name.withPlatformString { first in
          unsafe second.name.withPlatformString { unsafe strcmp(first, $0) < 0 }
        }
      }
  }
}
