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
  /// Whether the run came to its end: a summary is there.
  package var isComplete = false
  /// Files by verdict, by rule, and by destination and verdict. Findings that a baseline knows do not count.
  package var verdicts: [String: Int] = [:]
  package var rules: [String: RuleFiles] = [:]
  package var destinations: [String: [String: Int]] = [:]
  /// Files by seam verdict and by codec, in FFmpeg's names.
  package var seams: [String: Int] = [:]
  package var codecs: [String: Int] = [:]
  package var distributions: [Distribution] = []

  /// What is counted of a line. Results of other versions may lack any of it.
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

  /// Reads results as NDJSON. Takes memory for five numbers a result.
  ///
  /// - Throws: ``MergeError`` for a file that cannot be read, and for a line that is no result.
  package init(of file: FilePath) throws(MergeError) {
    name = file.lastComponent?.stem ?? file.string
    var values: [Distribution.Measure: [Double]] = [:]
    var number = 0
    func failure(_ message: String) -> MergeError {
      MergeError(
        file: file, message: message, help: "name NDJSON of artworkd check or artworkd merge")
    }
    do {
      var lines = ResultLines(try SourceFile(file))
      while let line = try lines.next() {
        number += 1
        guard let row = try? JSONDecoder().decode(Line.self, from: Data(line.bytes)),
          row.verdict != nil || row.summary != nil
        else {
          // A run that was stopped may leave a part of a line.
          if !line.isEnded { break }
          throw failure("line \(number) is not a result")
        }
        if row.summary != nil { isComplete = true } else { add(row, &values) }
      }
    } catch let error as MergeError {
      throw error
    } catch let error as OpenError {
      throw failure("cannot be opened: \(error.words)")
    } catch {
      throw failure("cannot be read: \(error)")
    }
    distributions = Distribution.Measure.allCases.compactMap { measure in
      Distribution(measure, values[measure] ?? [])
    }
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
