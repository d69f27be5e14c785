import TestSupport

/// How to make a small clip that breaks one rule, with the ffmpeg program.
struct BrokenClip: Sendable, CustomTestStringConvertible {
  /// The fault.
  var what: String
  var rule: String
  var profile = "now-playing"
  var file: String
  /// Shell commands that make `file`; `ffmpeg` prints only errors. `turn` is ``Fixture/turn``.
  var make: String

  var testDescription: String { "\(rule): \(what)" }

  init(
    _ rule: String, _ what: String, for profile: String = "now-playing", file: String = "a.mp4",
    _ make: String
  ) {
    (self.rule, self.what, self.profile, self.file, self.make) = (rule, what, profile, file, make)
  }

  /// A folder with the clip, and an artwork.yml for the profile `tiny`, whose limits small clips can break.
  func made() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    if profile == "tiny" {
      try Data(Self.tiny.utf8).write(to: folder.url("artwork.yml"))
    }
    let turn = Fixture.turn.map { "'\($0)'" }.joined(separator: " ")
    let script =
      "ffmpeg() { command ffmpeg -v error -y \"$@\"; }\nturn() { \(turn) \"$@\"; }\n" + make
    let result = try run("sh", ["-e", "-c", script], in: folder.root)
    try #require(result.status == 0, "\(result.error)")
    return folder
  }

  private static let tiny = """
    profiles: [now-playing]
    rules:
      decode-cost: { at-most: 6000000 }
      file-size: { at-most: 60000 }
      bitrate: { at-most: 200000 }

    """

  /// A light that goes round once, seamlessly: input options of ffmpeg.
  static func spin(_ size: String = "96x96", rate: String = "24", frames: Int = 24) -> String {
    let x = "X-W/2-W/4*sin(2*PI*N/\(frames))"
    let y = "Y-H/2-H/4*cos(2*PI*N/\(frames))"
    let light = #"40+160*exp(-(pow(\#(x)\,2)+pow(\#(y)\,2))/(W*H/90))"#
    return "-f lavfi -i \"color=black:s=\(size):r=\(rate):d=9,trim=end_frame=\(frames),"
      + "format=gray,geq=lum='\(light)',format=yuv420p\""
  }

  static let x264 = "-c:v libx264 -preset veryfast -crf 18"
  static let x265 = "-c:v libx265 -preset ultrafast -x265-params log-level=none"
  static let sound = "-f lavfi -i sine=d=1.2"
}
