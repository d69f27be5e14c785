@Suite struct MediaSignatureTests {
  /// Without its extension every fixture that libavformat takes for one of our containers must still be
  /// found, so this and ``ContainerFormat`` agree.
  @Test func `files are known by their first bytes as libavformat knows them`() throws {
    var known = 0
    for fixture in Fixture.all {
      let header = [UInt8](try Data(contentsOf: fixture.url).prefix(MediaSignature.length))
      let format = ContainerFormat.probe(header)
      let isAllowed = format.map { ContainerFormat.allowed.contains($0) } ?? false
      let isAnimatedWebP = fixture.file.hasSuffix(".webp")
      #expect((MediaSignature(header) != nil) == (isAllowed || isAnimatedWebP), "\(fixture.file): \(format ?? "none")")
      if isAllowed { known += 1 }
    }
    #expect(known > 100)
  }

  @Test func `brands are read from the first box only`() {
    func header(_ text: String) -> [UInt8] { [0, 0, 0, 24] + Array(text.utf8) }
    #expect(MediaSignature(header("ftypheic....")) == .isoMedia(brand: "heic"))
    #expect(MediaSignature(header("moov....")) == .isoMedia(brand: nil))
    #expect(MediaSignature(header("ftyp")) == .isoMedia(brand: ""))
    #expect(MediaSignature(header("fty")) == nil)
    #expect(MediaSignature([]) == nil)
    #expect(MediaSignature(Array("#EXTM3U\n".utf8)) == nil)
  }
}
