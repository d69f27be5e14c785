import FoundationEssentials

/// The results of one run in numbers.
package struct RunStatistics: Sendable, Equatable, Encodable {
  /// How many files each severity of a rule concerns. A file counts once for each.
  package struct RuleFiles: Sendable, Equatable, Encodable {
    package var error = 0
    package var warning = 0
    package var info = 0
  }

  /// The file that holds the results, without its folder and extension.
  package var name: String
  package var total = 0
  /// Summary of each file.
  package private(set) var summaries: [Summary] = []
  /// Files by verdict, by rule, and by destination and verdict. Findings that a baseline knows do not count.
  package var verdicts: [String: Int] = [:]
  package var rules: [String: RuleFiles] = [:]
  package var destinations: [String: [String: Int]] = [:]
  /// Files by seam verdict and by codec, in FFmpeg's names.
  package var seams: [String: Int] = [:]
  package var codecs: [String: Int] = [:]
  package var distributions: [Distribution] = []

  private enum CodingKeys: String, CodingKey {
    case name, total, verdicts, rules, destinations, seams, codecs, distributions, isComplete
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(total, forKey: .total)
    // A file of a run that was stopped is refused.
    try fields.encode(true, forKey: .isComplete)
    try fields.encode(verdicts, forKey: .verdicts)
    try fields.encode(rules, forKey: .rules)
    try fields.encode(destinations, forKey: .destinations)
    try fields.encode(seams, forKey: .seams)
    try fields.encode(codecs, forKey: .codecs)
    try fields.encode(distributions, forKey: .distributions)
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
      for severity in Set(findings.map(\.severity)) {
        switch severity {
        case .error: rules[rule, default: RuleFiles()].error += 1
        case .warning: rules[rule, default: RuleFiles()].warning += 1
        case .info: rules[rule, default: RuleFiles()].info += 1
        }
      }
    }
    if let facts = row.facts {
      codecs[facts.codec ?? "unknown", default: 0] += 1
      let sides = [facts.displayWidth, facts.displayHeight].compactMap(\.self)
      for (measure, value) in [
        (Distribution.Measure.durationSeconds, facts.durationSeconds),
        (.frameRate, facts.frameRate), (.shorterSide, sides.min()), (.fileBytes, facts.fileBytes),
      ] {
        if let value { values[measure, default: []].append(value) }
      }
    }
    if let seam = row.seam {
      seams[seam.verdict ?? "unknown", default: 0] += 1
      if let score = seam.score { values[.seamScore, default: []].append(score) }
    }
  }

  /// The rules with warnings or errors, those of most files first.
  var problems: [(rule: String, files: RuleFiles)] {
    rules.filter { $0.value.error + $0.value.warning > 0 }
      .sorted { left, right in
        let (one, other) = (left.value.problems, right.value.problems)
        return one == other ? left.key < right.key : one > other
      }
      .map { ($0.key, $0.value) }
  }
}

extension RunStatistics.RuleFiles {
  /// A file with an error and a warning of one rule counts for both.
  var problems: Int { error + warning }
}
