/// The keys of `artwork.yml`.
enum ConfigurationKeys {
  static let all: [ConfigurationKey] = [
    ConfigurationKey(
      "profiles", "Destinations to check for; --profile overrides them.", profileList,
      note: " Built in: " + Profile.all.map(\.name).joined(separator: ", ") + ".",
      example: ["profiles: [now-playing, web]"]),
    ConfigurationKey(
      "fail-on",
      "The lowest severity that fails the run; --fail-on overrides it.",
      .word(FailureLevel.allCases.map(\.rawValue)),
      note: " One of: " + FailureLevel.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      example: ["fail-on: error"]),
    ConfigurationKey(
      "rules", "Severities and limits of rules, for every profile.", rules,
      note: """

        # These lines change nothing: {} keeps the defaults of each profile; those of now-playing are in parentheses.
        # To change a rule, write a severity (\(RuleSeverity.allCases.map(\.rawValue).joined(separator: ", "))), limits, or both: {severity: error, at-most: 20 s}.
        """,
      example: ["rules:"] + Rules.catalogue.map(ConfigurationTemplate.example)),
    ConfigurationKey(
      "define", "Profiles of your own, by name.", .named(profile, profileName),
      example: [
        "define:", "  our-store:", "    extends: apple-album-motion", "    title: Our store",
        "    shapes: [1x1, {shape: 3x4, size: 2048x2732}]",
        "    rules: {duration: {severity: error, at-most: 15 s}}",
      ]),
    ConfigurationKey(
      "include", "Check only paths that match one of these patterns.", patternList,
      note: " ** crosses folders, * does not.", example: ["include: [\"releases/**\"]"]),
    ConfigurationKey(
      "exclude", "Skip paths that match one of these patterns.", patternList,
      note: " ** crosses folders, * does not.",
      example: ["exclude: [\"**/drafts/**\", \"*.tmp.mp4\"]"]),
    ConfigurationKey(
      "overrides", "Settings for some paths; later entries win.", .list(override),
      example: [
        "overrides:", "  - paths: [\"legacy/**\"]", "    profiles: [web]",
        "    rules: {loop-seam: warning}",
      ]),
    ConfigurationKey(
      "limits", "Limits on the size and cost of one file; --limit overrides them.",
      .map(limits, noun: "limit"),
      note: "\n# These are the defaults, but for cpu: 20s, and 120s to decode every frame.",
      example: [
        "limits: {file-size: 4GiB, pixels: 8192x8192, duration: 10m, frames: 20000, "
          + "streams: 64, cpu: 60s, memory: 1GiB}"
      ]),
    ConfigurationKey(
      "artwork-ids", "Where the ID of an artwork comes from if no manifest lists it.",
      .word(ArtworkIDSource.allCases.map(\.rawValue)),
      note: " One of: " + ArtworkIDSource.allCases.map(\.rawValue).joined(separator: ", ") + ".",
      example: ["artwork-ids: \(ArtworkIDSource.folderName.rawValue)"]),
    ConfigurationKey(
      "manifest", "A CSV file with the columns artworkID, 1x1, 3x4 and cover.", path,
      example: ["manifest: releases.csv"]),
    ConfigurationKey(
      "artworks", "The same as a manifest, in this file.", .list(artwork),
      example: [
        "artworks:", "  - artworkID: night-drive", "    1x1: night-drive/1x1.mp4",
        "    3x4: night-drive/3x4.mp4", "    cover: night-drive/cover.jpg",
      ]),
    ConfigurationKey(
      "baseline",
      "A file of known findings, which do not fail the run; --baseline overrides it.",
      path, example: ["baseline: artwork-baseline.json"]),
  ]

  static let root = ValueShape.map(all, noun: "key")

  static let path = ValueFormat.text("a path", pattern: ".").shape

  private static let profileReference =
    ValueFormat.text("the name of a profile", pattern: ".").shape

  private static let profileList = ValueShape.list(profileReference)

  /// Names are separated by commas on the command line.
  private static let profileName = TextForm(
    expected: "use only letters, digits, `-`, `_` and `.`", pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$"
  ) { name in
    let isValid =
      name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
      && name.first.map { $0.isLetter || $0.isNumber } == true
    return isValid ? nil : ""
  }

  static let severity = ValueShape.word(RuleSeverity.allCases.map(\.rawValue))

  static let rules = ValueShape.map(
    Rules.catalogue.map { rule in
      let page = rule.page
      return ConfigurationKey(
        rule.id, page.title,
        .either(
          severity,
          .map(
            [ConfigurationKey("severity", "The severity of the rule's findings.", severity)]
              + rule.settings.map {
                ConfigurationKey($0.name, page.settings[$0.name] ?? "", $0.shape)
              },
            noun: "setting")))
    }, noun: "rule")

  static let aspect = ValueFormat<ArtworkShape>(
    "a shape: `1x1`, `3x4`, or width:height such as 9:16",
    pattern: "^(1x1|3x4|[0-9]+:[0-9]+)$", alternatives: [.integer]
  ) { ArtworkShape(configured: $0) }

  static let size = ValueFormat<PixelSize>(
    "a size in pixels such as 3840x3840", pattern: "^[0-9]+x[0-9]+$"
  ) { Quantity.size($0) }

  private static let profile = ValueShape.map(
    [
      ConfigurationKey(
        "extends", "The profile to start from; now-playing by default.", profileReference),
      ConfigurationKey("title", "A title for people.", ValueFormat.text("a title").shape),
      ConfigurationKey(
        "shapes", "The accepted shapes.",
        .list(
          .either(
            aspect.shape,
            .map(
              [
                ConfigurationKey("shape", "The shape.", aspect.shape, isRequired: true),
                ConfigurationKey("size", "The only accepted size.", size.shape),
              ], noun: "key")))),
      ConfigurationKey("rules", "Severities and limits of rules, for this profile.", rules),
    ], noun: "key")

  static let pattern = ValueFormat<PathPattern>(
    "a pattern such as releases/** or *.tmp.mp4", pattern: ".",
    hint: { text in
      do throws(PathPattern.Fault) {
        _ = try PathPattern(text)
        return ""
      } catch {
        return error.description
      }
    }, written: { $0.text }, read: { try? PathPattern($0) })

  private static let patternList = ValueShape.list(pattern.shape)

  private static let override = ValueShape.map(
    [
      ConfigurationKey(
        "paths", "Patterns of the paths that this applies to.", patternList, isRequired: true),
      ConfigurationKey("profiles", "Destinations to check these paths for.", profileList),
      ConfigurationKey("rules", "Severities and limits of rules, for these paths.", rules),
    ], noun: "key")

  private static let limits = Limits.settings.map {
    ConfigurationKey($0.name, $0.expected, $0.shape)
  }

  private static let artwork = ValueShape.map(
    [
      ConfigurationKey(
        "artworkID", "The ID.",
        ValueFormat.text("an ID", pattern: ".", alternatives: [.number, .boolean]).shape,
        isRequired: true)
    ]
      + ArtworkKey.allCases.map {
        ConfigurationKey($0.rawValue, "The video of this shape.", path)
      } + [ConfigurationKey("cover", "The static cover.", path)],
    noun: "key")
}

extension ArtworkShape {
  /// `1x1`, `3x4`, or width:height; `nil` for another text.
  package init?(configured text: String) {
    if let key = ArtworkKey(rawValue: text) {
      self.init(key)
      return
    }
    let sides = text.split(separator: ":", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Quantity.count(String(sides[0])),
      let height = Quantity.count(String(sides[1])), width > 0,
      let aspect = Rational(Int64(width), Int64(height))
    else { return nil }
    self.init(name: text, aspect: aspect)
  }
}
