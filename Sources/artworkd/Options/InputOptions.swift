import ArgumentParser
import ArtworkPipeline
import SystemPackage

/// The files and folders that a command works on, and the folder of what it makes of them.
struct InputOptions: ParsableArguments {
  @Argument(help: "Files and folders, or - for a list on standard input.")
  var paths: [PathArgument]

  @Option(
    help: ArgumentHelp(
      "Write into this folder. What is below a named folder keeps its place.", valueName: "dir"))
  var outputDir: PathArgument?

  /// The only file; `nil` for a folder, a list, and several.
  var single: FilePath? {
    guard paths.count == 1, !paths[0].isStandardStream, !paths[0].path.isFolder else { return nil }
    return paths[0].path
  }

  /// - Parameters:
  ///   - output: `-o`, which takes a single file.
  ///   - needsFolder: whether files of several inputs need a folder.
  /// - Throws: `ValidationError`.
  func validate(_ output: PathArgument?, needsFolder: Bool = true) throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir cannot be combined.")
    }
    if output != nil, single == nil {
      throw ValidationError("-o takes one file; for more, use --output-dir.")
    }
    if needsFolder, outputDir == nil, single == nil {
      throw ValidationError("Name a folder for the new files with --output-dir.")
    }
    try outputDir?.requireFolder("Files")
    if paths.count(where: \.isStandardStream) > 1 {
      throw ValidationError("- (standard input) can be given only once.")
    }
  }

  /// The videos and animations, without what earlier runs wrote into the output folder.
  func candidates(_ configuration: Configuration) async throws -> [Candidate] {
    if let single { return [Candidate(path: single)] }
    let selection = CandidateSelection(
      paths: paths.map(\.path), configuration: configuration)
    return try kept(selection.candidates(), selection.place)
  }

  /// The still covers: the named files, and one in each folder below the others.
  func covers() throws -> [Candidate] {
    try kept(CandidateFinder.covers(paths.map(\.path)), "the folders")
  }

  private func kept(_ found: [Candidate], _ place: String) throws -> [Candidate] {
    let target = outputDir.map { Destination.folder($0.path) }
    let kept = found.filter { target?.holds($0, among: paths.map(\.path)) != true }
    if kept.isEmpty { Terminal.printError("artworkd: nothing to work on in \(place.printable)\n") }
    return kept
  }

  /// The path of a new file in ``outputDir``, whose folder is made; `nil` without that.
  ///
  /// - Parameters:
  ///   - rename: from the name of the input, without its extension, to that of the new file.
  ///   - ownFolder: whether files of one folder stay together, below its name.
  func target(
    of candidate: Candidate, ownFolder: Bool = false, _ rename: (String) -> String
  ) -> FilePath? {
    guard let folder = outputDir?.path else { return nil }
    var place = folder.appending(candidate.previewStem.components)
    let name = place.lastComponent.map { $0.string } ?? "video"
    place.removeLastComponent()
    if ownFolder, candidate.previewStem.components.count == 1,
      let own = candidate.path.removingLastComponent().lastComponent, own.kind == .regular
    {
      place.append(own)
    }
    return place.appending(rename(name))
  }
}
