import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

/// Static covers.
@Suite struct CoverTests {
  private let fixture: StoreFixture
  private let variant: ArtworkReference
  private let cover: ArtworkReference

  init() throws {
    fixture = try StoreFixture()
    variant = try StoreFixture.reference("a")
    cover = ArtworkReference(coverOf: variant.artworkID)
  }

  /// A store with a real inspector.
  private func real() throws -> AssetStore {
    try AssetStore.open(
      AssetStore.Options(folder: fixture.root), inspector: Inspector(),
      logger: StoreFixture.quiet)
  }

  @Test func `a JPEG file becomes a cover in any size and format`() async throws {
    let store = try real()
    let jpeg = Fixture.named("cover.jpg").url.path
    let (artwork, isNew, _) = try await store.put(cover, .file(path: jpeg))
    #expect(isNew && artwork.status == .ready)
    let facts = try execute(
      "ffprobe -v error -show_entries stream=width,height -of csv=p=0 \(jpeg)"
    ).data
    let picture = try await store.preview(cover)
    #expect(
      "\(picture.size.width),\(picture.size.height)"
        == String(decoding: facts, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    let small = try await store.preview(
      cover, inside: PixelSize(width: 64, height: 64), as: [.jpeg])
    #expect(max(small.size.width, small.size.height) == 64)
    #expect(small.bytes.starts(with: [0xff, 0xd8, 0xff]))
  }

  @Test func `a cover is a picture, and a variant is a video`() async throws {
    let store = try real()
    let (jpeg, clip) = (
      Fixture.named("cover.jpg").url.path, Fixture.named("good-1x1-2s.mp4").url.path
    )
    let refused = try await store.put(cover, .file(path: clip)).artwork
    #expect(refused.status == .refused)
    #expect(refused.error?.message.contains(FileFormat.stillTitles) == true)
    #expect(try await store.put(variant, .file(path: jpeg)).artwork.status == .refused)
    // Also when the bytes are stored as the other one already.
    #expect(try await store.put(variant, .file(path: clip)).artwork.status == .ready)
    #expect(try await store.put(cover, .file(path: jpeg)).artwork.status == .ready)
    let other = try StoreFixture.reference("b")
    #expect(try await store.put(other, .file(path: jpeg)).artwork.status == .refused)
    #expect(
      try await store.put(ArtworkReference(coverOf: other.artworkID), .file(path: clip))
        .artwork.status == .refused)
    #expect(store.usage().artworks == 2)
  }

  /// Brings a clip when it may.
  private final class SlowFetcher: ArtworkFetcher {
    let mayEnd = Mutex(false)

    func check(_ url: String) throws(StoreError) {}

    func fetch(
      _ url: String, into file: FileDescriptor, byteLimit: Int64,
      isCrowded: @escaping @Sendable () -> Bool
    ) async throws(StoreError) {
      do {
        while !mayEnd.withLock(\.self) { try await Task.sleep(for: .milliseconds(5)) }
        _ = try file.writeAll(try Data(contentsOf: Fixture.named("good-1x1.mp4").url))
      } catch {
        throw StoreError(.sourceUnavailable, "\(error)")
      }
    }
  }

  @Test func `a player's own preview is shown until the first frame is there`() async throws {
    let fetcher = SlowFetcher()
    let store = try AssetStore.open(
      AssetStore.Options(folder: fixture.root), inspector: Inspector(), fetcher: fetcher,
      logger: StoreFixture.quiet)
    let own = fixture.folder.url("own.png")
    let picture = PixelImage(
      size: PixelSize(width: 40, height: 40), channels: .rgb,
      bytes: Array(repeating: 200, count: 4800))
    try Data(try PNGEncoder.encode(picture)).write(to: own)
    func put(_ reference: ArtworkReference, _ preview: String) async throws -> ArtworkStatus {
      try await store.put(reference, .url("https://a.example/1.mp4"), preview: preview)
        .artwork.status
    }
    // It must be a picture, and is ignored unless it has the shape of the key.
    let tall = ArtworkReference(variant.artworkID, .tall)
    let ignored = try await store.put(tall, .url("https://a.example/1.mp4"), preview: own.path)
      .ignored
    #expect(ignored == picture.size && store.availability(tall) == .registered(hasPreview: false))
    let text = try fixture.source("no picture", name: "a.png").text
    #expect(await refusal { try await put(variant, text) }?.code == .refused)
    for none in ["/", "/nowhere"] {
      #expect(await refusal { try await put(variant, none) }?.code == .sourceUnavailable)
    }
    #expect(store.availability(variant) == .unknown)
    #expect(try await put(variant, own.path) == .registered)
    #expect(store.availability(variant) == .registered(hasPreview: true))
    try FileManager.default.removeItem(at: own)
    let shown = try await store.preview(variant, inside: PixelSize(width: 20, height: 20))
    let small = try #require(PNGDecoder.decode(shown.bytes))
    #expect(small.size == shown.size && small.size.width == 20)
    #expect(small.bytes.allSatisfy { $0 == 200 || $0 == 255 })
    fetcher.mayEnd.withLock { $0 = true }
    _ = try await store.makeReady(variant, RenditionRequest())
    let frame = try await store.preview(variant)
    #expect(frame.size == PixelSize(width: 96, height: 96) && frame.tag != shown.tag)
    // Once the video has been there, its own preview stays.
    _ = try await store.evict(downTo: 0)
    #expect(try await store.preview(variant).bytes == frame.bytes)
  }

  @Test(arguments: [
    (#"b"zTXt", b"Comment\0\0" + big"#, true), (#"b"iCCP", b"profile\0\0" + big"#, true),
    (#"b"iTXt", b"Comment\0\1\0en\0\0" + big"#, true), (#"b"zTXt", b"Comment\0\0" + small"#, false),
    (#"b"iCCP", b"profile\0\0" + small"#, false),
    // Not compressed, so as long as it is.
    (#"b"iTXt", b"Comment\0\0\0en\0\0" + big"#, false),
  ])
  func `a cover whose texts inflate without end is refused, unread`(
    chunk: String, isRefused: Bool
  ) async throws {
    let store = try real()
    let file = fixture.folder.url("text.png")
    let script = """
      import struct, sys, zlib
      big, small = zlib.compress(b"a" * 9_000_000), zlib.compress(b"a" * 3144)
      def chunk(kind, data):
          return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
      parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", 10, 10, 8, 2, 0, 0, 0)), chunk(\(chunk)),
               chunk(b"IDAT", zlib.compress(bytes(310))), chunk(b"IEND", b"")]
      open(sys.argv[1], "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + b"".join(parts))
      """
    #expect(try execute("/usr/bin/python3 -c", [script, file.path]).status == 0)
    let artwork = try await store.put(cover, .file(path: file.path)).artwork
    #expect(artwork.status == (isRefused ? .refused : .ready), "\(artwork)")
    #expect((artwork.error?.message.contains("8 MB of compressed text") ?? false) == isRefused)
  }

  @Test func `the picture beside a video is the cover, and is read when it is asked for`()
    async throws
  {
    let store = try fixture.open()
    _ = try fixture.source("picture", name: "folder.jpg")
    _ = try await store.put(variant, fixture.source("video", name: "1x1.mp4"))
    let found = store.describe(cover)
    #expect(found?.status == .registered)
    #expect(found?.source == .file(path: fixture.folder.url("folder.jpg").path))
    #expect(fixture.inspector.inspections == 1)
    _ = try await store.preview(cover)
    #expect(fixture.inspector.inspections == 2)
    #expect(store.availability(cover) == .ready(broken: []))
    // It stands for its bytes, as every artwork does.
    #expect(
      await refusal { try await store.put(cover, fixture.source("other", name: "b.png")) }?.code
        == .conflict)
  }

  @Test func `the cover that is named counts, not the one beside the video`() async throws {
    let store = try fixture.open()
    _ = try fixture.source("picture", name: "folder.jpg")
    let named = try fixture.source("named", name: "named.png")
    _ = try await store.put(cover, named)
    _ = try await store.put(variant, fixture.source("video", name: "1x1.mp4"))
    #expect(store.describe(cover)?.source == named)
    // Named later, before the other one was inspected.
    let second = try StoreFixture.reference("b")
    let other = ArtworkReference(coverOf: second.artworkID)
    _ = try await store.put(second, fixture.source("video 2", name: "3x4.mp4"))
    #expect(store.describe(other)?.source != named)
    _ = try await store.put(other, named)
    #expect(store.describe(other)?.source == named)
  }

  @Test func `in a folder of several releases a cover has the release's name`() async throws {
    let store = try fixture.open()
    for name in ["folder.jpg", "night-cover.jpg"] { _ = try fixture.source(name, name: name) }
    _ = try await store.put(variant, fixture.source("day", name: "day_1x1.mp4"))
    #expect(store.describe(cover) == nil)
    let night = try StoreFixture.reference("night")
    _ = try await store.put(night, fixture.source("night", name: "night_1x1.mp4"))
    let found = store.describe(ArtworkReference(coverOf: night.artworkID))
    #expect(
      found?.source == .file(path: fixture.folder.url("night-cover.jpg").path))
  }

  @Test func `a cover goes with the last variant, unless a session shows it`() async throws {
    let (store, center) = try await fixture.running()
    let tall = ArtworkReference(variant.artworkID, .tall)
    _ = try await store.put(variant, fixture.source("one", name: "1x1.mp4"))
    _ = try await store.put(tall, fixture.source("two", name: "3x4.mp4"))
    _ = try await store.put(cover, fixture.source("picture", name: "a.png"))
    #expect(try await store.remove(variant))
    #expect(store.describe(cover) != nil)
    let id = try SessionSamples.id("s")
    try await center.publish(MediaSession(application: "app", cover: cover.artworkID), as: id)
    #expect(await refusal { try await store.remove(cover) }?.code == .inUse)
    #expect(try await store.remove(tall))
    #expect(store.describe(cover)?.status == .ready)
    #expect(try await center.end(id, of: "app"))
    #expect(try await store.remove(cover))
    #expect(store.usage().bytes == 0)
  }

  @Test(arguments: [false, true])
  func `a cover survives a restart`(withoutIndex: Bool) async throws {
    var size: Int64 = 0
    do {
      let store = try fixture.open()
      _ = try await store.put(cover, fixture.source("picture", name: "a.png"))
      _ = try await store.put(variant, fixture.source("video"))
      size = store.usage().bytes
    }
    if withoutIndex {
      fixture.removeIndex()
    }
    let store = try await fixture.reopened()
    #expect((store.artworks() + store.covers()).map(\.reference) == [variant, cover])
    #expect(store.usage().bytes == size)
    #expect(store.describe(cover)?.status == .ready)
    #expect(try StoreVerification(of: fixture.root).problems.isEmpty)
    let listed = try StoreListing(of: fixture.root)
    #expect((listed.artworks + listed.covers).map(\.reference.part) == ["1x1", "cover"])
  }

  @Test func `what is shown names the cover: the session's own, else that of its artwork`()
    async throws
  {
    let (store, center) = try await fixture.running()
    let id = try SessionSamples.id("s")
    var session = MediaSession(
      application: "app", artwork: [.square: variant.artworkID],
      cover: try SessionSamples.artwork("own"))
    try await center.publish(session, as: id)
    #expect(center.nowPlaying().shown?.cover == nil)
    _ = try await store.put(cover, fixture.source("picture", name: "a.png"))
    #expect(center.nowPlaying().shown?.cover == variant.artworkID)
    let own = ArtworkReference(coverOf: try SessionSamples.artwork("own"))
    _ = try await store.put(own, fixture.source("bad", name: "b.png"))
    #expect(store.describe(own)?.status == .refused)
    #expect(center.nowPlaying().shown?.cover == variant.artworkID)
    _ = try await store.put(own, fixture.source("good", name: "c.png"), prepares: false)
    #expect(center.nowPlaying().shown?.cover == own.artworkID)
    session.cover = nil
    try await center.publish(session, as: id)
    #expect(center.nowPlaying().shown?.cover == variant.artworkID)
  }
}
