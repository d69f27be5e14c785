import ArgumentParser
import ArtworkPipeline
import SystemPackage

/// The files that a check is about: those that its arguments, git and the configuration name.
struct CandidateSelection {
  /// `-` is a list on standard input.
  var paths: [FilePath]
  /// The URLs of files to fetch.
  var urls: [String] = []
  var isStaged: Bool
  var configuration: Configuration

  func candidates() async throws -> [Candidate] {
    if isStaged { return try await stagedCandidates() }
    let (inputs, urls) = try inputs()
    let found = CandidateFinder.find(inputs, urls: urls).filter {
      // Files named on the command line are checked, whatever the configuration excludes.
      $0.folder == nil || configuration.isIncluded($0.path)
    }
    let fetched = Set(found.compactMap(\.url))
    if let url = urls.first(where: { !fetched.contains($0) }) {
      throw Self.ambiguity(Candidate(url: url).path)
    }
    let named = Set(found.map(\.path))
    return found + listedButMissing(inputs).filter { !named.contains($0.path) }
  }

  static let standardInput: FilePath = "-"

  /// Returns paths and URLs, with those of a list on standard input in its place.
  private func inputs() throws -> (paths: [FilePath], urls: [String]) {
    if paths.isEmpty, urls.isEmpty { return (["."], []) }
    var (paths, urls) = (paths, urls)
    if let place = paths.firstIndex(of: Self.standardInput) {
      do throws(Errno) {
        let list = try InputList.read()
        paths.replaceSubrange(place...place, with: list.paths)
        urls += list.urls
      } catch {
        Terminal.printError("artworkd: cannot read the list on standard input: \(error)\n")
        throw ExitStatus.unreadableInput.code
      }
    }
    try refuseAmbiguity(paths, urls)
    return (paths, urls)
  }

  /// URLs are identified by their displayed part, so two that differ only in the rest would count as one file.
  private func refuseAmbiguity(_ paths: [FilePath], _ urls: [String]) throws {
    if urls.isEmpty { return }
    var known: [FilePath: String?] = [:]
    for path in paths { known[path.lexicallyNormalized()] = .some(nil) }
    for url in urls {
      let name = Candidate(url: url).path.lexicallyNormalized()
      guard let other = known.updateValue(url, forKey: name), other != url else { continue }
      throw Self.ambiguity(name)
    }
  }

  /// Prints that a file is named twice, and returns the exit code.
  private static func ambiguity(_ name: FilePath) -> any Error {
    Terminal.printError(
      "artworkd: \(name.string.printable) is named twice, by different URLs or by a URL and a path; "
        + "name it once\n")
    return ExitStatus.usage.code
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

  private func stagedCandidates() async throws -> [Candidate] {
    let staged: StagedFiles
    do {
      staged = try await StagedFiles.read()
    } catch {
      Terminal.printError("artworkd: \("\(error)".printable)\n")
      throw ExitStatus.usage.code
    }
    for path in staged.paths where staged.differing.contains(path) && isOurs(path) {
      Terminal.printError(
        "artworkd: \(path.string.printable) has unstaged changes; checking the file on disk\n"
      )
    }
    // With the rest of their releases. If only a cover or a preview is staged, the videos beside it.
    let ours = staged.paths.filter { isOurs($0) && configuration.isIncluded($0) }
    let names = Set(ours)
    let folders = Set(ours.map { $0.removingLastComponent() })
    let beside = CandidateFinder.find(
      folders.map { $0.isEmpty ? "." : $0 }.sorted { $0.string < $1.string }
    )
    .filter {
      folders.contains(Self.plain($0.path).removingLastComponent())
        && configuration.isIncluded($0.path)
    }
    let changed = Set(beside.map(\.path).filter { names.contains(Self.plain($0)) })
    let stills = ours.filter { !CandidateFinder.isNamedLikeVideo($0) }
    let affected = Catalogue(beside, configuration)
      .restricted(toChanged: changed, lost: stills.map(Self.asFound)).candidates
    // Staged files that are missing get an error.
    let there = Set(beside.map { Self.plain($0.path) })
    let gone = ours.filter { CandidateFinder.isNamedLikeVideo($0) && !there.contains($0) }
    return affected + CandidateFinder.find(gone)
  }

  private func isOurs(_ path: FilePath) -> Bool {
    CandidateFinder.isNamedLikeVideo(path) || CandidateFinder.isNamedLikeStill(path)
  }

  /// Returns the path as git names it, without a leading `.`.
  private static func plain(_ path: FilePath) -> FilePath { path.lexicallyNormalized() }

  /// Returns the path as a search of its folder names it, with a leading `.` in the current one.
  private static func asFound(_ path: FilePath) -> FilePath {
    path.components.count == 1 ? FilePath(".").appending(path.components) : path
  }

  /// The place that was searched, for people.
  var place: String {
    if isStaged { return "the staged files" }
    return paths.isEmpty
      ? "this folder"
      : paths.map { $0 == Self.standardInput ? "the list" : $0.string }.joined(separator: ", ")
  }
}
