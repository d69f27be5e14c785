import TestSupport

@Suite struct PreviewCommandTests {
  @Test("the preview of the command line is the inspector's")
  func samePicture() throws {
    let folder = try TemporaryFolder()
    for file in ["good-1x1.mp4", "image-anim.gif", "color-hlg.mp4"] {
      let fixture = Fixture.named(file)
      try #require(try folder.artworkd("preview \(fixture.path) -o out.png").status == 0)
      #expect(try [UInt8](folder.data("out.png")) == PNGEncoder.encode(preview(fixture)))
    }
  }
}
