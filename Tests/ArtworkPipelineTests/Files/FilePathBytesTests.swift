@Suite struct FilePathBytesTests {
  @Test func `a path keeps its bytes`() {
    for bytes in [Array("a/é🎵".utf8), [0x61, 0xff, 0x2f, 0x0a], [0x2d, 0x69], []] as [[UInt8]] {
      #expect(FilePath(bytes: bytes).pathBytes == bytes)
    }
    #expect(FilePath(bytes: [0x61, 0, 0x62]) == "a")
    #expect(FilePath(bytes: [0x61, 0xff]).suffixed("-2").pathBytes == [0x61, 0xff, 0x2d, 0x32])
  }

  @Test func `only what is not UTF-8 is encoded`() {
    #expect(FilePath("a b/é\n%.mp4").percentEncodedUnlessText == nil)
    #expect(FilePath("").percentEncodedUnlessText == nil)
    #expect(FilePath(bytes: Array("/A z-._~09%\"".utf8) + [0xff, 0x0a]).percentEncodedUnlessText == "/A%20z-._~09%25%22%FF%0A")
    // A surrogate, an overlong slash and a cut-off sequence are not UTF-8 either.
    #expect(FilePath(bytes: [0xed, 0xa0, 0x80]).percentEncodedUnlessText == "%ED%A0%80")
    #expect(FilePath(bytes: [0xc0, 0xaf]).percentEncodedUnlessText == "%C0%AF")
    #expect(FilePath(bytes: [0xe2, 0x82]).percentEncodedUnlessText == "%E2%82")
  }
}
