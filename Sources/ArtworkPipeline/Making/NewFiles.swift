import Glibc

/// Files that are created together: either all of them remain, or none. None replaces an existing file.
package struct NewFiles {
  private var paths: [FilePath] = []

  package init() {}

  /// Writes a new file, completely or not at all.
  ///
  /// - Throws: `video-not-written`, also if the name exists.
  package mutating func create(_ bytes: [UInt8], as path: FilePath) throws(InspectionError) {
    try AtomicFile.create(bytes, as: path)
    paths.append(path)
  }

  /// Removes the files written so far, because another one cannot be written.
  package mutating func removeAll() {
    for path in paths { _ = path.withPlatformString { unlink($0) } }
    paths = []
  }
}
