import Glibc

/// Files that are created together: either all of them remain, or none, also if the process is interrupted before
/// ``keep()``. None replaces an existing file.
package struct NewFiles {
  private var paths: [FilePath] = []

  package init() {}

  /// Writes a new file, completely or not at all.
  ///
  /// - Throws: `video-not-written`, also if the name exists.
  package mutating func create(_ bytes: [UInt8], as path: FilePath) throws(InspectionError) {
    try AtomicFile.create(bytes, as: path, mayGo: true)
    paths.append(path)
  }

  /// Keeps the files: there will be no more.
  package func keep() { AtomicFile.keep(paths) }

  /// Removes the files written so far, because another one cannot be written.
  package mutating func removeAll() {
    for path in paths { _ = unsafe path.withPlatformString { unsafe unlink($0) } }
    AtomicFile.keep(paths)
    paths = []
  }
}
