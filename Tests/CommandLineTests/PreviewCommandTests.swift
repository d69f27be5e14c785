import TestSupport

@testable import ArtworkClients
@testable import ArtworkMeasuring
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline
@testable import ArtworkService

@Suite struct PreviewCommandTests {
  static func path(_ fixture: String) -> String { Fixture.named(fixture).url.path }

  /// Width and height from the PNG's header.
  static func size(of png: URL) throws -> [Int] {
    let header = [UInt8](try Data(contentsOf: png).prefix(24))
    try #require(header.starts(with: [0x89, 0x50, 0x4e, 0x47]) && header.count == 24)
    return [16, 20].map { header[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test("the preview of the command line is the inspector's")
  func samePicture() throws {
    let folder = try TemporaryFolder()
    for file in ["good-1x1.mp4", "image-anim.gif", "color-hlg.mp4"] {
      let png = folder.url("\(file).png")
      try #require(try BuiltTool.run(["preview", Self.path(file), "-o", png.path]).status == 0)
      let image = try preview(Fixture.named(file))
      #expect(try [UInt8](Data(contentsOf: png)) == PNGEncoder.encode(image))
    }
  }
}
