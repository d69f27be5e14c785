import FoundationEssentials

/// Known findings: an old catalogue adopts the check and fails only on new ones.
package struct Baseline: Sendable, Equatable {
  /// One finding of one file, or its error.
  package struct Entry: Sendable, Hashable, Codable {
    /// The path from the baseline's folder; percent-encoded if it is not UTF-8.
    package var path: String
    /// Key of the artwork, for readers.
    package var key: String?
    /// `nil` for an error, which holds for all.
    package var profile: String?
    /// The rule's id, or the error's code.
    package var rule: String
    package var severity: Finding.Severity

    fileprivate var order: (String, String, String, String, String) {
      (path, profile ?? "", rule, severity.rawValue, key ?? "")
    }
  }

  /// Entries in the order of path, profile, rule and severity. Equal ones count as often as they occur.
  package private(set) var entries: [Entry]

  /// The entries by path: results may be compared one by one as they arrive.
  private let byPath: [String: [Entry]]

  package init(_ entries: [Entry] = []) {
    self.entries = entries.sorted { $0.order < $1.order }
    byPath = Dictionary(grouping: self.entries, by: \.path)
  }

  /// All findings of these reports, including known ones.
  ///
  /// - Parameters:
  ///   - folder: the baseline's folder, absolute.
  ///   - currentFolder: the base of the reports' relative paths.
  package init(
    _ reports: [CandidateReport], folder: FilePath, currentFolder: FilePath = .currentFolder
  ) {
    self.init(
      reports.flatMap { report in
        let path = Self.name(of: report.path, in: folder, currentFolder: currentFolder)
        var entries = (report.findings + report.known).map { finding in
          Entry(
            path: path, key: report.key?.rawValue, profile: finding.profile, rule: finding.rule,
            severity: finding.severity)
        }
        if let error = report.error {
          entries.append(
            Entry(
              path: path, key: report.key?.rawValue, rule: error.code.rawValue, severity: .error))
        }
        return entries
      })
  }

  /// Returns the baseline with the findings of these reports in place of earlier ones of the same files and destinations.
  ///
  /// - Parameters: as for ``init(_:folder:currentFolder:)``.
  package func updated(
    with reports: [CandidateReport], folder: FilePath, currentFolder: FilePath = .currentFolder
  ) -> Baseline {
    let profiles = Dictionary(
      reports.map {
        (Self.name(of: $0.path, in: folder, currentFolder: currentFolder), Set($0.profiles))
      }, uniquingKeysWith: { $0.union($1) })
    let kept = entries.filter { entry in
      guard let checked = profiles[entry.path] else { return true }
      return entry.profile.map { !checked.contains($0) } ?? false
    }
    return Baseline(
      kept + Baseline(reports, folder: folder, currentFolder: currentFolder).entries)
  }

  private static func name(
    of path: FilePath, in folder: FilePath, currentFolder: FilePath
  ) -> String {
    let relative = path.absolute(in: currentFolder).relative(to: folder)
    return relative.percentEncodedUnlessText ?? relative.string
  }

  /// Hides known findings: those with the path, profile and rule of an entry, and no worse severity. Each entry hides
  /// one.
  ///
  /// - Parameters: as for ``init(_:folder:currentFolder:)``.
  /// - Returns: entries that no longer occur, of files that were checked for the entry's profile. Those of
  ///   a file that could not be inspected may still be true.
  package func apply(
    to reports: inout [CandidateReport], folder: FilePath, currentFolder: FilePath = .currentFolder
  ) -> [Entry] {
    var seen: Set<String> = []
    var stale: [Entry] = []
    for index in reports.indices {
      let path = Self.name(of: reports[index].path, in: folder, currentFolder: currentFolder)
      guard var known = byPath[path], seen.insert(path).inserted else { continue }
      Self.hide(&reports[index], known: &known)
      let report = reports[index]
      stale += known.filter { entry in
        guard let profile = entry.profile else { return true }
        return report.error == nil && report.profiles.contains(profile)
      }
    }
    return stale.sorted { $0.order < $1.order }
  }

  private static func hide(_ report: inout CandidateReport, known: inout [Entry]) {
    var hidden: Set<Int> = []
    // The worst first, each with the mildest entry that covers it, so that none takes another's.
    let order = report.findings.indices.sorted {
      report.findings[$0].severity > report.findings[$1].severity
    }
    for place in order {
      let finding = report.findings[place]
      let fitting = known.indices.filter { index in
        let entry = known[index]
        return entry.profile == finding.profile && entry.rule == finding.rule
          && entry.severity >= finding.severity
      }
      guard let index = fitting.min(by: { known[$0].severity < known[$1].severity }) else {
        continue
      }
      known.remove(at: index)
      hidden.insert(place)
    }
    let findings = report.findings.enumerated()
    report.known += findings.filter { hidden.contains($0.offset) }.map(\.element)
    report.findings = findings.filter { !hidden.contains($0.offset) }.map(\.element)
    if let error = report.error,
      let index = known.firstIndex(where: { $0.profile == nil && $0.rule == error.code.rawValue })
    {
      known.remove(at: index)
      report.errorIsKnown = true
    }
  }
}

extension Baseline {
  private static let version = 1
  /// Bytes: some 500,000 findings.
  static let maxBytes = 64 << 20

  /// The JSON file: one finding a line, in order, so that a change of one is a change of one line.
  package var document: String {
    let lines = entries.map { entry in
      var fields: [(String, JSONText)] = [("path", .text(entry.path))]
      if let key = entry.key { fields.append(("key", .text(key))) }
      if let profile = entry.profile { fields.append(("profile", .text(profile))) }
      fields += [("rule", .text(entry.rule)), ("severity", .text(entry.severity.rawValue))]
      return "    " + JSONText.object(fields).line
    }
    let list = lines.isEmpty ? "[]" : "[\n" + lines.joined(separator: ",\n") + "\n  ]"
    return "{\n  \"version\": \(Self.version),\n  \"findings\": \(list)\n}\n"
  }

  package static func isThere(_ file: FilePath) -> Bool { file.exists }

  /// Reads a baseline.
  ///
  /// - Throws: ``ConfigurationError`` with advice.
  package static func load(_ file: FilePath) throws(ConfigurationError) -> Baseline {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try file.contents(atMost: maxBytes)
    } catch .noSuchFileOrDirectory {
      throw ConfigurationError(
        file, "no such baseline; create it with --write-baseline \(file.string)")
    } catch {
      throw ConfigurationError(file, "cannot read the baseline: \(error.description.lowercased())")
    }
    struct Head: Decodable { var version: Int }
    struct File: Decodable { var findings: [Entry] }
    do {
      let data = Data(bytes)
      let head = try JSONDecoder().decode(Head.self, from: data)
      guard head.version == version else {
        throw ConfigurationError(
          file,
          "baseline version \(head.version) is not supported, only \(version); "
            + "use the artworkd that wrote it, or remove it and recreate it with --write-baseline")
      }
      return Baseline(try JSONDecoder().decode(File.self, from: data).findings)
    } catch let error as ConfigurationError {
      throw error
    } catch {
      throw ConfigurationError(
        file, "not a baseline: \(reason(error)); remove it and recreate it with --write-baseline")
    }
  }

  private static func reason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
        .joined()
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "`\(key.stringValue)` is missing"
        + (place(context).isEmpty ? "" : " at \(place(context))")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return "\(place(context)) has the wrong type"
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      return "\(place(context)) has an unknown value"
    default: return "it is not JSON"
    }
  }
}
