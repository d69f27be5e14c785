@testable import ArtworkJudging
@testable import ArtworkMeasuring

@Suite struct ConfigurationTests {
  @Test func `rules hold in order: built in, extended, defined, for all, for some paths`() throws {
    let configuration = try MadeConfiguration.read(
      """
      profiles: [c, now-playing]
      define:
        c: {extends: b, rules: {duration: {at-most: 3}}}
        b: {extends: a, title: B, rules: {duration: {at-most: 2, at-least: 2}, fade: error}}
        a: {extends: spotify-canvas, rules: {duration: {at-least: 1, below: 1}, flash-free: off}}
      rules:
        fade: info
        static: error
      overrides:
        - paths: ["legacy/**"]
          rules: {fade: off, static: off, duration: {below: 9 s}}
        - paths: ["legacy/*.mp4"]
          profiles: [b]
          rules: {fade: {severity: warning}}
      """.replacingOccurrences(of: ", flash-free: off", with: ""))
    let plain = configuration.profiles(for: "a/1x1.mp4")
    #expect(plain.map(\.name) == ["c", "now-playing"])
    let c = try #require(plain.first)
    // Of Spotify's Canvas: codecs and shapes. Of b: at-least, and its severity loses. What a states of below is
    // replaced by at-most.
    #expect(c.codecs == ["h264"] && c.shapes.map(\.name) == ["9:16"])
    #expect(c.durationBelow == nil && c.durationAtLeast == 2 && c.durationAtMost == 3)
    #expect(c.severities["fade"] == .info && c.severities["static"] == .error)
    #expect(c.severities["audio-track"] == .error)
    #expect(c.title == "c")
    #expect(plain[1].severities["fade"] == .info && plain[1].durationAtMost == nil)

    let deep = configuration.profiles(for: "legacy/x/1x1.mp4")
    #expect(deep.map(\.name) == ["c", "now-playing"])
    #expect(deep[0].severities["fade"] == .off && deep[0].durationBelow == 9)
    let shallow = configuration.profiles(for: "legacy/1x1.mp4")
    #expect(shallow.map(\.title) == ["B"])
    #expect(shallow[0].severities["fade"] == .warning && shallow[0].severities["static"] == .off)

    // The command line wins over all `profiles` of the file, and over nothing else.
    let named = configuration.profiles(for: "legacy/1x1.mp4", named: ["web"])
    #expect(named.map(\.name) == ["web"] && named[0].severities["static"] == .off)
    #expect(configuration.allProfiles().map(\.name) == ["c", "now-playing", "b"])
    #expect(configuration.allProfiles(named: ["web"]).map(\.name) == ["web"])
  }

  @Test func `without a file, everything is judged for Now Playing as it is built in`() {
    let configuration = Configuration(currentFolder: "/catalogue")
    #expect(configuration.profiles(for: "a.mp4") == [.nowPlaying])
    #expect(configuration.isIncluded("a.mp4") && configuration.isIncluded("/elsewhere/a.mp4"))
    #expect(configuration.failOn == nil && configuration.baseline == nil)
  }

  @Test func `a profile is defined with shapes and limits of every kind`() throws {
    let configuration = try MadeConfiguration.read(
      """
      define:
        ours:
          shapes: [1x1, 9:16, {shape: 3x4, size: 2048x2732}]
          rules:
            aspect-ratio: {tolerance: 1 %, warning: 0.03}
            frame-rate: {at-least: 23.976, at-most: none}
            duration: {severity: error, at-least: 4 s, below: none}
      """)
    let ours = try #require(configuration.profile(named: "ours"))
    #expect(
      ours.shapes == [
        ArtworkShape(.square), ArtworkShape(name: "9:16", aspect: try #require(Rational(9, 16))),
        ArtworkShape(.tall, size: PixelSize(width: 2048, height: 2732)),
      ])
    #expect(ours.aspectTolerance == 0.01 && ours.aspectWarning == 0.03)
    #expect(ours.minFrameRate == Rational(24_000, 1001) && ours.maxFrameRate == nil)
    #expect(ours.durationAtLeast == 4 && ours.durationBelow == nil)
    #expect(ours.severities["duration"] == .error)
    // Unset limits are those of Now Playing.
    #expect(ours.smallestSide == Profile.nowPlaying.smallestSide)
    #expect(ours.sources.first?.text == "Defined in artwork.yml, on the base of `now-playing`.")
  }

  @Test func `YAML's traps are none: off, shapes as keys, minutes, nothing`() throws {
    let configuration = try MadeConfiguration.read(
      """
      profiles: web
      rules: {fade: off, static: 'off', codec: "off", duration: , truncated: ~}
      define: {ours: {shapes: 9:16}}
      include:
      artworks:
        - {artworkID: 007, 1x1: no, 3x4: 12:30:45}
      """)
    let profile = try #require(configuration.profiles(for: "a.mp4").first)
    #expect(profile.name == "web")
    for rule in ["fade", "static", "codec"] { #expect(profile.severities[rule] == .off) }
    #expect(profile.severities["duration"] == nil && profile.severities["truncated"] == nil)
    #expect(configuration.profile(named: "ours")?.shapes.map(\.name) == ["9:16"])
    #expect(configuration.isIncluded("a.mp4"))
    let artwork = try #require(configuration.manifest.entries.first)
    #expect(artwork.artworkID == "007")
    #expect(artwork.files == [.square: "/catalogue/no", .tall: "/catalogue/12:30:45"])
  }

  @Test func `anchors, aliases and merge keys work, and own keys win over merged ones`() throws {
    let configuration = try MadeConfiguration.read(
      """
      define:
        a: {rules: &strict {fade: error, static: error, duration: {at-most: 5 s}}}
        b: {rules: {<<: *strict, fade: off}}
        c: {rules: {<<: [{codec: info, fade: info}, *strict]}}
        d: {rules: *strict}
      exclude: &globs ["*.tmp.mp4", "**/x*y/**"]
      overrides:
        - {paths: *globs, profiles: [d]}
      """)
    func severities(_ name: String) -> [RuleSeverity?] {
      ["fade", "static", "codec"].map { configuration.profile(named: name)?.severities[$0] }
    }
    #expect(severities("a") == [.error, .error, nil])
    #expect(severities("b") == [.off, .error, nil])
    #expect(severities("c") == [.info, .error, .info])
    #expect(severities("d") == [.error, .error, nil])
    #expect(configuration.profile(named: "b")?.durationAtMost == 5)
    #expect(!configuration.isIncluded("a.tmp.mp4") && !configuration.isIncluded("xzy/a.mp4"))
    #expect(configuration.profiles(for: "xzy/a.mp4").map(\.name) == ["d"])
  }

  @Test func `include and exclude hold for paths below the folder, however they are named`() throws {
    let text = "include: [\"releases/**\", other.mp4]\nexclude: [\"**/drafts/**\"]\n"
    func configuration(_ currentFolder: FilePath) throws -> Configuration {
      try Configuration.parsed(text, file: "/catalogue/artwork.yml", currentFolder: currentFolder)
    }
    let above = try configuration("/catalogue")
    #expect(above.isIncluded("releases/a/1x1.mp4") && above.isIncluded("./x/../other.mp4"))
    #expect(above.isIncluded("/catalogue/releases/a.mp4"))
    #expect(!above.isIncluded("releases/drafts/a.mp4") && !above.isIncluded("songs/a.mp4"))
    #expect(!above.isIncluded("/catalogue-2/releases/a.mp4") && !above.isIncluded("../other.mp4"))
    let inside = try configuration("/catalogue/releases/a")
    #expect(inside.isIncluded("1x1.mp4") && inside.isIncluded("../../other.mp4"))
    #expect(!inside.isIncluded("drafts/1x1.mp4") && !inside.isIncluded("../../x.mp4"))
  }

  @Test func `limits, the failure level, the baseline and where IDs come from are read`() throws {
    let configuration = try MadeConfiguration.read(
      """
      fail-on: warning
      limits: {memory: 2GiB, cpu: 60s, pixels: 100x100}
      baseline: known/baseline.json
      artwork-ids: folder-path
      """)
    var limits = Limits()
    configuration.apply(to: &limits)
    #expect(limits.memoryBytes == 2 << 30 && limits.cpuSeconds == 60 && limits.pixels == 10_000)
    #expect(limits.frames == Limits().frames)
    #expect(configuration.failOn == .warning)
    #expect(configuration.baseline == "/catalogue/known/baseline.json")
    #expect(configuration.artworkID(folder: "/catalogue/a/b", own: nil) == "a/b")
    #expect(configuration.artworkID(folder: "/catalogue/a", own: "x") == "a/x")
    #expect(configuration.artworkID(folder: "/catalogue", own: nil) == "catalogue")
    let byName = try MadeConfiguration.read("profiles: [web]")
    #expect(byName.artworkID(folder: "/catalogue/a/b", own: nil) == "b")
    #expect(byName.artworkID(folder: "/catalogue/a/b", own: "x") == "x")
    #expect(try MadeConfiguration.read("artwork-ids: none").artworkID(folder: "/catalogue/a", own: "x") == nil)
  }

  @Test func `a length that is allowed at most takes the place of one that must not be reached`() throws {
    let set = try MadeConfiguration.read("rules: {duration: {at-most: 60 s}}")
    let profile = try #require(set.profiles(for: "a.mp4").first)
    #expect(profile.durationAtMost == 60 && profile.durationBelow == nil)
    let both = try MadeConfiguration.read("rules: {duration: {at-least: 2 s}}")
    #expect(both.profiles(for: "a.mp4").first?.durationBelow == 30)
  }

  @Test func `the nearest file counts, and the search ends at a repository`() throws {
    let folder = try TemporaryFolder()
    let root = folder.path("").lexicallyNormalized()
    for name in ["repository/.git", "repository/a/b/c", "repository/d"] { try folder.make(name) }
    func find(_ path: FilePath, from current: FilePath = "/elsewhere") -> FilePath? {
      Configuration.find(above: path, currentFolder: current)
    }
    try Data("fail-on: error".utf8).write(to: folder.url("artwork.yml"))
    let repository = root.appending("repository")
    #expect(find(root.appending("x.mp4")) == root.appending("artwork.yml"))
    #expect(find(repository.pushing("a/b/c")) == nil)
    try Data("fail-on: error".utf8).write(to: folder.url("repository/artwork.yaml"))
    #expect(find(repository.pushing("a/b/c/x.mp4")) == repository.appending("artwork.yaml"))
    try Data("fail-on: error".utf8).write(to: folder.url("repository/artwork.yml"))
    try Data("fail-on: error".utf8).write(to: folder.url("repository/a/b/artwork.yml"))
    #expect(find(repository.pushing("a/b/c/none.mp4")) == repository.pushing("a/b/artwork.yml"))
    #expect(find(repository.pushing("d/x.mp4")) == repository.appending("artwork.yml"))
    #expect(find("b/c/x.mp4", from: repository.appending("a")) == "b/artwork.yml")
    #expect(find(".", from: repository) == "artwork.yml")
  }
}
