import Foundation
import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite struct RuleCommandTests {
  @Test("rules lists every rule, and explain knows each")
  func rules() throws {
    let listed = try BuiltTool.run(["rules"])
    #expect(listed.status == 0)
    #expect(
      listed.lines.map { $0.prefix { $0 != " " } } == Rules.catalogue.map { Substring($0.id) })
    let explained = try BuiltTool.run(["explain", "codec-tag"])
    #expect(explained.status == 0)
    for word in ["hev1", "Why", "Measured", "Fix", "ffmpeg", "Source"] {
      #expect(explained.output.contains(word), "\(word)")
    }
    #expect(!explained.output.contains("**"))
  }

  @Test("an unknown rule or profile is a usage error with a suggestion")
  func unknown() throws {
    let rule = try BuiltTool.run(["explain", "loop-seem"])
    #expect(rule.status == 64 && rule.error.contains("did you mean `loop-seam`?"))
    let profile = try BuiltTool.run(["profiles", "spotify"])
    #expect(profile.status == 64 && profile.error.contains("spotify-canvas"))
    let check = try BuiltTool.run(["check", "--profile", "now-playing,wep"])
    #expect(check.status == 64 && check.error.contains("did you mean `web`?"))
  }

  @Test("profiles lists those built in and those that a configuration defines")
  func profiles() throws {
    let folder = try TemporaryFolder()
    try Data(
      """
      define:
        our-store:
          extends: apple-album-motion
          title: Our store
          rules: {duration: {at-most: 12}, audio-track: error}
      """.utf8
    ).write(to: folder.url("artwork.yml"))
    let listed = try BuiltTool.run(["profiles"], in: folder.root)
    #expect(
      listed.lines.map { String($0.prefix { $0 != " " }) }
        == Profile.all.map(\.name) + ["our-store"])
    let told = try BuiltTool.run(["profiles", "our-store"], in: folder.root)
    for line in [
      "Our store", "1x1, exactly 3840x3840", "duration at-most: 12 s", "duration at-least: 8 s",
      "audio-track: error",
    ] {
      #expect(told.output.contains(line), "\(line)")
    }
  }
}
