import ArtworkPipeline
import SystemPackage

/// The folder of the new files of several candidates. They keep their places below the folders that were searched.
struct OutputFolder: Sendable {
  var path: FilePath

  /// Whether the candidate was found only because this folder, which earlier runs may have filled, is below a
  /// searched one.
  func holds(_ candidate: Candidate, among searched: [FilePath]) -> Bool {
    let folder = path.absolute(in: .currentFolder)
    func isInside(_ path: FilePath) -> Bool {
      path.absolute(in: .currentFolder).starts(with: folder)
    }
    return isInside(candidate.path) && !searched.contains(where: isInside)
  }

  /// The path of a candidate's new file.
  func target(of candidate: Candidate, in container: MovieContainer) -> FilePath {
    path.appending(candidate.previewStem.components).suffixed(".\(container.rawValue)")
  }

  /// Makes a folder and those above it that are missing.
  static func make(_ folder: FilePath) throws(InspectionError) {
    do throws(Errno) { try AtomicFile.makeFolder(folder) } catch {
      throw InspectionError(
        .videoNotWritten, "cannot make \(folder.string): \(error.description.lowercased())")
    }
  }

  /// Writes a new file and the folders that it needs.
  ///
  /// - Throws: `video-not-written`, also if the name exists.
  static func create(_ movie: [UInt8], as target: FilePath) throws(InspectionError) {
    do throws(Errno) {
      try AtomicFile.makeFolder(target.removingLastComponent())
    } catch {
      throw InspectionError(
        .videoNotWritten,
        "cannot write into \(target.removingLastComponent().string): \(error.description.lowercased())"
      )
    }
    try AtomicFile.create(movie, as: target)
  }
}
