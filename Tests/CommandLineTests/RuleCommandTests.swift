import Foundation
import TestSupport
import Testing

@testable import ArtworkCore
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
    for word in ["hev1", "Why", "Measured", "Fix", "artworkd repair", "Source"] {
      #expect(explained.output.contains(word), "\(word)")
    }
    #expect(!explained.output.contains("**"))
  }

  @Test("explain knows seam verdicts and error codes, and everything that a word means")
  func otherWords() throws {
    let held = try BuiltTool.run(["explain", "held"])
    #expect(held.status == 0)
    #expect(
      held.output.hasPrefix("held  a seam verdict: a frame is repeated, so the loop hesitates\n"))
    #expect(held.output.contains("\nFix       Remove the duplicate frame.\n"))
    let timedOut = try BuiltTool.run(["explain", "timed-out"])
    #expect(timedOut.status == 0)
    #expect(timedOut.output.hasPrefix("timed-out  an error: the file was not judged\n"))
    #expect(timedOut.output.contains("--limit cpu="))
    for word in Glossary.words {
      #expect(Glossary.text(of: word, style: .plain, width: 80)?.hasPrefix(word) == true)
    }
    let both = try #require(Glossary.text(of: "truncated", style: .plain, width: 80))
    #expect(both.contains("\nMeasured  ") && both.contains("\n\ntruncated  an error"))
  }

  @Test(
    "explain finds what is known of a file",
    arguments: [
      (["hev1"], "codec-tag"), (["vfr"], "frame-rate-mode"), (["webm"], "container"),
      (["HDR"], "color"), (["black", "frame"], "blank-first-frame"), (["aspect"], "aspect-ratio"),
      (["black_frame"], "fade"), (["letterboxes"], "did you mean `letterbox`"),
    ])
  func otherNames(words: [String], rule: String) throws {
    let result = try BuiltTool.run(["explain"] + words)
    guard !rule.hasPrefix("did") else {
      return #expect(result.status == 64 && result.error.contains(rule), "\(result.error)")
    }
    #expect(result.status == 0)
    #expect(
      result.output.hasPrefix("\(words.joined(separator: " ")): see ")
        && result.output.contains("\n\(rule)  "))
  }

  @Test("every other name leads to words that are explained")
  func aliases() {
    for (alias, meanings) in Glossary.aliases {
      #expect(!Glossary.words.contains(alias) || alias == "static", "\(alias)")
      for word in meanings { #expect(Glossary.words.contains(word), "\(word)") }
    }
  }

  @Test("tables are drawn as text")
  func tables() throws {
    let text = try BuiltTool.run(["explain", "loop-seam"]).output
    #expect(!text.contains("|"))
    #expect(text.contains("\nverdict                           severity\n"))
    #expect(text.contains("\n`held`, `pop`                     warning\n"))
  }

  @Test(
    "an unknown command is a usage error with a suggestion",
    arguments: [
      (["chekc"], "unknown command 'chekc'; did you mean check?"),
      (["chekc", "a.mp4", "--quiet"], "unknown command 'chekc'; did you mean check?"),
      (["now-plying"], "unknown command 'now-plying'; did you mean now-playing?"),
      (["x\u{1b}[2J"], "unknown command 'x\\u{1b}[2J'; commands: check, merge, stats"),
    ])
  func unknownCommand(arguments: [String], message: String) throws {
    let result = try BuiltTool.run(arguments)
    #expect(result.status == 64 && result.output == "")
    #expect(result.error.hasPrefix("artworkd: " + message), "\(result.error)")
  }

  @Test("commands and help are not unknown", arguments: [["help"], ["help", "check"], ["rules"]])
  func knownCommand(arguments: [String]) throws {
    #expect(try BuiltTool.run(arguments).status == 0)
  }

  @Test("an unknown rule or profile is a usage error with a suggestion")
  func unknown() throws {
    let rule = try BuiltTool.run(["explain", "loop-seem"])
    #expect(rule.status == 64 && rule.error.contains("did you mean `loop-seam`?"))
    let profile = try BuiltTool.run(["profiles", "spotify"])
    #expect(profile.status == 64 && profile.error.contains("spotify-canvas"))
    let word = try BuiltTool.run(["explain", "heldd"])
    #expect(word.status == 64 && word.error.contains("did you mean `held`?"))
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
    let printed = try BuiltTool.run(["profiles", "our-store"], in: folder.root)
    for line in [
      "Our store", "1x1, exactly 3840x3840", "duration at-most: 12 s", "duration at-least: 8 s",
      "audio-track: error",
    ] {
      #expect(printed.output.contains(line), "\(line)")
    }
  }
}
