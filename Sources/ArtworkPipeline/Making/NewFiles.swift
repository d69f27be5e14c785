import Glibc

/// Files that are created together: either all of them remain, or none. None replaces an existing file.
package struct NewFiles {
  private var paths: [FilePath] = []

  package init() {}

  /// Writes a new file, complete or not at all.
  ///
  /// - Throws: `video-not-written`, also where something has the name.
  package mutating func create(_ bytes: [UInt8], as path: FilePath) throws(InspectionError) {
    try AtomicFile.create(bytes, as: path)
    paths.append(path)
  }

  /// Removes those that were written, since another one cannot be.
  package mutating func removeAll() {
    for path in paths { _ = path.withPlatformString { unlink($0) } }
    paths = []
  }
}
