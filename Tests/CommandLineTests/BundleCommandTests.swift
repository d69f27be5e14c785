import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkModel

@Suite struct BundleCommandTests {
  private struct List: Decodable {
    struct File: Decodable {
      var name: String
      var shape: String?
      var bytes: Int
      var sha256: String
      var madeOf: String
      var madeBy: String
    }
    var files: [File]
  }

  @Test(
    "a square video and a cover become all files, each listed as it is, and the folder conforms; a worse video and an unreadable one are left out"
  )
  func square() throws {
    let turn = "2*PI*N/24"
    let clip = try MadeClip(
      named: "loop_1x1.mp4",
      [
        "-f", "lavfi", "-i",
        "color=black:s=96x96:r=12,format=gbrp,geq=r='X+90*exp(-(pow(X-48-20*sin(\(turn)),2)+pow(Y-48-20*cos(\(turn)),2))/150)':g='Y+60':b='90'",
        "-frames:v", "24",
      ] + MadeClip.h264 + ["-pix_fmt", "yuv420p", "-movflags", "+faststart"])
    let folder = clip.folder
    try FileManager.default.createDirectory(
      at: folder.url("album"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(
      at: folder.url(clip.name), to: folder.url("album/\(clip.name)"))
    _ = try run(
      "ffmpeg",
      ["-v", "error", "-i", "album/\(clip.name)", "-frames:v", "1", "album/albumart.jpg"],
      in: folder.root)
    // Its name comes first.
    try folder.copy(Fixture.named("rate-120.mp4"), to: "album/a_1x1.mp4")
    try folder.copy(Fixture.named("rate-120.mp4"), to: "album/more/2.mp4")
    try Data("text".utf8).write(to: folder.url("album/more/2.mp4"))
    let made = try BuiltTool.run(["bundle", "album", "-o", "out"], in: folder.root)
    #expect(made.status == 0, "\(made.error)")
    #expect(
      made.error
        == "artworkd: album/more/2.mp4: this is not a video file\n  → export the artwork as an H.264 .mp4\n"
    )
    let list = try JSONDecoder().decode(
      List.self, from: Data(contentsOf: folder.url("out/artwork.json")))
    let how = Dictionary(uniqueKeysWithValues: list.files.map { ($0.name, $0.madeBy) })
    #expect(
      how == [
        "cover.mp4": "copy", "cover_3x4.mp4": "derive", "cover.preview.png": "preview",
        "cover_3x4.preview.png": "preview", "cover.webp": "export", "cover.gif": "export",
        "cover.jpg": "copy",
      ])
    for file in list.files {
      let bytes = try Data(contentsOf: folder.url("out/\(file.name)"))
      #expect(bytes.count == file.bytes)
      let digest = try run("sha256sum", ["out/\(file.name)"], in: folder.root).output
      #expect(String(decoding: digest.prefix(64), as: UTF8.self) == file.sha256)
    }
    #expect(
      try Data(contentsOf: folder.url("out/cover.mp4"))
        == Data(contentsOf: folder.url("album/loop_1x1.mp4")))
    let conforms = try BuiltTool.run(["conform", "out"], in: folder.root)
    #expect(conforms.status == 0, "\(conforms.output)")
    let again = try BuiltTool.run(["bundle", "album", "-o", "out"], in: folder.root)
    #expect(again.status == 2 && again.error.contains("exists"))
    try FileManager.default.createDirectory(
      at: folder.url("empty"), withIntermediateDirectories: false)
    let none = try BuiltTool.run(["bundle", "empty", "-o", "none"], in: folder.root)
    #expect(none.status == 2 && none.error.contains("no video, animation or cover"))
  }

  @Test("a video with an error is left out, and the reason is reported")
  func leftOut() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("album"), withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: Fixture.named("rate-120.mp4").url, to: folder.url("album/loop_1x1.mp4"))
    _ = try run(
      "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i",
        "color=black:s=120x120,format=gbrp,geq=r='2*X':g='Y':b='128+60*sin(X/20)'", "-frames:v",
        "1", "album/cover.png",
      ], in: folder.root)
    let made = try BuiltTool.run(["bundle", "album", "-o", "out"], in: folder.root)
    #expect(made.status == 0, "\(made.error)")
    #expect(made.output.contains("! loop_1x1.mp4 is left out: frame-rate: "), "\(made.output)")
    #expect(!made.output.contains("derive of"), "nor is the tall one made of it")
  }
}
