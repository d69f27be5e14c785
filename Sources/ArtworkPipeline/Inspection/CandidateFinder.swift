public import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Finds the candidates below files and folders. Files named directly are always candidates; inside
/// folders, content decides, with the extension as a second witness: a text file called `.mp4` is one
/// (its owner believes it is a video), a cover image or a song is not.
public enum CandidateFinder {
  /// Candidates in a stable order: arguments as given, in folders
  /// files before subfolders, each by name. A path that does
  /// not exist and a folder that cannot be read are candidates too, so that they get their own errors.
  /// Two candidates never share a preview name.
  ///
  /// Reads up to 4 KB of every file inside the folders. Hidden entries are skipped, symbolic links to
  /// folders are not followed, and nothing but regular files is opened.
  public static func find(_ paths: [FilePath]) -> [Candidate] {
    var found: [Candidate] = []
    for path in paths {
      if isFolder(path, followLink: true) {
        for entry in files(in: path) {
          let file = path.appending(entry.below.components)
          guard entry.isClosedFolder || isCandidate(file) else { continue }
          var stem = entry.below
          stem.extension = nil
          found.append(Candidate(path: file, previewStem: stem))
        }
      } else {
        found.append(Candidate(path: path))
      }
    }
    // Arguments may overlap: a file counts once.
    var seen: Set<FilePath> = []
    return withDistinctPreviews(
      found.filter { seen.insert($0.path.lexicallyNormalized()).inserted })
  }

  /// Extensions by which people mean a moving picture.
  private static let videoExtensions: Set<String> = [
    "mp4", "m4v", "mov", "qt", "3gp", "webm", "mkv", "avi", "gif", "apng", "mpg", "mpeg", "ts",
    "m2ts", "flv", "wmv", "ogv",
  ]

  /// Extensions of sound and stills that share a container with video.
  private static let otherExtensions: Set<String> = [
    "m4a", "m4b", "m4p", "m4r", "mp3", "aac", "ogg", "oga", "opus", "flac", "wma", "mka", "weba",
    "heic", "heif", "avif", "jpg", "jpeg", "png",
  ]

  /// Brands of stills and sound in ISO base media files.
  private static let otherBrands: Set<String> = [
    "heic", "heix", "mif1", "avif", "M4A ", "M4B ", "M4P ",
  ]

  private static func isCandidate(_ path: FilePath) -> Bool {
    let name = path.extension?.lowercased() ?? ""
    if videoExtensions.contains(name) { return true }
    guard let input = try? InputFile.open(path) else { return false }
    let header = input.bytes(at: 0, count: 4096)
    guard let format = ContainerFormat.probe(header) else { return false }
    if format == "webp_pipe" { return isAnimatedWebP(header) }
    guard ContainerFormat.allowed.contains(format) else { return false }
    if format == "apng" || format == "gif" { return true }
    if otherExtensions.contains(name) {
      // An AVIF file may still be a sequence.
      return format == ContainerFormat.isoMedia && brand(header) == "avis"
    }
    return format != ContainerFormat.isoMedia || !otherBrands.contains(brand(header))
  }

  private static func brand(_ header: [UInt8]) -> String {
    String(decoding: header.dropFirst(8).prefix(4), as: UTF8.self)
  }

  /// The animation flag of the extended header (WebP container specification, "VP8X").
  private static func isAnimatedWebP(_ header: [UInt8]) -> Bool {
    header.count > 20 && header[12..<16].elementsEqual("VP8X".utf8) && header[20] & 2 != 0
  }

  private struct Entry {
    /// Relative to the folder that is searched.
    var below: FilePath
    /// A folder that cannot be read.
    var isClosedFolder = false
  }

  /// Visible regular files (or links to them) below `folder`, and folders that cannot be read, in
  /// order.
  private static func files(in folder: FilePath) -> [Entry] {
    guard let names = entries(of: folder) else {
      return [Entry(below: FilePath(), isClosedFolder: true)]
    }
    var files: [Entry] = []
    var subfolders: [Entry] = []
    for name in names {
      let path = folder.appending(name)
      let below = FilePath(root: nil, name)
      if isFolder(path, followLink: false) {
        subfolders += Self.files(in: path).map {
          Entry(below: below.appending($0.below.components), isClosedFolder: $0.isClosedFolder)
        }
      } else if kind(of: path, followLink: true) == S_IFREG
        || videoExtensions.contains(name.extension?.lowercased() ?? "")
      {
        files.append(Entry(below: below))
      }
    }
    return files + subfolders
  }

  /// Visible names in a folder, sorted by their bytes; `nil` when it cannot be read.
  private static func entries(of folder: FilePath) -> [FilePath.Component]? {
    guard let directory = folder.withPlatformString({ opendir($0) }) else { return nil }
    defer { closedir(directory) }
    var names: [FilePath.Component] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 1) { FilePath(platformString: $0) }
      }
      guard let component = name.lastComponent, !component.string.hasPrefix(".") else { continue }
      names.append(component)
    }
    return names.sorted { first, second in
      first.withPlatformString { first in second.withPlatformString { strcmp(first, $0) < 0 } }
    }
  }

  private static func isFolder(_ path: FilePath, followLink: Bool) -> Bool {
    kind(of: path, followLink: followLink) == S_IFDIR
  }

  private static func kind(of path: FilePath, followLink: Bool) -> mode_t? {
    var status = stat()
    let result = path.withPlatformString { followLink ? stat($0, &status) : lstat($0, &status) }
    return result == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Appends the file's extension, then a number, to preview names that would collide.
  private static func withDistinctPreviews(_ candidates: [Candidate]) -> [Candidate] {
    let uses = Dictionary(grouping: candidates, by: \.previewStem).mapValues(\.count)
    var taken: Set<FilePath> = []
    return candidates.map { candidate in
      var candidate = candidate
      if uses[candidate.previewStem, default: 0] > 1, let name = candidate.path.extension {
        candidate.previewStem = candidate.previewStem.suffixed("-\(name)")
      }
      let base = candidate.previewStem
      var number = 2
      while !taken.insert(candidate.previewStem).inserted {
        candidate.previewStem = base.suffixed("-\(number)")
        number += 1
      }
      return candidate
    }
  }
}

extension FilePath {
  /// The same path with `suffix` at the end of its last component.
  func suffixed(_ suffix: String) -> FilePath {
    // Names need not be UTF-8: their bytes are kept.
    let bytes =
      withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
      + suffix.utf8CString
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { FilePath(platformString: $0) } ?? self
    }
  }

  fileprivate init(root: Root?, _ component: Component) {
    self.init(root: root, CollectionOfOne(component))
  }
}
