import Fixtures
public import Foundation

/// Lets the tool check mutants several times, with different numbers of jobs, and collects what must not be.
public struct MutationRun {
  public var count: Int
  /// How often each mutant is checked.
  public var runs = 2
  public var seed: UInt64
  public var tool: URL
  /// Where mutants are kept that broke a promise, and those that ended a worker; `nil` keeps none.
  public var keep: URL?
  /// More arguments for the tool.
  public var options: [String] = []

  /// A folder whose files are mutated instead of the sample clips.
  public var folder: URL?
  /// The formats into which mutants of JSON are packed.
  public var packing: Packing?
  /// Codes that count as well as others: a renderer may crash or never end, as long as its worker holds it.
  public var tolerated: Set<String> = []

  /// Mutants checked by one process: many, because a process costs more than a file.
  public var batch = 100
  /// More than a worker may use on top of the process.
  public var peakLimit = 1 << 30

  public init(count: Int, seed: UInt64, tool: URL, keep: URL? = nil) {
    (self.count, self.seed, self.tool, self.keep) = (count, seed, tool, keep)
  }

  public struct Report: Sendable {
    public var mutants = 0
    public var sources = 0
    public var seconds = 0.0
    public var peakBytes = 0
    /// How many got which verdict or code.
    public var outcomes: [String: Int] = [:]
    /// Each a line: what was promised, and the recipe of the mutant.
    public var failures: [String] = []
  }

  /// Codes that mean that a worker met what it should have refused.
  public static let forbidden: Set = ["decoder-crashed", "timed-out", "worker-failed"]

  private struct Mutant {
    var name: String
    var recipe: String
  }

  public func run(progress: (Report) -> Void = { _ in }) throws -> Report {
    let sources = folder.map { Self.files(in: $0) { _ in true } } ?? Self.sources()
    let clock = ContinuousClock()
    let start = clock.now
    var report = Report()
    report.sources = sources.count
    for first in stride(from: 0, to: count, by: batch) {
      try check(first..<min(first + batch, count), sources, &report)
      report.seconds = (clock.now - start) / .seconds(1)
      progress(report)
    }
    return report
  }

  private func check(_ numbers: Range<Int>, _ sources: [(name: String, bytes: Bytes)], _ report: inout Report) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("artworkd-mutants-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let mutants = try write(numbers, sources, to: folder)
    let names = mutants.map(\.name)
    var answers: [String: [String: Int]] = [:]
    for number in 0..<runs {
      let found = try outcomes(names, folder, jobs: 2 + number % 2, &report)
      for name in names {
        let all = (found[name] ?? []).joined(separator: " and ")
        answers[name, default: [:]][all, default: 0] += 1
      }
    }
    report.mutants += mutants.count
    for mutant in mutants {
      let all = (answers[mutant.name] ?? [:]).sorted { $0.value > $1.value }
      let codes = all.map { $0.key.split(separator: ":").first.map(String.init) ?? "none" }
      let outcome = codes[0]
      report.outcomes[outcome, default: 0] += 1
      let problem: String? =
        if all.count != 1, tolerated.isDisjoint(with: codes) {
          "several answers: " + all.map { "\($0.value) times \($0.key)" }.joined(separator: "; ")
        } else if outcome == "none" || outcome.contains(" and ") {
          "no result, or two: \(all[0].key)"
        } else if Self.forbidden.subtracting(tolerated).contains(outcome) { outcome } else { nil }
      if let problem { report.failures.append("\(mutant.name): \(problem): \(mutant.recipe)") }
      if problem != nil || Self.forbidden.contains(outcome) { try save(mutant, from: folder) }
    }
  }

  /// Writes all mutants of the sample clips into a folder.
  public func write(to folder: URL) throws { _ = try write(0..<count, Self.sources(), to: folder) }

  private func write(_ numbers: Range<Int>, _ sources: [(name: String, bytes: Bytes)], to folder: URL) throws -> [Mutant] {
    try numbers.map { number in
      var mutator = Mutator(seed: seed, number: number)
      let (bytes, source, recipe) = mutator.mutant(of: sources, packing: packing)
      let kind = packing?.rawValue ?? source.split(separator: ".").last.map(String.init)
      let name = "\(number)." + (kind ?? "mp4")
      try Data(bytes).write(to: folder.appendingPathComponent(name))
      return Mutant(name: name, recipe: "\(source): " + recipe.joined(separator: "; "))
    }
  }

  /// The verdict, or the error with its message, of each file; more than one only when the tool is wrong.
  private func outcomes(_ names: [String], _ folder: URL, jobs: Int, _ report: inout Report) throws -> [String: [String]] {
    let limit = 30 + 2 * Double(names.count)
    let process = try MeasuredProcess.run(
      tool.path, ["check", "--no-cache", "--format", "ndjson", "--quiet", "--jobs", "\(jobs)"] + options + ["--"] + names,
      in: folder, limit: limit)
    report.peakBytes = max(report.peakBytes, process.peakBytes)
    let what = "mutants \(names.first ?? "") to \(names.last ?? "") with \(jobs) jobs"
    if ![0, 1, 2].contains(process.status) || process.timedOut {
      let ending = process.status.map { "status \($0)" } ?? "signal \(process.signal ?? 0)"
      report.failures.append("\(what): \(process.timedOut ? "no end after \(limit) s" : ending): \(process.error.suffix(2000))")
    }
    if !process.error.isEmpty { report.failures.append("\(what): words on standard error: \(process.error.suffix(2000))") }
    if process.peakBytes > peakLimit { report.failures.append("\(what): \(process.peakBytes >> 20) MiB") }
    var found: [String: [String]] = [:]
    for line in process.output.split(separator: UInt8(ascii: "\n")) {
      guard let object = try? JSONSerialization.jsonObject(with: line) as? [String: Any] else {
        report.failures.append("\(what): a line is no JSON: \(String(decoding: line, as: UTF8.self))")
        continue
      }
      guard let path = object["path"] as? String else { continue }
      let error = object["error"] as? [String: Any]
      let outcome = error.map { "\($0["code"] ?? ""): \($0["message"] ?? "")" } ?? object["verdict"] as? String ?? "none"
      found[path, default: []].append(outcome)
    }
    return found
  }

  private func save(_ mutant: Mutant, from folder: URL) throws {
    guard let keep else { return }
    try FileManager.default.createDirectory(at: keep, withIntermediateDirectories: true)
    let target = keep.appendingPathComponent("seed-\(seed)-\(mutant.name)")
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.copyItem(at: folder.appendingPathComponent(mutant.name), to: target)
    try Data((mutant.recipe + "\n").utf8).write(to: target.appendingPathExtension("recipe"))
  }

  /// What is mutated: small fixtures, small real media where they are present, and hostile files that
  /// are cheap. Sorted, so that a seed means the same everywhere the same files are.
  static func sources() -> [(name: String, bytes: Bytes)] {
    var found: [(name: String, bytes: Bytes)] = []
    let real = Fixture.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("shared/media")
    for folder in [Fixture.folder, real] { found += files(in: folder) { !$0.hasSuffix(".json") } }
    let cheap = HostileFile.all.filter { !["A1", "A4", "A6", "A11"].contains($0.row) }
    let place = URL(fileURLWithPath: "/nowhere")
    return found + cheap.map { ($0.name, Bytes($0.data(in: place))) }.filter { $0.1.count < 200_000 }
  }

  private static func files(in folder: URL, _ isMeant: (String) -> Bool) -> [(name: String, bytes: Bytes)] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.sorted().filter(isMeant).compactMap { path in
      let url = folder.appendingPathComponent(path)
      let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
      guard values?.isRegularFile == true, (17..<200_000).contains(values?.fileSize ?? 0), let data = try? Data(contentsOf: url)
      else { return nil }
      return (path, Bytes(data))
    }
  }
}
