import ArtworkModel

/// The file that `artworkd init` writes: every key with an example, all of it commented out.
public enum ConfigurationTemplate {
  /// Lines of prose begin with `# `. Those that begin with `#` and no single space are examples, and hold when
  /// the `#` is removed: from any of them, with the lines that they are part of, or from all.
  public static let document: String = {
    var lines = [
      "# The configuration of artworkd. It holds for the files below this folder.",
      "# Remove the # in front of what you need; paths are relative to this folder.",
      "# Every key is explained in docs/configuration.md; `artworkd init --schema` prints a schema for editors.",
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
      return key.summary + " A severity (\(words)), limits, or both."
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
        "limits: {" + LimitSetting.all.map { "\($0.name): \($0.example)" }.joined(separator: ", ")
          + "}"
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

  /// A rule with the limits that it has for Now Playing.
  private static func example(_ rule: any RuleDescription.Type) -> String {
    let values = rule.settings.map { "\($0.name): \($0.value(in: .nowPlaying))" }
    // Without limits, only the severity is left to say; a line that switches the rule off must not be uncommented
    // by accident.
    let value = values.isEmpty ? "warning" : "{" + values.joined(separator: ", ") + "}"
    return "  \(rule.id): \(value)  # \(rule.title)"
  }
}
