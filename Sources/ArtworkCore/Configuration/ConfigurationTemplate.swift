/// The file that `artworkd init` writes: every key with an example, everything commented out.
package enum ConfigurationTemplate {
  /// Lines of prose begin with `# `. Other lines that begin with `#` are examples. They are valid when the `#` is
  /// removed: from one section or from all.
  package static let document: String = {
    var lines = [
      "# The configuration of artworkd for the files below this folder.",
      "# Remove the # in front of the lines that you need. Paths are relative to this folder.",
      "# docs/configuration.md explains every key; `artworkd init --schema` prints a JSON Schema for editors.",
    ]
    for section in sections {
      lines += ["", "# " + section.summary] + section.lines.map { "#" + $0 }
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  private static var sections: [(summary: String, lines: [String])] {
    ConfigurationKeys.all.map { key in
      (summary(of: key), examples(key.name))
    }
  }

  private static func summary(of key: ConfigurationKey) -> String {
    switch key.name {
    case "profiles":
      return key.summary + " Built in: " + Profile.all.map(\.name).joined(separator: ", ") + "."
    case "fail-on", "artwork-ids":
      guard case .word(let words) = key.shape else { return key.summary }
      return key.summary + " One of: " + words.joined(separator: ", ") + "."
    case "rules":
      let words = RuleSeverity.allCases.map(\.rawValue).joined(separator: ", ")
      return key.summary
        + "\n# These lines change nothing: {} keeps the defaults of each profile; those of now-playing are in parentheses."
        + "\n# To change a rule, write a severity (\(words)), limits, or both: {severity: error, at-most: 20 s}."
    case "limits":
      return key.summary
        + "\n# These are the defaults, but for cpu: 20s, and 120s to decode every frame."
    case "include", "exclude":
      return key.summary + " ** crosses folders, * does not."
    default: return key.summary
    }
  }

  private static func examples(_ key: String) -> [String] {
    switch key {
    case "profiles": ["profiles: [now-playing, web]"]
    case "fail-on": ["fail-on: error"]
    case "rules": ["rules:"] + Rules.catalogue.map(example)
    case "define":
      [
        "define:", "  our-store:", "    extends: apple-album-motion", "    title: Our store",
        "    shapes: [1x1, {shape: 3x4, size: 2048x2732}]",
        "    rules: {duration: {severity: error, at-most: 15 s}}",
      ]
    case "include": ["include: [\"releases/**\"]"]
    case "exclude": ["exclude: [\"**/drafts/**\", \"*.tmp.mp4\"]"]
    case "overrides":
      [
        "overrides:", "  - paths: [\"legacy/**\"]", "    profiles: [web]",
        "    rules: {loop-seam: warning}",
      ]
    case "limits":
      [
        "limits: {file-size: 4GiB, pixels: 8192x8192, duration: 10m, frames: 20000, "
          + "streams: 64, cpu: 60s, memory: 1GiB}"
      ]
    case "artwork-ids": ["artwork-ids: \(ArtworkIDSource.folderName.rawValue)"]
    case "manifest": ["manifest: releases.csv"]
    case "artworks":
      [
        "artworks:", "  - artworkID: night-drive", "    1x1: night-drive/1x1.mp4",
        "    3x4: night-drive/3x4.mp4", "    cover: night-drive/cover.jpg",
      ]
    case "baseline": ["baseline: artwork-baseline.json"]
    default: []
    }
  }

  /// A rule with its defaults. A limit that differs between profiles is named in the comment only: as a value,
  /// it would replace those of the others.
  private static func example(_ rule: any RuleDescription.Type) -> String {
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
