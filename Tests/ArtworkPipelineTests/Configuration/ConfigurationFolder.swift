@testable import ArtworkJudging

/// Reads configurations that need no file.
enum MadeConfiguration {
  static let folder: FilePath = "/catalogue"

  static func read(_ text: String) throws -> Configuration {
    try Configuration.parsed(text, file: "artwork.yml", currentFolder: folder)
  }

  /// The printed problems; empty for a valid configuration.
  static func problems(_ text: String) throws -> [String] {
    do {
      _ = try read(text)
      return []
    } catch let error as ConfigurationError { return error.problems.map(\.description) }
  }
}

/// Invalid configurations, and the expected messages.
struct BadConfiguration: Sendable, CustomStringConvertible {
  var text: String
  /// Beginnings of the problems, in order, without the name of the file.
  var problems: [String]
  /// Not what concerns several values at once or the YAML itself.
  var isSeenBySchema: Bool

  var description: String { text.debugDescription }

  init(_ text: String, _ problems: String..., isSeenBySchema: Bool = true) {
    (self.text, self.problems, self.isSeenBySchema) = (text, problems, isSeenBySchema)
  }

  static let all: [Self] = [
    .init("profile: [web]\n", "1:1: unknown key `profile`; did you mean `profiles`?"),
    .init("rules:\n  audio_trak: error\n", "2:3: unknown rule `audio_trak`; did you mean `audio-track`?"),
    .init("rules:\n  duration: {at-mots: 4 s}\n", "2:14: unknown setting `at-mots`; did you mean `at-most`?"),
    .init("limits:\n  memroy: 2GiB\n", "2:3: unknown limit `memroy`; did you mean `memory`?"),
    .init(
      "rules: {loop-seam: warn}\n",
      "1:20: `loop-seam` takes one of `off`, `info`, `warning`, `error`, not `warn`; did you mean `warning`?"),
    .init(
      "rules: {loop-seam: {severity: eror}}\n",
      "1:31: `severity` takes one of `off`, `info`, `warning`, `error`, not `eror`; did you mean `error`?"),
    .init(
      "profiles:\n  - now-playing\n  - spotify-canvs\n", "3:5: unknown profile `spotify-canvs`; did you mean `spotify-canvas`?",
      isSeenBySchema: false),
    .init(
      "fail-on: warnings\n", "1:10: `fail-on` takes one of `error`, `warning`, `never`, not `warnings`; did you mean `warning`?"
    ), .init("rules:\n  - loop-seam\n", "2:3: `rules` takes a mapping, not a list"),
    .init("include: {a: b}\n", "1:10: `include` takes a list, not a mapping"),
    .init("define: our-store\n", "1:9: `define` takes a mapping, not `our-store`"),
    .init("- now-playing\n", "1:1: `the configuration` takes a mapping, not a list"),
    .init("rules: {duration: {at-most: 4 m}}\n", "1:29: `at-most` takes a number such as 4 s, or `none`, not `4 m`"),
    .init("rules: {duration: {at-most: -4}}\n", "1:29: `at-most` takes a number such as 4 s, or `none`, not `-4`"),
    .init(
      "rules: {aspect-ratio: {tolerance: 2}}\n",
      "1:35: `tolerance` takes a share such as 0.5 % or 0.005, not `2`: a share above 1; did you mean `2 %`?",
      isSeenBySchema: false),
    .init("rules: {aspect-ratio: {tolerance: none}}\n", "1:35: `tolerance` takes a share such as 0.5 % or 0.005, not `none`"),
    .init(
      "rules: {frame-rate: {at-most: fast}}\n",
      "1:31: `at-most` takes frames a second such as 60, 23.976 or 30000/1001, or `none`, not `fast`"),
    .init(
      "limits: {memory: 1MiB}\n", "1:18: `memory` takes a size of at least 128MiB, such as 2GiB, not `1MiB`",
      isSeenBySchema: false),
    .init("limits: {cpu: 2GiB}\n", "1:15: `cpu` takes a time in whole seconds, minutes or hours, such as 60s, not `2GiB`"),
    .init(
      "define: {ours: {shapes: [square]}}\n",
      "1:26: `shapes` takes a shape: `1x1`, `3x4`, or width:height such as 9:16, not `square`"),
    .init(
      "define:\n  ours:\n    shapes: [{shape: 3x4, size: 3000x3000}]\n", "3:33: 3000x3000 does not have the aspect 3x4",
      isSeenBySchema: false), .init("define: {ours: {shapes: [{size: 30x30}]}}\n", "1:26: `shapes` lacks `shape`"),
    .init(
      "define:\n  web: {title: Ours}\n", "2:3: `web` is a built-in profile: choose another name and add `extends: web`",
      isSeenBySchema: false),
    .init("define:\n  a,b: {title: Ours}\n", "2:3: `a,b` is not a valid name: use only letters, digits, `-`, `_` and `.`"),
    .init(
      "define:\n  ours: {extends: apple-album-moton}\n",
      "2:19: unknown profile `apple-album-moton`; did you mean `apple-album-motion`?", isSeenBySchema: false),
    .init(
      "define:\n  a: {extends: b}\n  b: {extends: a}\n  c: {extends: a}\n",
      "2:16: this profile extends itself: `a` extends `b` extends `a`",
      "3:16: this profile extends itself: `b` extends `a` extends `b`", isSeenBySchema: false),
    .init(
      "exclude: [../elsewhere/**]\n",
      "1:11: `exclude` takes a pattern such as releases/** or *.tmp.mp4, not `../elsewhere/**`: a pattern is relative to the folder of the file and cannot hold `..`",
      isSeenBySchema: false),
    .init(
      "include: ['[ab.mp4']\n",
      "1:11: `include` takes a pattern such as releases/** or *.tmp.mp4, not `[ab.mp4`: `[` opens a class that no `]` closes; write `\\[` for the letter itself",
      isSeenBySchema: false), .init("overrides:\n  - profiles: [web]\n", "2:5: `overrides` lacks `paths`"),
    .init("artworks:\n  - 1x1: a.mp4\n", "2:5: `artworks` lacks `artworkID`"),
    .init("manifest: nowhere.csv\n", "1:11: no such manifest: /catalogue/nowhere.csv", isSeenBySchema: false),
    .init(
      "fail-on: error\nprofiles: [web]\nfail-on: warning\n", "3:1: `fail-on` is a duplicate of line 1", isSeenBySchema: false),
    .init(
      "rules:\n  fade: 'off'\n  fade: error\n  fade: info\nincluded: [a]\n\"limits\": {}\nlimits: {memory: 1}\n",
      "3:3: `fade` is a duplicate of line 2", "4:3: `fade` is a duplicate of line 2",
      "5:1: unknown key `included`; did you mean `include`?", "7:1: `limits` is a duplicate of line 6",
      "7:18: `memory` takes a size", isSeenBySchema: false),
    .init(
      "profiles: [nowplaying]\nfail-on: [error]\nrules:\n  codec: of\n  seam: error\n",
      "1:12: unknown profile `nowplaying`; did you mean `now-playing`?",
      "2:10: `fail-on` takes one of `error`, `warning`, `never`, not a list",
      "4:10: `codec` takes one of `off`, `info`, `warning`, `error`, not `of`; did you mean `off`?",
      "5:3: unknown rule `seam`; did you mean `loop-seam`?"),
    .init("", "1:1: the file is empty; `artworkd explain artwork.yml` prints every key", isSeenBySchema: false),
    .init("\n  \n", "1:1: the file is empty", isSeenBySchema: false),
    .init("---\n", "2:1: the document is empty", isSeenBySchema: false),
    .init(
      "fail-on: error\n---\nfail-on: never\n", "2:1: a second document begins here; only one is allowed", isSeenBySchema: false),
    .init("rules:\n\tfade: error\n", "2:1: YAML is indented with spaces, not with tabs", isSeenBySchema: false),
    .init("rules: [a, b\nlimits: {}\n", "2:7: not YAML: ", isSeenBySchema: false),
    .init("rules: *common\n", "1:8: `*common` refers to no anchor above it", isSeenBySchema: false),
    .init("? [a, b]\n: c\n", "1:3: a key is a word, not a list, a mapping or an alias", isSeenBySchema: false),
    .init("rules:\n  <<: fade\n", "2:3: `<<` takes a mapping or a list of them, not `fade`", isSeenBySchema: false),
  ]
}
