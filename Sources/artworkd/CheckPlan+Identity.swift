import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import SystemPackage

/// What tells whether two runs belong together.
extension CheckPlan {
  /// Everything besides the files that decides about results, as JSON with sorted members.
  private struct Decisive: Encodable {
    var version = Artworkd.version
    var ffmpeg = FFmpegVersion.text
    /// The SHA-256 of artwork.yml and of the files that it lists artworks in.
    var files: [String]
    var profiles: [String]?
    var selected: [String]
    var ignored: [String]
    var key: ArtworkKey?
    var everyFrame: String
    var limits: Limits
  }

  /// The SHA-256 of everything besides the files that decides about results. Where a file is does not count.
  ///
  /// - Throws: the exit code, where the configuration cannot be read again.
  func digest(limits: Limits, selected: [String], ignored: [String]) throws -> String {
    var files: [FilePath] = []
    for file in [configuration.file].compactMap(\.self)
      + configuration.manifest.entries.map(\.source)
    where !files.contains(file) { files.append(file) }
    do {
      let decisive = Decisive(
        files: try files.map(Self.digest),
        profiles: profiles, selected: selected.sorted(), ignored: ignored.sorted(), key: key,
        everyFrame: "\(everyFrame)", limits: limits)
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return try SHA256.digest(of: Array(try encoder.encode(decisive))).hexadecimal
    } catch {
      Terminal.say("artworkd: cannot read the configuration again: \(error)\n")
      throw ExitStatus.usage.code
    }
  }

  private static func digest(of file: FilePath) throws -> String {
    let source = try SourceFile(file)
    var hash = try SHA256()
    var offset: Int64 = 0
    while true {
      let bytes = try source.read(at: offset)
      if bytes.isEmpty { return try hash.finish().hexadecimal }
      try hash.update(bytes)
      offset += Int64(bytes.count)
    }
  }

  /// Says in a summary what the run was a part of.
  ///
  /// - Parameters:
  ///   - all: the candidates of all shards.
  ///   - profiles: what all of them are judged for.
  func identify(
    _ summary: inout Summary, among all: [Candidate], _ profiles: [Profile]
  ) throws {
    var list = try SHA256()
    for candidate in all { try list.update(candidate.path.pathBytes + [0]) }
    summary.shard = shard
    summary.version = Artworkd.version
    summary.configuration = digest
    summary.list = Summary.CandidateList(count: all.count, digest: try list.finish().hexadecimal)
    summary.profiles = profiles.map { Summary.JudgedFor(name: $0.name, title: $0.title) }
  }
}
