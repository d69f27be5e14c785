/// The results of one shard: where each is in its file, and what connects it with others. Costs about 200 bytes a result.
struct ShardFile {
  /// A result. Numbers are small, since a merge has millions of them.
  struct Row {
    var place: Int32
    /// Of the line in the file.
    var offset: Int64
    var length: Int32
    /// Where the evidence is in the line.
    var evidence: Range<Int32>
    /// Whether it has findings, or an error, that a baseline may know.
    var isRemarked: Bool
    /// Whether it has findings of rules across releases, which all shards together decide anew.
    var isJudgedAcross: Bool
  }

  /// A SHA-256 in four parts. A vector of four would take up to twice the room, since it is aligned to its size.
  struct Digest: Hashable {
    var parts: (UInt64, UInt64, UInt64, UInt64)

    static func == (one: Digest, other: Digest) -> Bool { one.parts == other.parts }

    func hash(into hasher: inout Hasher) { hasher.combine(parts.0) }
  }

  /// A video of a release.
  struct Content {
    var place: Int
    var artworkID: String
    var key: ArtworkKey
    var size: Int64
    /// `nil` if the file could not be read.
    var digest: Digest?
  }

  let path: FilePath
  let source: SourceFile
  private(set) var rows: [Row] = []
  private(set) var contents: [Content] = []
  private(set) var summary = Summary()
  private(set) var shard = Shard.whole
  /// Of all file names, in terminal cells.
  private(set) var widestName = 0

  /// When they are known elsewhere.
  mutating func forgetRows() { rows = [] }

  mutating func takeContents() -> [Content] {
    defer { contents = [] }
    return contents
  }

  /// Reads the file once, from start to end.
  init(_ path: FilePath) throws(MergeError) {
    self.path = path
    func failure(_ message: String, _ help: String) -> MergeError {
      MergeError(file: path, message: message, help: help)
    }
    do throws(OpenError) {
      source = try SourceFile(path)
    } catch {
      throw failure("cannot be opened: \(error.words)", "check the path and the permissions")
    }
    let again = "check this shard again: artworkd check --shard I/N --resume \(path.string)"
    var lines = ResultLines(source)
    var closing: Summary?
    var number = 0
    do {
      while let line = try lines.next() {
        number += 1
        guard let row = JSONRow(line.bytes) else {
          throw line.isEnded
            ? failure(
              "line \(number) is not a JSON object",
              "make it with artworkd check --shard I/N --format ndjson --output \(path.string)")
            : failure("its last line is incomplete: the run was stopped", again)
        }
        guard closing == nil else {
          throw failure("line \(number) follows the summary", "merge each file by itself")
        }
        closing = row.has("summary") ? JSONReport.summary(line: line.bytes) : nil
        if closing == nil { try add(row, line, number) }
      }
    } catch let error as MergeError {
      throw error
    } catch {
      throw failure("cannot be read: \(error)", "check the disk, and that it is NDJSON")
    }
    guard let closing else {
      throw failure("it ends without a summary: the run was stopped", again)
    }
    guard let shard = closing.shard, closing.list != nil else {
      throw failure(
        "its summary names no shard",
        "make it with artworkd check --shard I/N --format ndjson, or --evidence for all in one")
    }
    guard closing.total == rows.count, closing.isPlausible else {
      throw failure(
        "it has \(rows.count) results, and its summary counts \(closing.total)", again)
    }
    (summary, self.shard) = (closing, shard)
  }

  /// How findings of rules across releases are written.
  private static let marks = Rules.acrossReleases.map { Array("\"rule\":\"\($0)\"".utf8) }

  private mutating func add(
    _ row: JSONRow, _ line: ResultLines.Line, _ number: Int
  ) throws(MergeError) {
    guard let path = row.text("path"), row.has("verdict"), let evidence = row.object("evidence"),
      let place = evidence.number("place").flatMap({ Int32(exactly: $0) }), place >= 0,
      let cut = row.place("evidence"), line.bytes.count <= Int32.max
    else {
      throw MergeError(
        file: self.path, message: "line \(number) is not a result with evidence",
        help: "make it with artworkd check --shard I/N, or --evidence")
    }
    let findings = row.json("findings") ?? []
    rows.append(
      Row(
        place: place, offset: line.offset, length: Int32(line.bytes.count),
        evidence: Int32(cut.lowerBound)..<Int32(cut.upperBound),
        isRemarked: findings.count > 2 || row.has("error"),
        isJudgedAcross: Self.marks.contains(where: findings.holds)))
    if let artworkID = row.text("artworkID"),
      let key = evidence.text("key").flatMap({ ArtworkKey(rawValue: $0) }),
      let size = evidence.number("bytes"), (1...Limits().fileBytes).contains(size)
    {
      contents.append(
        Content(
          place: Int(place), artworkID: artworkID, key: key, size: size,
          digest: evidence.text("digest").flatMap(Digest.init(hexadecimal:))))
    }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.index(after: $0)...] }
    widestName = max(widestName, String(name ?? path[...]).printable.cells)
  }
}

extension ShardFile.Digest {
  fileprivate init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64 else { return nil }
    func part(_ number: Int) -> UInt64? {
      UInt64(String(decoding: digits[16 * number..<16 * number + 16], as: UTF8.self), radix: 16)
    }
    guard let first = part(0), let second = part(1), let third = part(2), let fourth = part(3)
    else { return nil }
    parts = (first, second, third, fourth)
  }
}

extension ArraySlice<UInt8> {
  /// Several times faster than `firstRange(of:)`.
  fileprivate func holds(_ text: [UInt8]) -> Bool {
    guard count >= text.count, let first = text.first else { return false }
    return (startIndex...endIndex - text.count).contains { start in
      self[start] == first && self[start..<start + text.count].elementsEqual(text)
    }
  }
}

extension Summary {
  /// Whether it may count real results, so that many can be added up.
  fileprivate var isPlausible: Bool {
    let counts = [pass, warn, fail, error]
    return (0...Int(Int32.max)).contains(total)
      && counts.allSatisfy((0...total).contains) && counts.reduce(0, +) == total
      && rules.values.allSatisfy((0...Int(Int32.max)).contains) && seconds.isFinite && seconds >= 0
  }
}
