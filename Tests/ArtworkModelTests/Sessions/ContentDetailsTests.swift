import TestSupport

/// The fields of an item besides its three lines.
@Suite struct ContentDetailsTests {
  private typealias Samples = SessionSamples

  /// The signature of every PNG file, and nothing else.
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  private let full = """
    {"chapters":[{"startSeconds":0,"title":"Start"},{"startSeconds":90.5,"title":"End"}],\
    "composer":"Clara","contentRating":"TV-14","description":"Two people drive.",\
    "durationSeconds":215.5,"genre":"Lied","id":"track/1","isExplicit":false,\
    "kind":"music","mediaType":"audio",\
    "metadata":[{"identifier":"title","language":"de","value":"Nachtfahrt"},\
    {"dataType":"image/png","identifier":"artwork","language":"und","value":"\(png.base64EncodedString())"}],\
    "title":"Night Drive"}
    """

  @Test("Every field is read and written as the contract has it")
  func roundTrips() throws {
    let content = try Samples.decode(MediaContent.self, full)
    var expected = MediaContent(
      kind: .music, title: "Night Drive", id: "track/1", mediaType: .audio,
      duration: .finite(215.5), description: "Two people drive.", contentRating: "TV-14",
      composer: "Clara", genre: "Lied", isExplicit: false)
    expected.chapters = [
      Chapter(title: "Start", startSeconds: 0), Chapter(title: "End", startSeconds: 90.5),
    ]
    expected.metadata = [
      MetadataItem(.title, "Nachtfahrt", language: try #require(LanguageTag("de"))),
      MetadataItem(.artwork, .picture(try ArtworkRepresentation(data: Self.png))),
    ]
    #expect(content == expected)
    #expect(try Samples.encode(content) == full)
  }

  @Test("An earlier document contains none of it, and is written as it was")
  func oldDocuments() throws {
    let old = #"{"collection":"Roads","kind":"music","subtitle":"Band","title":"Night Drive"}"#
    let content = try Samples.decode(MediaContent.self, old)
    #expect(content == .music(songTitle: "Night Drive", artistName: "Band", albumName: "Roads"))
    #expect(try Samples.encode(content) == old)
    let short = #"{"elapsedSeconds":3,"state":"paused"}"#
    #expect(try Samples.decode(PlaybackSnapshot.self, short).duration == .unknown)
    #expect(try Samples.encode(Samples.decode(PlaybackSnapshot.self, short)) == short)
  }

  @Test(
    "A duration is finite, live or continuous, in the content and in the playback",
    arguments: [
      (#""durationSeconds":5"#, MediaDuration.finite(5)), (#""durationKind":"live""#, .live),
      (#""durationKind":"continuous""#, .continuous),
      (#""durationSeconds":5,"durationKind":"finite""#, .finite(5)),
    ])
  func durations(fields: String, expected: MediaDuration) throws {
    let content = try Samples.decode(MediaContent.self, #"{"kind":"radio","title":"t",\#(fields)}"#)
    #expect(content.duration == expected)
    #expect(try Samples.decode(MediaContent.self, Samples.encode(content)) == content)
    let playback = try Samples.decode(
      PlaybackSnapshot.self, #"{"state":"paused","elapsedSeconds":1,\#(fields)}"#)
    #expect(playback.duration == expected)
    #expect(try Samples.decode(PlaybackSnapshot.self, Samples.encode(playback)) == playback)
  }

  @Test("The duration of the content counts before that of the playback")
  func countsContentFirst() throws {
    var session = MediaSession(
      application: "a", content: .movie(title: "t", duration: .finite(10)),
      playback: PlaybackSnapshot(state: .playing(), timestamp: 0, duration: .finite(5)))
    #expect(session.timedPlayback?.position(at: 100) == 10)
    session.content?.duration = .continuous
    #expect(session.timedPlayback?.position(at: 100) == 100)
    session.content?.duration = nil
    #expect(session.timedPlayback?.position(at: 100) == 5)
    var board = SessionRegistry()
    session.content?.duration = .finite(10)
    board.publish(session, as: try Samples.id("s"))
    let shown = board.nowPlaying(at: 100) { _ in .unknown }.shown
    #expect(shown?.playback?.positionSeconds == 10 && shown?.playback?.netDurationSeconds == 10)
  }

  @Test("The chapter at a position is the last that has begun")
  func findsChapters() {
    var book = MediaContent(kind: .book, title: "t")
    #expect(book.chapter(at: 5) == nil)
    book.chapters = [
      Chapter(title: "two", startSeconds: 60), Chapter(title: "one", startSeconds: 10),
    ]
    #expect(book.chapter(at: 9) == nil)
    #expect(book.chapter(at: 10)?.chapter.title == "one" && book.chapter(at: 10)?.number == 1)
    #expect(book.chapter(at: 1000)?.chapter.title == "two" && book.chapter(at: 60)?.number == 2)
  }
}
