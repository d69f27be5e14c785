import TestSupport

@testable import artworkd

/// The text of an item for people.
@Suite struct NowPlayingTextTests {
  private func text(_ content: MediaContent, _ languages: [String] = []) throws -> [String] {
    var board = SessionRegistry()
    let playback = PlaybackSnapshot(state: .playing(), elapsedSeconds: 65, timestamp: 1000)
    board.publish(
      MediaSession(application: "app", content: content, playback: playback),
      as: try SessionSamples.id("s"))
    let reader = ReaderLanguages(try languages.map { try #require(LanguageTag($0)) })
    let document = board.nowPlaying(at: 1000) { _ in .unknown }.reading(reader)
    return NowPlayingText(width: 40).render(document).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  @Test("Rating, chapter and description are shown, the description in at most four lines")
  func details() throws {
    var film = MediaContent.movie(title: "Tide", duration: .finite(600))
    film.contentRating = "PG"
    film.description = String(repeating: "Water rises and falls. ", count: 20)
    film.chapters = [
      Chapter(title: "High", startSeconds: 60), Chapter(title: "Low", startSeconds: 0),
    ]
    #expect(
      try text(film).prefix(8) == [
        "Tide", "PG", "Chapter 2 of 2: High", "playing, 1:05 of 10:00",
        "Water rises and falls. Water rises and", "falls. Water rises and falls. Water",
        "rises and falls. Water rises and falls.", "Water rises and falls. Water rises and…",
      ])
  }

  @Test func `composer, genre and what is explicit have a line`() throws {
    let song = MediaContent.music(
      songTitle: "Tide", artistName: "Band", albumName: "Sea", composer: "Ada", genre: "Jazz",
      isExplicit: true)
    #expect(
      try text(song).prefix(3) == ["Tide", "Band · Sea", "composed by Ada · Jazz · explicit"])
    let clean = MediaContent.music(
      songTitle: "Tide", artistName: "Band", albumName: "Sea", isExplicit: false)
    #expect(try text(clean)[2].contains("1:05"))
  }

  @Test("What has no end is live, and what states nothing is not")
  func endless() throws {
    #expect(try text(.radio(stationName: "FM"))[1] == "playing at 1:05")
    #expect(try text(.radio(stationName: "FM", duration: .live))[1] == "playing, live for 1:05")
    #expect(
      try text(.radio(stationName: "Rain", duration: .continuous))[1]
        == "playing for 1:05, without an end")
  }

  @Test("Texts in the reader's languages take the place of the content's own")
  func languages() throws {
    var film = MediaContent.movie(title: "Tide")
    let german = try #require(LanguageTag("de"))
    film.metadata = [
      MetadataItem(.title, "Flut", language: german),
      MetadataItem(.subtitle, "Ein Film", language: german), MetadataItem(.title, "The Tide"),
    ]
    #expect(try text(film, ["de-AT"]).prefix(2) == ["Flut", "Ein Film"])
    #expect(try text(film, ["es"]).first == "The Tide")
  }

  @Test(
    "The environment names the reader's languages as for gettext",
    arguments: [
      (["LANG": "de_AT.UTF-8"], ["de-AT"]), (["LANG": "C.UTF-8"], []), ([:], []),
      (["LANG": "de_DE", "LC_MESSAGES": "pt_BR@x", "LC_ALL": ""], ["pt-BR"]),
      (["LANG": "de_DE", "LC_ALL": "POSIX", "LANGUAGE": "fr"], []),
      (["LANG": "de_DE", "LANGUAGE": "fr_CA:fr:C:?:en"], ["fr-CA", "fr", "en"]),
    ] as [([String: String], [String])])
  func environment(_ environment: [String: String], tags: [String]) {
    #expect(Terminal.languages(environment).tags.map(\.text) == tags)
  }
}
