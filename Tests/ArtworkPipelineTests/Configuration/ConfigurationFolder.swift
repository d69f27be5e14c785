@testable import ArtworkCore

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
    } catch let error as ConfigurationError {
      return error.problems.map(\.description)
    }
  }
}

/// Invalid configurations, and the expected messages.
struct BadConfiguration: Sendable, CustomStringConvertible {
  var description: String
  var text: String
  /// Beginnings of the problems, in order.
  var problems: [String]
  /// Whether the JSON Schema can see it: not what concerns several values at once or the YAML itself.
  var isSeenBySchema = true

  init(
    _ description: String, _ text: String, _ problems: [String], isSeenBySchema: Bool = true
  ) {
    self.description = description
    self.text = text
    self.problems = problems
    self.isSeenBySchema = isSeenBySchema
  }

  static let all: [BadConfiguration] = [
    BadConfiguration(
      "an unknown key", "profile: [web]\n",
      ["artwork.yml:1:1: unknown key `profile`; did you mean `profiles`?"]),
    BadConfiguration(
      "an unknown rule", "rules:\n  audio_trak: error\n",
      ["artwork.yml:2:3: unknown rule `audio_trak`; did you mean `audio-track`?"]),
    BadConfiguration(
      "an unknown setting", "rules:\n  duration: {at-mots: 4 s}\n",
      ["artwork.yml:2:14: unknown setting `at-mots`; did you mean `at-most`?"]),
    BadConfiguration(
      "an unknown limit", "limits:\n  memroy: 2GiB\n",
      ["artwork.yml:2:3: unknown limit `memroy`; did you mean `memory`?"]),
    BadConfiguration(
      "an unknown severity", "rules: {loop-seam: warn}\n",
      [
        "artwork.yml:1:20: `loop-seam` takes one of `off`, `info`, `warning`, `error`, not `warn`; did you mean `warning`?"
      ]),
    BadConfiguration(
      "an unknown severity in a mapping", "rules: {loop-seam: {severity: eror}}\n",
      [
        "artwork.yml:1:31: `severity` takes one of `off`, `info`, `warning`, `error`, not `eror`; did you mean `error`?"
      ]),
    BadConfiguration(
      "an unknown profile", "profiles:\n  - now-playing\n  - spotify-canvs\n",
      ["artwork.yml:3:5: unknown profile `spotify-canvs`; did you mean `spotify-canvas`?"],
      isSeenBySchema: false),
    BadConfiguration(
      "an unknown failure level", "fail-on: warnings\n",
      [
        "artwork.yml:1:10: `fail-on` takes one of `error`, `warning`, `never`, not `warnings`; did you mean `warning`?"
      ]),
    BadConfiguration(
      "a list for a mapping", "rules:\n  - loop-seam\n",
      ["artwork.yml:2:3: `rules` takes a mapping, not a list"]),
    BadConfiguration(
      "a mapping for a list", "include: {a: b}\n",
      ["artwork.yml:1:10: `include` takes a list, not a mapping"]),
    BadConfiguration(
      "a scalar for a mapping", "define: our-store\n",
      ["artwork.yml:1:9: `define` takes a mapping, not `our-store`"]),
    BadConfiguration(
      "a document that is no mapping", "- now-playing\n",
      ["artwork.yml:1:1: `the configuration` takes a mapping, not a list"]),
    BadConfiguration(
      "a unit that does not fit", "rules: {duration: {at-most: 4 m}}\n",
      ["artwork.yml:1:29: `at-most` takes a number such as 4 s, or `none`, not `4 m`"]),
    BadConfiguration(
      "a negative number", "rules: {duration: {at-most: -4}}\n",
      ["artwork.yml:1:29: `at-most` takes a number such as 4 s, or `none`, not `-4`"]),
    BadConfiguration(
      "a share without its sign", "rules: {aspect-ratio: {tolerance: 2}}\n",
      [
        "artwork.yml:1:35: `tolerance` takes a share such as 0.5 % or 0.005, not `2`: a share above 1; did you mean `2 %`?"
      ], isSeenBySchema: false),
    BadConfiguration(
      "none for what cannot be lifted", "rules: {aspect-ratio: {tolerance: none}}\n",
      ["artwork.yml:1:35: `tolerance` takes a share such as 0.5 % or 0.005, not `none`"]),
    BadConfiguration(
      "a rate that is none", "rules: {frame-rate: {at-most: fast}}\n",
      [
        "artwork.yml:1:31: `at-most` takes frames a second such as 60, 23.976 or 30000/1001, or `none`, not `fast`"
      ]),
    BadConfiguration(
      "a limit below what works", "limits: {memory: 1MiB}\n",
      ["artwork.yml:1:18: `memory` takes a size of at least 128MiB, such as 2GiB, not `1MiB`"],
      isSeenBySchema: false),
    BadConfiguration(
      "a limit with a unit that does not fit", "limits: {cpu: 2GiB}\n",
      [
        "artwork.yml:1:15: `cpu` takes a time in whole seconds, minutes or hours, such as 60s, not `2GiB`"
      ]),
    BadConfiguration(
      "a shape that is none", "define: {ours: {shapes: [square]}}\n",
      [
        "artwork.yml:1:26: `shapes` takes a shape: `1x1`, `3x4`, or width:height such as 9:16, not `square`"
      ]),
    BadConfiguration(
      "a size that has not the shape",
      "define:\n  ours:\n    shapes: [{shape: 3x4, size: 3000x3000}]\n",
      ["artwork.yml:3:33: 3000x3000 does not have the aspect 3x4"], isSeenBySchema: false),
    BadConfiguration(
      "a shape without one", "define: {ours: {shapes: [{size: 30x30}]}}\n",
      ["artwork.yml:1:26: `shapes` lacks `shape`"]),
    BadConfiguration(
      "a profile with a built-in name", "define:\n  web: {title: Ours}\n",
      [
        "artwork.yml:2:3: `web` is a built-in profile: choose another name and add `extends: web`"
      ], isSeenBySchema: false),
    BadConfiguration(
      "a profile with a comma in its name", "define:\n  a,b: {title: Ours}\n",
      [
        "artwork.yml:2:3: `a,b` is not a valid name: use only letters, digits, `-`, `_` and `.`"
      ]),
    BadConfiguration(
      "a base that is unknown", "define:\n  ours: {extends: apple-album-moton}\n",
      [
        "artwork.yml:2:19: unknown profile `apple-album-moton`; did you mean `apple-album-motion`?"
      ], isSeenBySchema: false),
    BadConfiguration(
      "a profile that extends itself",
      "define:\n  a: {extends: b}\n  b: {extends: a}\n  c: {extends: a}\n",
      [
        "artwork.yml:2:16: this profile extends itself: `a` extends `b` extends `a`",
        "artwork.yml:3:16: this profile extends itself: `b` extends `a` extends `b`",
      ], isSeenBySchema: false),
    BadConfiguration(
      "a pattern that leads out", "exclude: [../elsewhere/**]\n",
      [
        "artwork.yml:1:11: `exclude` takes a pattern such as releases/** or *.tmp.mp4, not `../elsewhere/**`: a pattern is relative to the folder of the file and cannot hold `..`"
      ], isSeenBySchema: false),
    BadConfiguration(
      "a pattern with an open class", "include: ['[ab.mp4']\n",
      [
        "artwork.yml:1:11: `include` takes a pattern such as releases/** or *.tmp.mp4, not `[ab.mp4`: `[` opens a class that no `]` closes; write `\\[` for the letter itself"
      ], isSeenBySchema: false),
    BadConfiguration(
      "an override without paths", "overrides:\n  - profiles: [web]\n",
      ["artwork.yml:2:5: `overrides` lacks `paths`"]),
    BadConfiguration(
      "an artwork without an ID", "artworks:\n  - 1x1: a.mp4\n",
      ["artwork.yml:2:5: `artworks` lacks `artworkID`"]),
    BadConfiguration(
      "a manifest that is not there", "manifest: nowhere.csv\n",
      ["artwork.yml:1:11: no such manifest: /catalogue/nowhere.csv"],
      isSeenBySchema: false),
    BadConfiguration(
      "a key twice", "fail-on: error\nprofiles: [web]\nfail-on: warning\n",
      ["artwork.yml:3:1: `fail-on` is a duplicate of line 1"], isSeenBySchema: false),
    BadConfiguration(
      "a key three times, and other mistakes",
      "rules:\n  fade: 'off'\n  fade: error\n  fade: info\nincluded: [a]\n\"limits\": {}\nlimits: {memory: 1}\n",
      [
        "artwork.yml:3:3: `fade` is a duplicate of line 2",
        "artwork.yml:4:3: `fade` is a duplicate of line 2",
        "artwork.yml:5:1: unknown key `included`; did you mean `include`?",
        "artwork.yml:7:1: `limits` is a duplicate of line 6",
        "artwork.yml:7:18: `memory` takes a size",
      ], isSeenBySchema: false),
    BadConfiguration(
      "several mistakes at once",
      "profiles: [nowplaying]\nfail-on: [error]\nrules:\n  codec: of\n  seam: error\n",
      [
        "artwork.yml:1:12: unknown profile `nowplaying`; did you mean `now-playing`?",
        "artwork.yml:2:10: `fail-on` takes one of `error`, `warning`, `never`, not a list",
        "artwork.yml:4:10: `codec` takes one of `off`, `info`, `warning`, `error`, not `of`; did you mean `off`?",
        "artwork.yml:5:3: unknown rule `seam`; did you mean `loop-seam`?",
      ]),
    BadConfiguration(
      "an empty file", "",
      ["artwork.yml:1:1: the file is empty; `artworkd explain artwork.yml` prints every key"],
      isSeenBySchema: false),
    BadConfiguration(
      "blank lines", "\n  \n", ["artwork.yml:1:1: the file is empty"], isSeenBySchema: false),
    BadConfiguration(
      "an empty document", "---\n", ["artwork.yml:2:1: the document is empty"],
      isSeenBySchema: false),
    BadConfiguration(
      "two documents", "fail-on: error\n---\nfail-on: never\n",
      ["artwork.yml:2:1: a second document begins here; only one is allowed"],
      isSeenBySchema: false),
    BadConfiguration(
      "a tab", "rules:\n\tfade: error\n",
      ["artwork.yml:2:1: YAML is indented with spaces, not with tabs"], isSeenBySchema: false),
    BadConfiguration(
      "what is not YAML", "rules: [a, b\nlimits: {}\n", ["artwork.yml:2:7: not YAML: "],
      isSeenBySchema: false),
    BadConfiguration(
      "an alias without an anchor", "rules: *common\n",
      ["artwork.yml:1:8: `*common` refers to no anchor above it"], isSeenBySchema: false),
    BadConfiguration(
      "a list as a key", "? [a, b]\n: c\n",
      ["artwork.yml:1:3: a key is a word, not a list, a mapping or an alias"],
      isSeenBySchema: false),
    BadConfiguration(
      "a merge key with a word", "rules:\n  <<: fade\n",
      ["artwork.yml:2:3: `<<` takes a mapping or a list of them, not `fade`"],
      isSeenBySchema: false),
  ]
}
