/// An entry of a report about a file: its error, or findings that are the same for several profiles.
struct Remark {
  struct Advice: Equatable {
    var text: String
    var command: String?
  }

  /// The id of the rule, or the code of the error.
  var rule: String
  var severity: Finding.Severity
  var message: String
  var isError = false
  /// Whether the baseline has it.
  var isKnown = false
  /// Each with its command; for `artworkd repair`, see ``repair``.
  private(set) var advice: [Advice] = []
  /// The command that repairs the file: of the first findings only, for reports that print it once.
  fileprivate(set) var repair: FileCommand?
  /// Whether `artworkd repair` fixes it without encoding, for at least one of the profiles.
  private(set) var isRepairable = false
  /// Whether `artworkd repair --unsafe` fixes it, for at least one of the profiles.
  private(set) var canBeEncoded = false
  /// Names of the profiles, in the order of the findings; empty for an error.
  private(set) var profiles: [String] = []
  private var measurements: [(text: String, profiles: [String])] = []

  /// The measured value with the limit; several lines if the limits of profiles differ.
  var facts: [String] {
    measurements.map { text, profiles in
      measurements.count > 1 ? "\(text) for \(profiles.joined(separator: ", "))" : text
    }
  }

  /// Everything about it, for a report that is read line by line.
  var lines: [String] {
    [message] + facts + advice.flatMap { ["→ \($0.text)"] + [$0.command].compactMap(\.self) }
      + (repair?.lines ?? [])
  }

  init(_ error: InspectionError, isKnown: Bool) {
    (rule, severity, message) = (error.code.rawValue, .error, error.description)
    (isError, self.isKnown) = (true, isKnown)
    advice = [Advice(text: error.help)]
  }

  private init(_ finding: Finding, isKnown: Bool) {
    (rule, severity, message) = (finding.rule, finding.severity, finding.message)
    self.isKnown = isKnown
  }

  /// Worst first; in the order in which they were found within a severity.
  static func all(_ findings: [Finding], isKnown: Bool = false) -> [Remark] {
    var remarks: [Remark] = []
    for finding in findings {
      let place =
        remarks.firstIndex {
          $0.rule == finding.rule && $0.severity == finding.severity
            && $0.message == finding.message
        } ?? remarks.endIndex
      if place == remarks.endIndex { remarks.append(Remark(finding, isKnown: isKnown)) }
      remarks[place].add(finding)
    }
    return Finding.Severity.allCases.sorted(by: >).flatMap { severity in
      remarks.filter { $0.severity == severity }
    }
  }

  private mutating func add(_ finding: Finding) {
    let facts = finding.facts
    if let place = measurements.firstIndex(where: { $0.text == facts }) {
      measurements[place].profiles.append(finding.profile)
    } else if !facts.isEmpty {
      measurements.append((facts, [finding.profile]))
    }
    switch finding.repair {
    case .lossless, .metadata: isRepairable = true
    case .unsafe: canBeEncoded = true
    case nil: break
    }
    // Where `artworkd repair` fixes it, that is the advice.
    let help = Advice(text: finding.help, command: finding.command)
    if finding.fix != .repair, !advice.contains(help) { advice.append(help) }
    if !profiles.contains(finding.profile) { profiles.append(finding.profile) }
  }
}

extension Finding {
  /// The measured value with the limit, for people: `measured 61 fps (limit 60 fps)`. Empty if neither is known.
  package var facts: String {
    switch (measured, limit) {
    case (let measured?, let limit?): "measured \(measured) (limit \(limit))"
    case (let measured?, nil): "measured \(measured)"
    case (nil, let limit?): "limit \(limit)"
    case (nil, nil): ""
    }
  }
}

/// The command that fixes findings of a file, for reports that print it once.
struct FileCommand {
  var command: String
  /// Rules of the findings that it fixes, and of those that it leaves; each once, in their order.
  var repairs: [String] = []
  var leaves: [String] = []

  /// The command, and its effect.
  var lines: [String] { [command, effect] }

  /// The effect of the command, for example `fixes codec, color; leaves loop-seam`.
  var effect: String {
    "fixes " + repairs.joined(separator: ", ")
      + (leaves.isEmpty ? "" : "; leaves " + leaves.joined(separator: ", "))
  }
}

extension CandidateReport {
  /// Its error, then its findings: the worst first.
  var remarks: [Remark] {
    var groups = Remark.all(findings)
    if !groups.isEmpty { groups[0].repair = repair }
    return (error.map { [Remark($0, isKnown: errorIsKnown)] } ?? []) + groups
  }

  /// The findings that the baseline hides.
  var knownRemarks: [Remark] { Remark.all(known, isKnown: true) }

  /// The command that repairs the file, with its release; `nil` if it fixes nothing, and for a name that a terminal cannot
  /// show: the command would be another file's.
  var repair: FileCommand? {
    let repaired = findings.filter { $0.fix == .repair }
    guard let command = repaired.first?.command, command == command.printableLines else {
      return nil
    }
    var repair = FileCommand(command: command)
    for finding in repaired where !repair.repairs.contains(finding.rule) {
      repair.repairs.append(finding.rule)
    }
    for finding in findings
    where finding.severity > .info && !(repair.repairs + repair.leaves).contains(finding.rule) {
      repair.leaves.append(finding.rule)
    }
    return repair
  }

  /// Whether it needs attention: a warning or worse that is not in the baseline.
  var isProblem: Bool {
    switch verdict {
    case .pass: false
    case .warn, .fail: true
    case .error: !errorIsKnown || findings.contains { $0.severity > .info }
    }
  }

  /// The folder as people write it: `.` for none.
  package var folderName: String {
    let parent = path.removingLastComponent().string
    return parent.isEmpty ? "." : parent
  }

  /// The folder as a heading, for example `art/neon/`.
  var folderHeading: String { folderName == "/" ? "/" : folderName.printable + "/" }

  package var fileName: String { path.lastComponent?.string ?? path.string }
}

extension CheckReport {
  /// The number of findings that the baseline hides, in a sentence; `nil` for none.
  static func baselineSentence(_ results: [CandidateReport]) -> String? {
    let findings = results.reduce(0) { $0 + $1.known.count }
    let errors = results.count(where: \.errorIsKnown)
    let parts = [
      findings == 0 ? nil : "\(counted(findings, "known finding")) left out",
      errors == 0 ? nil : "\(counted(errors, "known error")) not counted",
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + " (baseline)"
  }
}
