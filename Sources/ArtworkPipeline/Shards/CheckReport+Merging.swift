import Dispatch
import Synchronization

extension CheckReport {
  /// The results of all shards of a catalogue as those of one run, in the order of the candidates.
  ///
  /// Holds all results in memory. Reads several files at a time, one on each processor, and blocks meanwhile. Rules that
  /// compare releases are applied over all shards. The time is the sum of the shards', and of profiles only names and
  /// titles are known.
  ///
  /// - Parameter paths: results as NDJSON, all shards of one catalogue in any order.
  /// - Throws: ``MergeError`` if shards are missing, repeated, incomplete, or or of different runs.
  package init(merging paths: [FilePath]) throws(MergeError) {
    let shards = try Self.read(paths)
    let run = try Self.agreement(of: shards)
    var results = try Self.inOrder(shards, count: run.candidates ?? 0)
    Self.judgeAcrossReleases(&results)
    for place in results.indices { results[place].evidence = nil }
    self.init(
      results: results,
      summary: Summary(results, seconds: shards.reduce(0) { $0 + $1.summary.seconds }),
      profiles: (run.profiles ?? []).map { Profile(name: $0.name, title: $0.title, shapes: []) })
  }

  private static func read(_ paths: [FilePath]) throws(MergeError) -> [ShardFile] {
    let results = Mutex([Result<ShardFile, MergeError>?](repeating: nil, count: paths.count))
    DispatchQueue.concurrentPerform(iterations: paths.count) { index in
      let shard = Result { () throws(MergeError) in try ShardFile(paths[index]) }
      results.withLock { $0[index] = shard }
    }
    var shards: [ShardFile] = []
    for case let shard? in results.withLock({ $0 }) { shards.append(try shard.get()) }
    return shards
  }

  /// The run that all shards belong to.
  private static func agreement(of shards: [ShardFile]) throws(MergeError) -> Summary {
    guard let first = shards.first else {
      throw MergeError(message: "there is nothing to merge", help: "name the files of all shards")
    }
    var files: [Shard: FilePath] = [:]
    for shard in shards {
      if first.summary.configuration != shard.summary.configuration {
        throw MergeError(
          file: shard.path, message: "it belongs to another run than \(first.path.string)",
          help: "check all shards of one list of files with the same version, FFmpeg, artwork.yml "
            + "and options")
      }
      if shard.shard.count != first.shard.count {
        throw MergeError(
          file: shard.path,
          message: "it is shard \(shard.shard), which does not go with \(first.path.string)",
          help: "merge one division")
      }
      if let same = files.updateValue(shard.path, forKey: shard.shard) {
        throw MergeError(
          file: shard.path, message: "it is shard \(shard.shard), and so is \(same.string)",
          help: "name one of them")
      }
    }
    let missing = (1...first.shard.count).filter { index in
      Shard("\(index)/\(first.shard.count)").map { files[$0] == nil } ?? false
    }
    if !missing.isEmpty {
      let named = missing.prefix(10).map { "\($0)" } + (missing.count > 10 ? ["others"] : [])
      throw MergeError(
        message: missing.count == 1
          ? "shard \(named[0])/\(first.shard.count) is missing"
          : "\(missing.count) of \(first.shard.count) shards are missing: \(named.listed("and"))",
        help: "name the files of all shards")
    }
    return first.summary
  }

  /// All results by their place, which each has for itself.
  private static func inOrder(
    _ shards: [ShardFile], count: Int
  ) throws(MergeError) -> [CandidateReport] {
    let all = shards.flatMap(\.results)
    guard all.count == count else {
      throw MergeError(
        message: "the shards have \(all.count) results of \(count) candidates",
        help: "check all shards again")
    }
    var taken: Set<Int> = []
    for shard in shards {
      for place in shard.results.compactMap(\.evidence?.place) {
        let isThere = (0..<count).contains(place)
        guard isThere, taken.insert(place).inserted else {
          throw MergeError(
            file: shard.path,
            message: isThere
              ? "the result of candidate \(place) occurs twice"
              : "it has a result of candidate \(place), and there are \(count)",
            help: "check this shard again")
        }
      }
    }
    return all.sorted { ($0.evidence?.place ?? 0) < ($1.evidence?.place ?? 0) }
  }

  /// Re-evaluates the rules that each shard could evaluate only for its own releases.
  private static func judgeAcrossReleases(_ results: inout [CandidateReport]) {
    let reports = results
    var artworks: [String: Int] = [:]
    let videos = reports.indices.compactMap { place -> ContentComparison.Video? in
      let report = reports[place]
      guard let artworkID = report.artworkID, let key = report.evidence?.key,
        let size = report.evidence?.bytes, (1...Limits().fileBytes).contains(size)
      else { return nil }
      let artwork = artworks[artworkID] ?? artworks.count
      artworks[artworkID] = artwork
      return ContentComparison.Video(candidate: place, artwork: artwork, key: key, size: size)
    }
    let found = ContentComparison(
      videos, areVersions: { reports[$0].path.isVersion(of: reports[$1].path) },
      digest: { reports[$0].evidence?.digest })
    for place in results.indices {
      results[place].judgeAcrossReleases(
        contradicts: found.contradictions[place].map { reports[$0].path },
        repeats: found.repetitions[place].map {
          Release.Repetition(path: reports[$0].path, artworkID: reports[$0].artworkID ?? "")
        })
    }
  }
}

extension CandidateReport {
  fileprivate mutating func judgeAcrossReleases(
    contradicts: FilePath?, repeats: Release.Repetition?
  ) {
    var compared: [Finding] = []
    if contradicts != nil || repeats != nil, let artworkID, let evidence, let key = evidence.key,
      inspection != nil
    {
      var video = Release.Video(
        candidate: 0, key: key, contradicts: contradicts, repeats: repeats)
      video.path = path
      // Excludes the inputs of other release rules, which have already been applied.
      let release = Release(
        name: Release.Name(folder: evidence.release.map { FilePath($0) }, artworkID: artworkID),
        isWhole: false, keys: [key], videos: [video])
      compared = evidence.judges.flatMap { judge in
        var profile = Profile(name: judge.name, title: judge.name, shapes: [])
        profile.severities = judge.severities ?? [:]
        return Rules.judge(release, profile: profile).map(\.finding)
      }
    }
    join(compared, of: Rules.acrossReleases)
  }
}
