/// The file that `artworkd explain artwork.yml` prints: every key with an example, everything commented out.
package enum ConfigurationTemplate {
  /// Lines of prose begin with `# `. Other lines that begin with `#` are examples. They are valid when the `#` is
  /// removed: from one section or from all.
  package static let document: String = {
    var lines = [
      "# The configuration of artworkd for the files below this folder.",
      "# Remove the # in front of the lines that you need. Paths are relative to this folder.",
      "# docs/configuration.md explains every key; `artworkd explain artwork.schema.json` prints a JSON Schema for editors.",
    ]
    for key in ConfigurationKeys.all {
      lines += ["", "# " + key.summary + key.note] + key.example.map { "#" + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  /// A rule with its defaults. A limit that differs between profiles is named in the comment only: as a value,
  /// it would replace those of the others.
  static func example(_ rule: any RuleDescription.Type) -> String {
    func written(_ setting: RuleSetting) -> String {
      "\(setting.name): \(setting.value(in: .nowPlaying))"
    }
    let shared = rule.settings.filter { setting in
      Set(Profile.all.map { setting.value(in: $0) }).count == 1
    }
    let differing = rule.settings.filter { setting in
      !shared.contains { $0.name == setting.name }
    }
    var defaults = differing.map(written)
    if let severity = Profile.nowPlaying.severities[rule.id] {
      defaults.insert("severity: \(severity.rawValue)", at: 0)
    }
    let values = shared.map(written).joined(separator: ", ")
    let comment = defaults.isEmpty ? "" : " (\(defaults.joined(separator: ", ")))"
    let severities = severities(of: rule).joined(separator: " or ")
    return "  \(rule.id): {\(values)}  # \(rule.page.title); \(severities)\(comment)"
  }

  /// The severities in bold type in the rule's meaning.
  private static func severities(of rule: any RuleDescription.Type) -> [String] {
    let meaning = rule.page.meaning.lowercased()
    return Finding.Severity.allCases.reversed().map(\.rawValue)
      .filter { meaning.contains("**\($0)") }
  }
}
