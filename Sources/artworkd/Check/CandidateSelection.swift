import ArgumentParser
import ArtworkPipeline
import SystemPackage

/// The files that a check is about: those that its arguments and the configuration name.
struct CandidateSelection {
  /// `-` is a list on standard input.
  var paths: [FilePath]
  var configuration: Configuration

  func candidates() throws -> [Candidate] {
    let inputs = try inputs()
    let found = CandidateFinder.find(inputs).filter {
      // Files named on the command line are checked, whatever the configuration excludes.
      $0.folder == nil || configuration.isIncluded($0.path)
    }
    let named = Set(found.map(\.path))
    return found + listedButMissing(inputs).filter { !named.contains($0.path) }
  }

  /// The candidates, with a message if there are none.
  func found() throws -> [Candidate] {
    let found = try candidates()
    if found.isEmpty {
      Terminal.printError("artworkd: no candidate videos in \(place.printable)\n")
    }
    return found
  }

  static let standardInput: FilePath = "-"

  /// Returns paths, with those of a list on standard input in its place.
  private func inputs() throws -> [FilePath] {
    if paths.isEmpty { return ["."] }
    var paths = paths
    if let place = paths.firstIndex(of: Self.standardInput) {
      do {
        paths.replaceSubrange(place...place, with: try InputList.read())
      } catch {
        Terminal.printError("artworkd: cannot read the list on standard input: \(error)\n")
        throw ExitStatus.unreadableInput.code
      }
    }
    return paths
  }

  /// Missing videos that a manifest lists below the paths: each gets its error.
  private func listedButMissing(_ inputs: [FilePath]) -> [Candidate] {
    let places = Set(inputs.map { $0.absolute(in: .currentFolder) })
    func isInside(_ file: FilePath) -> Bool {
      var place = file
      repeat {
        if places.contains(place) { return true }
      } while place.removeLastComponent()
      return false
    }
    return configuration.manifest.missingVideos
      .filter { isInside($0) && configuration.isIncluded($0) }
      .map { Candidate(path: $0.shortened(from: .currentFolder)) }
  }

  /// The place that was searched, for people.
  var place: String {
    paths.isEmpty
      ? "this folder"
      : paths.map { $0 == Self.standardInput ? "the list" : $0.string }.joined(separator: ", ")
  }
}
