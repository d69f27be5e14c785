/// The schema for editors, applied by Python's validator to what Python's reader of YAML makes of the files:
/// that one follows YAML 1.1, where `off` is a boolean and `9:16` a number.
@Suite struct ConfigurationSchemaTests {
  static let url = ReportSchema.url.deletingLastPathComponent().appendingPathComponent("artwork.schema.json")

  static let hasValidator = ReportSchema.hasValidator && (try? run(ReportSchema.python, ["-c", "import yaml"]).status) == 0

  static let script = """
    import json, sys, yaml
    from jsonschema import Draft202012Validator
    schema = json.load(open(sys.argv[1]))
    Draft202012Validator.check_schema(schema)
    for text in json.load(sys.stdin):
        errors = list(Draft202012Validator(schema).iter_errors(yaml.safe_load(text)))
        print(len(errors), errors[0].json_path + " " + errors[0].message[:200] if errors else "")
    """

  /// The number of violations of each text, and the first in words.
  static func violations(_ texts: [String]) throws -> [String] {
    let input = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
    let result = try run(ReportSchema.python, ["-c", script, url.path], input: input)
    try #require(result.status == 0, "\(result.error)")
    return String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func `the schema in docs is the one that the tool prints`() throws {
    let printed = try BuiltTool.run(["explain", "artwork.schema.json"])
    #expect(printed.status == 0)
    #expect(
      printed.output == String(decoding: try Data(contentsOf: Self.url), as: UTF8.self),
      "artworkd explain artwork.schema.json > docs/artwork.schema.json")
  }

  static let good = [
    "{}", "profiles: web\nrules:\ninclude: []\n", "rules: {fade: off, static: 'off', codec: {severity: off}, duration: }\n",
    """
    profiles: [now-playing, our-store]
    fail-on: warning
    rules:
      start-offset: off
      audio-track: error
      duration: {severity: error, at-least: 4 s, at-most: 20, below: none}
      frame-rate: {at-least: 23.976, at-most: 30000/1001}
      aspect-ratio: {tolerance: 0.5 %, warning: 0.02}
    define:
      our-store: &store
        extends: apple-album-motion
        title: Our store
        shapes: [1x1, 3x4, 9:16, {shape: 1x1, size: 3000x3000}, {shape: 16:9}]
        rules: {duration: {at-most: 15}}
      other: {<<: *store, title: Other}
    include: ["releases/**"]
    exclude: ["**/drafts/**", "*.tmp.mp4"]
    overrides:
      - paths: legacy/**
        profiles: web
        rules: {loop-seam: warning}
    limits: {memory: 2GiB, cpu: 60, pixels: 8192x8192}
    artwork-ids: folder-name
    artworks:
      - artworkID: night-drive
        1x1: night-drive/1x1.mp4
        cover: night-drive/cover.jpg
      - artworkID: 12
        3x4: 12/3x4.mp4
    baseline: artwork-baseline.json
    """,
  ]

  @Test(.enabled(if: hasValidator, "install python3-jsonschema and python3-yaml"))
  func `the schema takes what is right`() throws {
    let texts = Self.good + [ConfigurationTemplate.document, TemplateLines.uncommented]
    for text in texts.dropLast() { #expect(try MadeConfiguration.problems(text) == []) }
    let violations = try Self.violations(texts)
    #expect(violations.count == texts.count)
    for violation in violations { #expect(violation.hasPrefix("0 ")) }
  }

  @Test(.enabled(if: hasValidator, "install python3-jsonschema and python3-yaml"))
  func `the schema refuses each mistake that it can see`() throws {
    let bad = BadConfiguration.all.filter(\.isSeenBySchema)
    let violations = try Self.violations(bad.map(\.text))
    #expect(violations.count == bad.count)
    for (bad, violation) in zip(bad, violations) { #expect(!violation.hasPrefix("0 "), "\(bad)") }
  }
}
