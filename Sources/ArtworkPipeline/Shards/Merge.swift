import Dispatch
import Synchronization

/// The results of all shards of a catalogue as those of one run, in the order of the candidates.
///
/// Holds about 200 bytes of each result. The results stay in their files, and are read again when they are written.
package struct Merge: Sendable {
  /// What was judged for, in the order of reports. Only names and titles are known.
  package let profiles: [Profile]
  /// The counts of all results. Its time is the sum of the shards'.
  package private(set) var summary: Summary
  /// Errors that the baseline knows.
  private(set) var knownErrors = 0
  /// Of all file names, in terminal cells.
  let widestName: Int

  /// A result and the file that holds it.
  private struct Row {
    var file: Int32
    var row: ShardFile.Row
  }

  private let files: [SourceFile]
  private let paths: [FilePath]
  /// By place.
  private let rows: [Row]
  private let hide: (@Sendable (inout [CandidateReport]) -> Void)?
  /// By place: see ``ContentComparison``.
  private var contradictions: [Int: Int] = [:]
  private var repetitions: [Int: Int] = [:]

  /// Reads the files, of which each processor takes one at a time.
  ///
  /// - Parameters:
  ///   - paths: results as NDJSON, all shards of one catalogue in any order.
  ///   - hide: moves what a baseline knows out of the way; `nil` without a baseline.
  /// - Throws: ``MergeError`` where shards are missing, repeated, incomplete, or made by different versions or
  ///   configurations or from different lists of files.
  package init(
    _ paths: [FilePath], hide: (@Sendable (inout [CandidateReport]) -> Void)? = nil
  ) throws(MergeError) {
    var shards = try Self.read(paths)
    let first = try Self.agreement(of: shards)
    files = shards.map(\.source)
    self.paths = paths
    self.hide = hide
    profiles = (first.profiles ?? []).map { Profile(name: $0.name, title: $0.title, shapes: []) }
    widestName = shards.map(\.widestName).max() ?? 0
    rows = try Self.inOrder(shards, count: first.list?.count ?? 0)
    for index in shards.indices { shards[index].forgetRows() }
    summary = Summary()
    for shard in shards { summary.add(shard.summary) }
    compare(&shards)
    try countChanges()
  }

  private static func read(_ paths: [FilePath]) throws(MergeError) -> [ShardFile] {
    let results = Mutex<[Int: Result<ShardFile, MergeError>]>([:])
    DispatchQueue.concurrentPerform(iterations: paths.count) { index in
      let result = Result { () throws(MergeError) in try ShardFile(paths[index]) }
      results.withLock { $0[index] = result }
    }
    var shards: [ShardFile] = []
    for index in paths.indices {
      if let result = results.withLock({ $0.removeValue(forKey: index) }) {
        shards.append(try result.get())
      }
    }
    return shards
  }

  /// The summary of a run that all shards belong to.
  private static func agreement(of shards: [ShardFile]) throws(MergeError) -> Summary {
    guard let first = shards.first else {
      throw MergeError(message: "there is nothing to merge", help: "name the files of all shards")
    }
    var files: [Shard: FilePath] = [:]
    for shard in shards {
      let (one, other) = (first.summary, shard.summary)
      func differs(_ what: String, _ help: String) -> MergeError {
        MergeError(file: shard.path, message: "\(what) \(first.path.string)", help: help)
      }
      if one.version != other.version {
        throw differs(
          "version \(other.version ?? "unknown") made it, and version \(one.version ?? "unknown")",
          "check all shards with one version")
      }
      if one.configuration != other.configuration {
        throw differs(
          "another configuration, other options or another FFmpeg made it than",
          "check all shards with the same artwork.yml, options and installation")
      }
      if one.list != other.list {
        throw differs(
          "it is a part of another list of files than",
          "give all shards the same list, for example on standard input")
      }
      if shard.shard.count != first.shard.count {
        throw differs("it is shard \(shard.shard), which does not go with", "merge one division")
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
  ) throws(MergeError) -> [Row] {
    let total = shards.reduce(0) { $0 + $1.rows.count }
    guard total == count else {
      throw MergeError(
        message: "the shards have \(total) results of \(count) candidates",
        help: "check all shards again")
    }
    guard let any = shards.lazy.compactMap(\.rows.first).first else { return [] }
    let free = Row(file: -1, row: any)
    var rows = [Row](repeating: free, count: count)
    for (file, shard) in shards.enumerated() {
      for row in shard.rows {
        let place = Int(row.place)
        guard place < count, rows[place].file == free.file else {
          throw MergeError(
            file: shard.path,
            message: place < count
              ? "the result of candidate \(place) occurs twice"
              : "it has a result of candidate \(place), and there are \(count)",
            help: "check this shard again")
        }
        rows[place] = Row(file: Int32(file), row: row)
      }
    }
    // As many as there are places, each in its own: none is free.
    return rows
  }

  private mutating func compare(_ shards: inout [ShardFile]) {
    let (videos, digests) = Self.videos(of: &shards, count: rows.count)
    let found = ContentComparison(
      videos,
      areVersions: { one, other in
        guard let one = path(of: one), let other = path(of: other) else { return false }
        return one.isVersion(of: other)
      }, digest: { digests[$0] })
    (contradictions, repetitions) = (found.contradictions, found.repetitions)
  }

  /// What is compared, and the digests by place. The shards give up what they know of it, since memory is short then.
  private static func videos(
    of shards: inout [ShardFile], count: Int
  ) -> (videos: [ContentComparison.Video], digests: [ShardFile.Digest?]) {
    var artworks: [String: Int] = [:]
    var digests = [ShardFile.Digest?](repeating: nil, count: count)
    var videos: [ContentComparison.Video] = []
    for index in shards.indices {
      for content in shards[index].takeContents() {
        let artwork = artworks[content.artworkID] ?? artworks.count
        artworks[content.artworkID] = artwork
        digests[content.place] = content.digest
        videos.append(
          ContentComparison.Video(
            candidate: content.place, artwork: artwork, key: content.key, size: content.size))
      }
    }
    videos.sort { $0.candidate < $1.candidate }
    return (videos, digests)
  }

  /// Corrects the summary by the results that all shards together change.
  private mutating func countChanges() throws(MergeError) {
    let merge = self
    let changed = rows.indices.filter(isChanged)
    for start in stride(from: 0, to: changed.count, by: Self.block) {
      let places = Array(changed[start..<min(start + Self.block, changed.count)])
      let reports = try merge.values(at: places) { place throws(MergeError) in
        let old = try merge.unjudged(
          merge.bytes(at: place), at: place, without: Self.notJudged)
        return (old: old, new: merge.judged(old, at: place))
      }
      for (old, new) in reports {
        summary.replace(old, with: new)
        if new.errorIsKnown { knownErrors += 1 }
      }
    }
  }

  private func isChanged(_ place: Int) -> Bool {
    let row = rows[place].row
    return row.isJudgedAcross || contradictions[place] != nil || repetitions[place] != nil
      || hide != nil && row.isRemarked
  }

  /// With the findings of rules across releases, and without what the baseline knows.
  private func judged(_ report: CandidateReport, at place: Int) -> CandidateReport {
    var report = report
    report.findings.removeAll { Rules.acrossReleases.contains($0.rule) }
    if let artworkID = report.artworkID, let evidence = report.evidence, let key = evidence.key,
      report.inspection != nil
    {
      let video = JudgedRelease.Video(
        path: report.path, key: key, contradicts: contradictions[place].flatMap(path),
        repeats: repetitions[place].flatMap { other in
          identity(of: other).map { Release.Repetition(path: $0.path, artworkID: $0.artworkID) }
        })
      // Without what other rules of releases ask for: these have been applied.
      let release = JudgedRelease(
        artworkID: artworkID, isFromManifest: evidence.release == nil, isWhole: false, keys: [key],
        videos: [video])
      for judge in evidence.judges {
        var profile = Profile(name: judge.name, title: judge.name, shapes: [])
        profile.severities = judge.severities ?? [:]
        report.findings += Rules.judge(release, profile: profile).map(\.finding)
      }
      report.sortFindings()
    }
    if let hide {
      var reports = [report]
      hide(&reports)
      report = reports[0]
    }
    return report
  }

  // MARK: Results

  /// A result as one line of NDJSON without its evidence and the line break.
  func line(at place: Int) throws(MergeError) -> [UInt8] {
    let bytes = try bytes(at: place)
    guard isChanged(place) else {
      let cut = rows[place].row.evidence
      return Array(bytes[..<Int(cut.lowerBound)] + bytes[Int(cut.upperBound)...])
    }
    var report = judged(try unjudged(bytes, at: place), at: place)
    report.evidence = nil
    do {
      let line = Array(try JSONReport.line(report).utf8.dropLast())
      guard let new = JSONRow(line), let old = JSONRow(bytes) else { return line }
      return new.taking(["looks", "seam"], from: old)
    } catch {
      throw damaged(place, "\(error)")
    }
  }

  /// A result without its measurements, which most reports do not show.
  func brief(at place: Int) throws(MergeError) -> CandidateReport {
    try brief(at: place, without: Self.measurements)
  }

  /// What the text report of one destination shows of a result.
  func shownInText(at place: Int) throws(MergeError) -> CandidateReport {
    try brief(at: place, without: isChanged(place) ? Self.notJudged : Self.notInText)
  }

  private func brief(
    at place: Int, without omission: JSONRow.Omission
  ) throws(MergeError) -> CandidateReport {
    let report = try unjudged(bytes(at: place), at: place, without: omission)
    return isChanged(place) ? judged(report, at: place) : report
  }

  private static let measurements = JSONRow.Omission(
    names: ["looks"], inside: ["seam": ["measurement"], "evidence": ["signature"]])
  /// Measurements, and facts that results may lack: nothing that counts, or that text shows, depends on them.
  private static let notJudged = JSONRow.Omission(
    names: ["looks"],
    inside: [
      "seam": ["measurement", "missingFrames", "surprise"], "evidence": ["signature"],
      "facts": [
        "cleanAperture", "codecTag", "contentIdentifier", "editList", "frameRateRatio",
        "leadingFrameCount", "majorBrand", "maxFrameRate", "minFrameRate", "movieHeaderFirst",
        "profile", "streamIndex", "unsupported",
      ],
    ])
  private static let notInText = JSONRow.Omission(
    names: ["looks", "evidence"], inside: notJudged.inside)

  /// A result as its shard judged it. Decoding JSON takes most of the time of a merge.
  private func unjudged(
    _ bytes: [UInt8], at place: Int, without omission: JSONRow.Omission = measurements
  ) throws(MergeError) -> CandidateReport {
    do {
      return try CandidateReport(line: JSONRow(bytes)?.without(omission) ?? bytes)
    } catch {
      throw damaged(place, "\(error)")
    }
  }

  private func bytes(at place: Int) throws(MergeError) -> [UInt8] {
    let row = rows[place]
    do {
      return try files[Int(row.file)].read(at: row.row.offset, count: Int(row.row.length))
    } catch {
      throw damaged(place, "\(error)")
    }
  }

  private func damaged(_ place: Int, _ words: String) -> MergeError {
    MergeError(
      file: paths[Int(rows[place].file)],
      message: "the result of candidate \(place) cannot be read: \(words)",
      help: "check this shard again")
  }

  private func path(of place: Int) -> FilePath? { identity(of: place)?.path }

  /// Read from the file: few results are asked for it.
  private func identity(of place: Int) -> (path: FilePath, artworkID: String)? {
    guard let row = (try? bytes(at: place)).flatMap({ JSONRow($0) }), let text = row.text("path")
    else { return nil }
    let bytes = row.text("pathBytes").flatMap { [UInt8](percentEncoded: $0) }
    return (bytes.map { FilePath(bytes: $0) } ?? FilePath(text), row.text("artworkID") ?? "")
  }

  /// How many results there are.
  var count: Int { rows.count }

  /// Results that are in memory at a time.
  private static let block = 2048

  /// Makes something of each result, in order, and takes it block by block. The next block is made meanwhile.
  func forEachBlock<Value: Sendable>(
    _ make: @escaping @Sendable (Int) throws(MergeError) -> Value, _ take: ([Value]) throws -> Void
  ) throws {
    let queue = DispatchQueue(label: "artworkd.merge")
    let making = DispatchGroup()
    let made = Mutex<Result<[Value], MergeError>>(.success([]))
    func begin(at start: Int) {
      let places = Array(start..<min(start + Self.block, count))
      queue.async(group: making) {
        let result = Result { () throws(MergeError) in try values(at: places, make) }
        made.withLock { $0 = result }
      }
    }
    begin(at: 0)
    defer { making.wait() }
    for start in stride(from: 0, to: count, by: Self.block) {
      making.wait()
      let values = try made.withLock { $0 }.get()
      begin(at: min(start + Self.block, count))
      try take(values)
    }
  }

  /// Makes something of some results. The processors share the work.
  private func values<Value: Sendable>(
    at places: [Int], _ make: @Sendable (Int) throws(MergeError) -> Value
  ) throws(MergeError) -> [Value] {
    let part = 128
    let parts = Mutex<[Int: Result<[Value], MergeError>]>([:])
    DispatchQueue.concurrentPerform(iterations: (places.count + part - 1) / part) { index in
      let from = index * part
      let result = Result { () throws(MergeError) in
        var values: [Value] = []
        for place in places[from..<min(from + part, places.count)] {
          values.append(try make(place))
        }
        return values
      }
      parts.withLock { $0[index] = result }
    }
    let made = parts.withLock { $0 }
    var values: [Value] = []
    for index in made.keys.sorted() {
      if let part = try made[index]?.get() { values += part }
    }
    return values
  }
}
