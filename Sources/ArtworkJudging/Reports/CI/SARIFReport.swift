import FoundationEssentials

/// Results as SARIF 2.1.0, for code scanning.
///
/// Rules have no `helpUri`: it must be absolute (3.49.12), and the documents lie beside the source.
enum SARIFReport {
  static func render(_ report: CheckReport, _ setting: ReportSetting) throws -> String {
    var run = RunBuilder(report, setting)
    for result in report.results { try run.add(result) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let document = SARIFDocument(runs: [run.finished()])
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}

private struct RunBuilder {
  private static let root = "SRCROOT"

  private let setting: ReportSetting
  /// Whether there is a baseline: then every result states whether it is new (3.27.24).
  private let hasBaseline: Bool
  private var rules: [SARIFDocument.Descriptor]
  private var places: [String: Int] = [:]
  private var results: [SARIFDocument.Result] = []
  private var notifications: [SARIFDocument.Notification] = []
  private var isSuccessful = true
  /// Results so far by file and rule.
  private var counts: [String: Int] = [:]

  init(_ report: CheckReport, _ setting: ReportSetting) {
    self.setting = setting
    hasBaseline = CheckReport.baselineSentence(report.results) != nil
    rules = Rules.catalogue.map { rule in
      let page = rule.page
      let description = page.meaning + "\n\n" + page["Why"]
      return SARIFDocument.Descriptor(
        id: rule.id, name: Self.name(rule.id), shortDescription: .init(text: page.title),
        fullDescription: .init(text: description, markdown: description),
        help: .init(text: page["Fix"], markdown: page["Fix"]))
    }
    for (index, rule) in rules.enumerated() { places[rule.id] = index }
  }

  mutating func add(_ result: CandidateReport) throws(DigestError) {
    let location = location(result.path)
    if let error = result.error {
      let index = place(error.code.rawValue, title: error.message, help: error.help)
      isSuccessful = isSuccessful && result.errorIsKnown
      notifications.append(
        SARIFDocument.Notification(
          message: .init(text: error.description), locations: [location],
          associatedRule: .init(id: error.code.rawValue, index: index)))
    }
    for remark in result.remarks + result.knownRemarks { try add(remark, at: location) }
  }

  func finished() -> SARIFDocument.Run {
    let root = setting.fileURI(setting.currentFolder)
    return SARIFDocument.Run(
      tool: .init(driver: .init(version: setting.toolVersion, rules: rules)),
      originalUriBaseIds: [Self.root: .init(uri: root.hasSuffix("/") ? root : root + "/")],
      invocations: [
        .init(executionSuccessful: isSuccessful, toolExecutionNotifications: notifications)
      ],
      results: results)
  }

  private mutating func add(
    _ remark: Remark, at location: SARIFDocument.Location
  ) throws(DigestError) {
    // The parts that do not change while the file is repaired bit by bit: neither words nor figures. If a rule has
    // several findings for a file, they are numbered.
    let key = "\(location.physicalLocation.artifactLocation.uri)\n\(remark.rule)"
    let count = counts[key, default: 0]
    counts[key] = count + 1
    let digest = try SHA256.digest(of: Array("\(key)\n\(count)".utf8)).prefix(16)
    results.append(
      SARIFDocument.Result(
        ruleId: remark.rule, ruleIndex: place(remark.rule, title: remark.rule, help: nil),
        level: remark.severity.level,
        message: .init(text: Self.lines(remark.lines.joined(separator: "\n"))),
        locations: [location],
        partialFingerprints: ["fileAndRule/v1": digest.hexadecimal],
        baselineState: hasBaseline ? (remark.isKnown ? "unchanged" : "new") : nil,
        suppressions: remark.isKnown ? [.init()] : nil,
        properties: remark.profiles.isEmpty ? nil : .init(profiles: remark.profiles)))
  }

  /// Returns the index of a rule. Errors and unknown rules are added when they first occur.
  private mutating func place(_ id: String, title: String, help: String?) -> Int {
    if let place = places[id] { return place }
    places[id] = rules.count
    rules.append(
      SARIFDocument.Descriptor(
        id: id, name: Self.name(id), shortDescription: .init(text: Self.lines(title)),
        help: help.map { .init(text: $0) }))
    return rules.count - 1
  }

  private func location(_ path: FilePath) -> SARIFDocument.Location {
    let below = setting.uriBelowCurrentFolder(path)
    return .init(
      physicalLocation: .init(
        artifactLocation: .init(
          uri: below ?? setting.fileURI(path), uriBaseId: below == nil ? nil : Self.root)))
  }

  /// `frame-rate` is `FrameRate`: names are identifiers.
  private static func name(_ id: String) -> String {
    id.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func lines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).printable }
      .joined(separator: "\n")
  }
}

extension Finding.Severity {
  fileprivate var level: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }
}
