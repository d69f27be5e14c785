import TestSupport

@testable import ArtworkCompanion

@Suite struct FileURLTests {
  @Test(
    "file URLs as players write them",
    arguments: [
      ("file:///music/a.flac", "/music/a.flac"), ("file://localhost/music/a", "/music/a"),
      ("file:/music/a", "/music/a"), ("FILE:///music/a", "/music/a"),
      ("file:///music/An%20Album/01.flac", "/music/An Album/01.flac"),
      ("file:///music/An Album/01.flac", "/music/An Album/01.flac"),
      ("file:///music/100%/a", "/music/100%/a"), ("file:///music/a#b?c", "/music/a#b?c"),
      ("file:///music/../etc/passwd", "/etc/passwd"),
      ("file:///music/%2e%2e/etc/passwd", "/etc/passwd"), ("file:///../../x", "/x"),
    ])
  func paths(_ url: String, _ path: FilePath) { #expect(FileURL.path(url) == path) }

  @Test(
    "anything else is none",
    arguments: [
      "", "file:", "file://", "file:relative", "file://host/a", "file:///a%00b", "data:audio/mp3,x",
      "https://example.org/a", "/music/a", "smb://nas/a", "filed:///a",
    ])
  func others(_ url: String) { #expect(FileURL.path(url) == nil) }
}
