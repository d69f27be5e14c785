import Fixtures
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkCore
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline

/// Covers that `Scripts/accuracy/covers.py --fixtures` made, with the colours that Chromium shows of them.
@Suite struct CoverColorsTests {
  private static let folder = Fixture.folder.deletingLastPathComponent().appending(path: "covers")
  private static let shown: [String: [[Int]]] =
    (try? JSONDecoder().decode(
      [String: [[Int]]].self, from: Data(contentsOf: folder.appending(path: "shown.json")))) ?? [:]

  /// Those that this build reads.
  private static func built(_ names: [String]) -> [String] {
    names.filter { !$0.hasSuffix(".webp") || OptionalLibrary.webP.isPresent }
  }

  @Test func `every kind of cover has its file`() { #expect(Self.shown.count == 25) }

  @Test(
    "turns and colours are those that Chromium shows", arguments: built(shown.keys.sorted()))
  func colors(name: String) throws {
    try withKnownIssue("FFmpeg 7.1 refuses a file with a cropped item, ffprobe as well") {
      try compareColors(name)
    } when: {
      FFmpegVersion.text.hasPrefix("7.") && name == "sequence-clap.avif"
    }
  }

  private func compareColors(_ name: String) throws {
    let path = FilePath(Self.folder.appending(path: name).path)
    let picture =
      if name.hasPrefix("sequence") {
        try #require(Inspector().inspect(path, preview: .original).preview)
      } else {
        try InputFile.open(path).readPicture(limits: Limits()) { $0 }
      }
    let shown = picture.opaque(over: .black).image
    #expect(shown.size == PixelSize(width: 128, height: 128))
    for (place, color) in try #require(Self.shown[name]).enumerated() {
      let pixel = ((16 + place / 4 * 32) * 128 + 16 + place % 4 * 32) * 3
      let ours = shown.bytes[pixel..<pixel + 3].map { Int($0) }
      #expect(zip(ours, color).allSatisfy { abs($0 - $1) <= 3 }, "\(place): \(ours), \(color)")
    }
  }

  @Test(
    "a cover that is cut says so, whatever its format",
    arguments: built(["p3.jpg", "p3.png", "p3.webp", "709.avif"]))
  func cut(name: String) throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: Self.folder.appending(path: name))
    try whole.prefix(whole.count * 2 / 3).write(to: folder.url(name))
    do throws(InspectionError) {
      _ = try Inspector().inspectStill(Candidate(path: folder.path(name)))
      Issue.record("it was read")
    } catch {
      #expect(error.message.contains("cut") || error.message.contains("ends early"), "\(error)")
      #expect(error.help.contains("again"))
    }
  }

  @Test func `a picture that no decoder can make is not answered with a higher limit`() throws {
    let folder = try TemporaryFolder()
    // The header of a PNG of 20000x20000 pixels.
    let bytes =
      PNGFile.signature
      + AnimatedImageTests.chunk(
        "IHDR", AnimatedImageTests.big(20000) + AnimatedImageTests.big(20000) + [8, 2, 0, 0, 0])
      + AnimatedImageTests.chunk("IDAT", AnimatedImageTests.stored([0, 0, 0, 0]))
      + AnimatedImageTests.chunk("IEND", [])
    try Data(bytes).write(to: folder.url("vast.png"))
    for pixels in [Limits().pixels, 1 << 29] {
      var limits = Limits()
      limits.pixels = pixels
      do throws(InspectionError) {
        _ = try Inspector(limits: limits).inspectStill(Candidate(path: folder.path("vast.png")))
        Issue.record("it was read")
      } catch {
        #expect(error.code == .tooLarge && !error.help.contains("--limit"), "\(error)")
      }
    }
  }

  @Test
  func
    `a cover in HDR or with a profile for printing says that its colours are not those of browsers`()
    throws
  {
    let folder = try TemporaryFolder()
    func still(_ name: String, _ change: (inout Data) -> Void) throws -> StillPicture {
      var bytes = try Data(contentsOf: Self.folder.appending(path: name))
      change(&bytes)
      try bytes.write(to: folder.url(name))
      return try Inspector().inspectStill(Candidate(path: folder.path(name)))
    }
    for name in ["cmyk.jpg", "p3.jpg", "adobe.png", "cicp-709.png", "p3-numbers.avif"] {
      #expect(try still(name) { _ in }.colorCaveat == nil, "\(name)")
    }
    // The segment of a profile after the start of the picture, with as much of its header as counts.
    let profile =
      Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 0, count: 16) + Array("CMYK".utf8)
    let segment = [0xff, 0xe2, 0, UInt8(profile.count + 2)] + profile
    let printed = try still("cmyk.jpg") { $0.insert(contentsOf: segment, at: 2) }
    #expect(printed.colorCaveat == "it is CMYK with a profile" && printed.size == "128x128")
    let wide = try still("p3-numbers.avif") { bytes in
      if let box = bytes.firstRange(of: Data("colrnclx".utf8)) { bytes[box.upperBound + 3] = 16 }
    }
    #expect(wide.colorCaveat == "it is HDR")
  }

  @Test func `PNG and JPEG come before other covers, and only they are previews`() {
    let names = FolderNames(
      ["cover.webp", "cover.png", "cover.avif", "clip.mp4", "clip.webp", "folder.avif"])
    #expect(names.cover() == "cover.png")
    #expect(names.previews(of: "clip.mp4").isEmpty)
    #expect(FolderNames(["folder.avif", "clip.mp4"]).cover() == "folder.avif")
  }
}
