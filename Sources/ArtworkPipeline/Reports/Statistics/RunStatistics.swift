import FoundationEssentials

/// The results of one run in numbers.
package struct RunStatistics: Sendable, Equatable, Encodable {
  /// Files by a word.
  package typealias Counts = [String: Int]

  /// The file that holds the results, without its folder and extension.
  package var name: String
  package var total = 0
  /// Summary of each file.
  package private(set) var summaries: [Summary] = []
  package var verdicts: Counts = [:]
  /// Files by severity, for each rule. A file counts once for each. Findings that a baseline knows do not count.
  package var rules: [String: Counts] = [:]
  /// Files by verdict, for each destination.
  package var destinations: [String: Counts] = [:]
  /// Files by seam verdict and by codec, in FFmpeg's names.
  package var seams: Counts = [:]
  package var codecs: Counts = [:]
  package var distributions: [Distribution] = []
  /// A file of a run that was stopped is refused.
  private let isComplete = true

  private enum CodingKeys: String, CodingKey {
    case name, total, verdicts, rules, destinations, seams, codecs, distributions, isComplete
  }

  /// The fields of a line that are counted. Results of other versions may lack any of them.
  private struct Line: Decodable {
    struct Facts: Decodable {
      var codec: String?
      var displayWidth: Double?
      var displayHeight: Double?
      var durationSeconds: Double?
      var frameRate: Double?
      var fileBytes: Double?
    }

    struct Seam: Decodable {
      var verdict: String?
      var score: Double?
    }

    var verdict: String?
    var destinations: [String: String]?
    var findings: [Finding]?
    var facts: Facts?
    var seam: Seam?
    var summary: Summary?
  }

  /// The document that `--format json` writes.
  private struct Document: Decodable {
    var results: [Line]
    var summary: Summary
  }

  /// Reads results as NDJSON, or as the document of `--format json`. Stores five numbers per result; a document is
  /// read as a whole.
  ///
  /// - Parameter files: of one run, or of the shards of one.
  /// - Throws: ``MergeError`` for a file that cannot be read or is incomplete, and for a line that is not a result.
  package init(of files: [FilePath]) throws(MergeError) {
    let names = files.map { $0.lastComponent?.stem ?? $0.string }
    name = names.count > 1 ? "\(names[0]) and \(names.count - 1) more shards" : names.first ?? ""
    var values: [Distribution.Measure: [Double]] = [:]
    for file in files { try read(file, &values) }
    distributions = Distribution.Measure.allCases.compactMap { measure in
      Distribution(measure, values[measure] ?? [])
    }
  }

  package init(of file: FilePath) throws(MergeError) { try self.init(of: [file]) }

  private mutating func read(
    _ file: FilePath, _ values: inout [Distribution.Measure: [Double]]
  ) throws(MergeError) {
    var number = 0
    func failure(_ message: String) -> MergeError {
      MergeError(
        file: file, message: message,
        help: "name results of artworkd check or artworkd merge, as ndjson or json")
    }
    var closing: Summary?
    do {
      var lines = ResultLines(try SourceFile(file))
      while let line = try lines.next() {
        number += 1
        if number == 1, line.bytes == [UInt8(ascii: "{")] {
          closing = try document(lines, failure, &values)
          break
        }
        guard let row = try? JSONDecoder().decode(Line.self, from: Data(line.bytes)),
          row.verdict != nil || row.summary != nil
        else {
          throw failure(
            line.isEnded
              ? "line \(number) is not a result"
              : "its last line is incomplete: the run was stopped, or the file is torn")
        }
        if let summary = row.summary { closing = summary } else { add(row, &values) }
      }
    } catch let error as MergeError {
      throw error
    } catch let error as OpenError {
      throw failure("cannot be opened: \(error.words)")
    } catch {
      throw failure("cannot be read: \(error)")
    }
    guard let closing else {
      throw failure("it ends without a summary: the run was stopped, or the file is torn")
    }
    summaries.append(closing)
  }

  /// The rest of an indented document, of which the first line was read.
  private mutating func document(
    _ lines: ResultLines, _ failure: (String) -> MergeError,
    _ values: inout [Distribution.Measure: [Double]]
  ) throws -> Summary {
    var (lines, bytes) = (lines, Array("{\n".utf8))
    while let line = try lines.next() { bytes += line.bytes + [UInt8(ascii: "\n")] }
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
      throw failure("it is no whole document of results")
    }
    for row in document.results { add(row, &values) }
    return document.summary
  }

  private mutating func add(_ row: Line, _ values: inout [Distribution.Measure: [Double]]) {
    total += 1
    verdicts[row.verdict ?? "", default: 0] += 1
    for (name, verdict) in row.destinations ?? [:] {
      destinations[name, default: [:]][verdict, default: 0] += 1
    }
    for (rule, findings) in Dictionary(grouping: row.findings ?? [], by: \.rule) {
      for severity in Set(findings.map(\.severity.rawValue)) {
        rules[rule, default: Self.noFiles][severity, default: 0] += 1
      }
    }
    if let facts = row.facts { codecs[facts.codec ?? "unknown", default: 0] += 1 }
    if let seam = row.seam { seams[seam.verdict ?? "unknown", default: 0] += 1 }
    let sides = [row.facts?.displayWidth, row.facts?.displayHeight].compactMap(\.self)
    let measured: [(Distribution.Measure, Double?)] = [
      (.durationSeconds, row.facts?.durationSeconds), (.frameRate, row.facts?.frameRate),
      (.shorterSide, sides.min()), (.fileBytes, row.facts?.fileBytes),
      (.seamScore, row.seam?.score),
    ]
    for case (let measure, let value?) in measured { values[measure, default: []].append(value) }
  }

  private static let noFiles = Dictionary(
    uniqueKeysWithValues: Finding.Severity.allCases.map { ($0.rawValue, 0) })

  /// Files by rule, for its warnings and errors. A file with both counts for both.
  var problems: Counts {
    rules.mapValues { $0.filter { $0.key != Finding.Severity.info.rawValue }.values.reduce(0, +) }
  }
}

extension RunStatistics.Counts {
  /// The most frequent first, without those that are zero.
  var ranked: [(name: String, count: Int)] {
    filter { $0.value > 0 }
      .sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
      .map { ($0.key, $0.value) }
  }

  /// The verdicts, in the order of reports.
  var byVerdict: [(name: String, count: Int)] {
    CandidateReport.Verdict.allCases.map { ($0.rawValue, self[$0.rawValue] ?? 0) }
  }
}
