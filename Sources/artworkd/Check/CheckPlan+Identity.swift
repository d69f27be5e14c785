import ArtworkModel
import ArtworkPipeline
import SystemPackage

/// The identity that decides whether two runs belong together.
extension CheckPlan {
  private struct Decisive: Encodable {
    var profiles: [String]?
    var selected: [String]
    var ignored: [String]
    var key: ArtworkKey?
    var everyFrame: String
    var limits: Limits
  }

  /// The SHA-256 of everything besides the files that affects results, except the locations of files.
  ///
  /// - Throws: the exit code, if the configuration cannot be read again.
  func digest(limits: Limits, selected: [String], ignored: [String]) throws -> String {
    try configuration.digest(
      with: Decisive(
        profiles: profiles, selected: selected.sorted(), ignored: ignored.sorted(), key: key,
        everyFrame: "\(everyFrame)", limits: limits))
  }

  /// Records in a summary what the run was a part of.
  ///
  /// - Parameters:
  ///   - all: the candidates of all shards.
  ///   - profiles: those that all of them are judged for.
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
