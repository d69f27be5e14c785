import SystemPackage
import Testing

@testable import ArtworkPipeline

@Suite struct ReadyCommandTests {
  @Test(
    "commands name the file, quoted, and write a new one",
    arguments: [
      (
        "a/1x1.mp4", "remux it: ffmpeg -i IN -c copy -an OUT.mp4",
        ["ffmpeg -i ./a/1x1.mp4 -c copy -an ./1x1.fixed.mp4"]
      ),
      (
        "/srv/it's $5.mov", "find a loop with `artworkd loop`, or cross-fade",
        [#"artworkd loop '/srv/it'\''s $5.mov'"#]
      ),
      ("-a.mp4", "find a loop with `artworkd loop`", ["artworkd loop ./-a.mp4"]),
      ("a.mp4", "export it at 60 fps or less", []),
    ] as [(String, String, [String])])
  func named(path: String, help: String, commands: [String]) {
    #expect(ReadyCommand.all(in: help, for: FilePath(path)) == commands)
  }

  @Test(
    "no command is offered for a name that a terminal would act on, or that is no text",
    arguments: [
      Array("a\nb.mp4".utf8), Array("a\u{1b}[201~b.mp4".utf8), Array("\u{202e}4pm".utf8),
      Array("caf".utf8) + [0xe9],
    ])
  func unsafe(name: [UInt8]) {
    #expect(ReadyCommand.all(in: "`artworkd loop`", for: FilePath(bytes: name)) == [])
  }
}
