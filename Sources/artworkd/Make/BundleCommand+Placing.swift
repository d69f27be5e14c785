public import ArgumentParser
public import ArtworkPipeline
import SystemPackage

extension BundleNames: ExpressibleByArgument {}

/// Files under the names of a server, and in a music library: they are made in a temporary folder, then placed.
extension BundleCommand {
  func prepare(_ run: inout MakingRun) async throws {
    guard let into else { return }
    run.library = try await run.value(of: run.pipeline.musicLibrary(at: into.path), "albums read")
  }

  /// - Throws: `no-match` for a release whose album is not in the library.
  func place(_ release: FilePath, _ run: MakingRun) async throws -> [BundledRelease] {
    let targets =
      try run.library?.folders(of: release)
      ?? [output?.path].compactMap { folder in
        releases.count > 1 ? folder?.appending(Self.name(of: release)) : folder
      }
    // Names in the bundle and wanted ones, in a library without those that are taken.
    let wanted = targets.map { target in
      let places = ReleaseBundler.names.compactMap { made in
        names.name(of: made).map { (made: made, path: target.appending($0)) }
      }
      return (target, into == nil ? places : places.filter { OutputFile.existing($0.path) == nil })
    }
    if dryRun || wanted.allSatisfy({ $0.1.isEmpty }) {
      Terminal.emit { wanted.map { Self.plan($0.1.map(\.path), in: $0.0) }.joined() }
      return []
    }
    for (target, places) in wanted {
      try OutputFile.makeFolder(target)
      for place in places { try OutputFile.requirePlace(for: place.path) }
    }
    let staging = try OutputFile.temporaryFolder()
    defer { AtomicFile.removeFolder(staging) }
    let bundled = try await bundle(release, into: staging, run)
    var new = NewFiles()
    do {
      let placed = try wanted.map { target, places in
        var files: [BundledFile] = []
        for place in places {
          // What a release lacks, such as a still cover, is not in its bundle.
          guard var file = bundled.files.first(where: { $0.name == place.made }),
            let name = place.path.lastComponent?.string
          else { continue }
          let made = Candidate(path: staging.appending(place.made))
          guard let bytes = made.contents(atMost: 1 << 30) else {
            throw InspectionError(.unreadable, "\(made.path.string) cannot be read again")
          }
          try new.create(bytes, as: place.path)
          file.name = name
          files.append(file)
        }
        return BundledRelease(target: target, files: files, leftOut: bundled.leftOut)
      }
      new.keep()
      return placed
    } catch {
      new.removeAll()
      throw error
    }
  }

  private static func plan(_ paths: [FilePath], in target: FilePath) -> String {
    paths.isEmpty
      ? "\(target.string.printable): nothing to place\n"
      : paths.map { "would place \($0.string.printable)\n" }.joined()
  }
}
