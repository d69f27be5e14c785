import TestSupport

@testable import ArtworkCompanion

/// Where artwork is searched, and where it is not.
@Suite final class ArtworkLookupTests {
  private let folder: TemporaryFolder
  private var places: ArtworkLookup.Places

  init() throws {
    folder = try TemporaryFolder()
    places = ArtworkLookup.Places(
      music: [folder.path("music")], libraries: [folder.path("library")])
    try folder.make("music")
  }

  private func track(
    _ path: String?, artist: String = "Sigur Rós", album: String? = "Ágætis byrjun"
  ) -> Track {
    var metadata: [String: BusValue] = ["xesam:artist": .strings([artist])]
    metadata["xesam:album"] = album.map(BusValue.string)
    metadata["xesam:url"] = path.map {
      .string($0.contains(":") ? $0 : "file://\(folder.path($0).string)")
    }
    return Track(metadata)
  }

  private func find(_ track: Track) async -> ArtworkLookup.Answer {
    await ArtworkLookup(places).find(track)
  }

  /// Why nothing is found; `nil` if something is.
  private func reason(_ track: Track) async -> String? {
    if case .none(let reason) = await find(track) { reason } else { nil }
  }

  private func videos(_ answer: ArtworkLookup.Answer) throws -> [ArtworkKey: ArtworkLookup.Video] {
    let videos: [ArtworkKey: ArtworkLookup.Video]? =
      if case .found(let videos, _) = answer { videos } else { nil }
    return try #require(videos, "\(answer)")
  }

  /// The videos' names below the folder, and the place.
  private func found(_ answer: ArtworkLookup.Answer) throws -> ([ArtworkKey: String], String) {
    let root = folder.path("")
    let names = try videos(answer).mapValues { $0.path.shortened(from: root).string }
    guard case .found(_, let place) = answer else { return (names, "") }
    return (names, place)
  }

  @Test("a library that hangs keeps no track from the other folders")
  func hangingLibrary() async throws {
    try folder.copy("good-1x1.mp4", to: "library/Sigur Ros/Agaetis byrjun/1x1.mp4")
    let hung = folder.path("hung")
    places.libraries.insert(hung, at: 0)
    let lookup = ArtworkLookup(places)
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let waiting = Task {
      await lookup.search(hung) {
        begun.signal()
        end.wait()
        return true
      }
    }
    #expect(try await eventually { begun.wait(timeout: .now()) == .success })
    // A minute later.
    lookup.roots.withLock { $0[hung]?.busySince = .now - .seconds(60) }
    #expect(try found(await lookup.find(track(nil))).1 == "in the library")
    end.signal()
    _ = await waiting.value
    #expect(try await eventually { await lookup.search(hung) { true } == true })
  }

  @Test("beside the track, and its ID is the folder's with 12 digits of the content")
  func beside() async throws {
    try folder.copy("good-1x1.mp4", to: "music/Roads/1x1.mp4")
    try folder.copy("good-3x4.mp4", to: "music/Roads/cover_3x4.mp4")
    let answer = await find(track("music/Roads/01 Song.flac"))
    let (videos, place) = try found(answer)
    #expect(videos == [.square: "music/Roads/1x1.mp4", .tall: "music/Roads/cover_3x4.mp4"])
    #expect(place == "beside the track")
    let described = try self.videos(answer)
    let video = try #require(described[.square])
    #expect(video.artworkID.text.contains(/^Roads-[0-9a-f]{12}$/))
    // The same album, the same ID; another file, another one.
    #expect(await find(track("music/Roads/02.flac")) == answer)
    try folder.remove("music/Roads/1x1.mp4")
    try folder.copy("loop-jump.mp4", to: "music/Roads/1x1.mp4")
    let replaced = try self.videos(await find(track("music/Roads/02.flac")))
    #expect(replaced[.square]?.artworkID != video.artworkID)
    #expect(replaced[.tall] == described[.tall])
  }

  @Test(
    "names without a key are for each, where the file moves",
    arguments: [
      ("canvas.mp4", "good-1x1.mp4", true), ("cover.webp", "image-anim.webp", true),
      ("01 Song_cover.mp4", "good-1x1.mp4", true), ("cover.gif", "image-anim.gif", true),
      ("cover.jpg", "cover.jpg", false), ("02 Other_cover.mp4", "good-1x1.mp4", false),
      ("cover-animated.mp4", "good-1x1.mp4", true),
      ("vertical-background.webm", "codec-vp9.webm", true),
      ("vertical-background-01 Song.mp4", "good-1x1.mp4", true),
    ])
  func unkeyed(name: String, fixture: String, isFound: Bool) async throws {
    try folder.copy(fixture, to: "music/Roads/\(name)")
    let track = track("music/Roads/01 Song.flac")
    guard isFound else {
      #expect(await reason(track) != nil)
      return
    }
    let (videos, _) = try found(await find(track))
    #expect(videos == [.square: "music/Roads/\(name)", .tall: "music/Roads/\(name)"])
    // A name with a key takes precedence.
    try folder.copy("good-1x1.mp4", to: "music/Roads/1x1.mp4")
    #expect(
      try found(await find(track)).0 == [.square: "music/Roads/1x1.mp4"])
  }

  @Test(
    "a picture that the player sends is kept as a file, and one that is no picture is refused in words"
  )
  func sentCovers() async throws {
    places.sent = folder.path("sent")
    try folder.make("sent")
    let lookup = ArtworkLookup(places)
    func cover(_ art: String) async -> (cover: ArtworkLookup.Cover?, refusal: String?) {
      var track = track("music/Roads/01 Song.flac")
      track.pictureURL = art
      return await lookup.cover(of: track, with: .none(reason: ""))
    }
    let picture = try Data(contentsOf: Fixture.named("cover.jpg").url)
    let url = "data:image/jpeg;base64,\(picture.base64EncodedString())"
    let sent = try #require(await cover(url).cover)
    #expect(try Data(contentsOf: URL(filePath: sent.path.string)) == picture)
    let digest = try run("sha256sum", [Fixture.named("cover.jpg").url.path]).output.prefix(12)
    #expect(sent.artworkID.text == "cover-" + String(decoding: digest, as: UTF8.self))
    #expect(await cover(url.replacing("+", with: "%2B")).cover == sent)
    for other in [
      "data:image/png;base64,AAAA", "data:image/jpeg,\(picture.base64EncodedString())", "data:",
      "data:,",
      url.replacing("data:image/jpeg;base64,/9j", with: "data:image/jpeg;base64,***"),
      "data:image/jpeg;base64,/9j/" + String(repeating: "A", count: 45 << 20),
    ] {
      let (none, refusal) = await cover(other)
      #expect(
        none == nil && refusal?.contains("no PNG, JPEG, WebP or AVIF") == true,
        "\(other.prefix(40))")
    }
    #expect(await cover("https://example.org/a.jpg").refusal == "it is no local file")
    // The oldest of many goes.
    for number in 0..<64 {
      let other = picture + Data("\(number)".utf8)
      _ = await cover("data:;base64,\(other.base64EncodedString())")
    }
    #expect(!sent.path.exists)
    #expect(folder.names("sent").count == 64)
  }

  @Test("the cover lies beside the track, or is the player's own picture where that may be")
  func covers() async throws {
    places.pictures = [folder.path("cache")]
    for name in ["cache/art.jpg", "elsewhere/art.jpg"] { try folder.copy("cover.jpg", to: name) }
    try folder.write("token=1", to: "cache/secret.jpg")
    try folder.copy("cover.jpg", to: "cache/thumbnails/large/private.jpg")
    unsafe #expect(mkfifo(folder.path("cache/pipe.jpg").string, 0o600) == 0)
    try folder.copy("cover.jpg", to: "cache/huge.jpg")
    unsafe #expect(truncate(folder.path("cache/huge.jpg").string, 1 << 40) == 0)
    func cover(_ art: String?) async -> String? {
      var track = track("music/Roads/01 Song.flac")
      track.pictureURL = art
      let lookup = ArtworkLookup(places)
      let (cover, refusal) = await lookup.cover(of: track, with: await lookup.find(track))
      #expect(cover == nil || refusal == nil)
      return cover?.path.shortened(from: folder.path("")).string
    }
    func url(_ name: String) -> String { "file://\(folder.path(name).string)" }
    #expect(await cover(nil) == nil)
    #expect(await cover(url("cache/art.jpg")) == "cache/art.jpg")
    #expect(await cover(folder.path("cache/art.jpg").string) == "cache/art.jpg")
    for other in [
      url("elsewhere/art.jpg"), url("cache/../elsewhere/art.jpg"), url("cache/none.jpg"),
      "https://example.org/art.jpg", "data:image/png;base64,AAAA", "file:///etc/passwd",
      // Files that a player keeps there for its own tracks: only their first bytes are read.
      url("cache/secret.jpg"), url("cache/thumbnails/large/private.jpg"), url("cache/pipe.jpg"),
      url("cache/huge.jpg"), url("cache"), "file:///dev/zero", "file:///proc/self/environ",
    ] {
      #expect(await cover(other) == nil, "\(other)")
    }
    try folder.link("cache/link.jpg", to: folder.url("elsewhere/art.jpg").path)
    #expect(await cover(url("cache/link.jpg")) == nil)
    try folder.make("music/Roads")
    try folder.copy("cover.jpg", to: "music/Roads/folder.jpg")
    #expect(await cover(url("cache/art.jpg")) == "music/Roads/folder.jpg")
    // One beside the videos is the service's business.
    try folder.copy("good-1x1.mp4", to: "music/Roads/1x1.mp4")
    #expect(await cover(url("cache/art.jpg")) == nil)
  }

  @Test(
    "in the folder above those of discs",
    arguments: [
      ("CD1", true), ("Disc 2", true), ("disk-03", true), ("cd 100", false), ("CDs", false),
      ("Live", false),
    ])
  func discs(_ name: String, _ isDisc: Bool) async throws {
    #expect(ArtworkLookup.isDisc(name) == isDisc)
    try folder.copy("good-1x1.mp4", to: "music/Roads/1x1.mp4")
    let answer = await find(track("music/Roads/\(name)/01.flac"))
    if isDisc {
      #expect(try found(answer).1 == "in the folder above")
    } else {
      #expect(await reason(track("music/Roads/\(name)/01.flac"))?.isEmpty == false)
    }
  }

  @Test("not above the music folder itself") func edge() async throws {
    try folder.copy("good-1x1.mp4", to: "1x1.mp4")
    places.music = [folder.path("CD1")]
    try folder.make("CD1")
    #expect(await reason(track("CD1/01.flac")) != nil, "found outside")
  }

  @Test("in a library by artist and album, whatever accents and case")
  func library() async throws {
    try folder.copy("good-1x1.mp4", to: "library/sigur ros/AGAETIS BYRJUN/1x1.mp4")
    let (videos, place) = try found(await find(track(nil)))
    #expect(videos == [.square: "library/sigur ros/AGAETIS BYRJUN/1x1.mp4"])
    #expect(place == "in the library")
    try folder.copy("good-3x4.mp4", to: "library/Sigur Rós - Ágætis byrjun/3x4.mp4")
    #expect(
      try found(await find(track("https://example.org/stream"))).0
        == [.tall: "library/Sigur Rós - Ágætis byrjun/3x4.mp4"])
    #expect(
      await reason(track(nil, album: "Other"))
        == "the player names no file, and the library has no such album")
  }

  @Test(
    "of several albums of one name in a library, the one that may have the track",
    arguments: [
      // The number of the track, its length in seconds, and where it can be.
      (nil, nil, "A"), (2, nil, "A"), (3, nil, "B"), (1, 200.4, "A"), (1, 301.2, "B"),
      (9, 999, "A"), (3, 200, "A"),
    ] as [(Int?, Double?, String)])
  func ambiguous(number: Int?, seconds: Double?, album: String) async throws {
    let folders = [
      "A": "library/Sigur Ros/Agaetis Byrjun", "B": "library/Sigur Rós/Ágætis byrjun!",
    ]
    for (name, tracks, playlist) in [
      ("A", 2, "#EXTM3U\n#EXTINF:200,One\n1.flac\n#EXTINF:100,Two\n2.flac\n"),
      ("B", 3, "#EXTINF:301,Eins\r\n1.flac\r\n#EXTINF:-1,Zwei\r\n2.flac\r\n#EXTINF:99,Drei\r\n"),
    ] {
      let place = try #require(folders[name])
      try folder.copy("good-1x1.mp4", to: "\(place)/1x1.mp4")
      for track in 1...tracks { try Data().write(to: folder.url("\(place)/\(track).flac")) }
      try folder.write(playlist, to: "\(place)/album.m3u8")
    }
    var track = track(nil)
    (track.number, track.seconds) = (number, seconds)
    let (videos, _) = try found(await find(track))
    #expect(videos[.square].map { $0.hasPrefix(folders[album] ?? "?") } == true, "\(videos)")
  }

  @Test("in a manifest, by a file in the track's folder or by the album's name")
  func manifest() async throws {
    try folder.copy("good-1x1.mp4", to: "music/Roads/loop.mp4")
    try folder.copy("good-3x4.mp4", to: "art/b.mp4")
    try folder.write(
      "artworkID,1x1,3x4\nalbum-7,music/Roads/loop.mp4,\nSigur Ros - Agaetis Byrjun,,art/b.mp4\n",
      to: "art.csv")
    try folder.write("manifest: art.csv\n", to: "artwork.yml")
    places.configuration = try Configuration.load(folder.path("artwork.yml"))
    let (videos, place) = try found(await find(track("music/Roads/01.flac", album: nil)))
    #expect(videos == [.square: "music/Roads/loop.mp4"])
    #expect(place == "in the manifest")
    #expect(try found(await find(track("music/Elsewhere/01.flac"))).0 == [.tall: "art/b.mp4"])
  }

  @Test(
    "outside the music folders nothing is read",
    arguments: [
      ("secret/01.flac", "the track is outside the music folders"),
      ("music/../secret/01.flac", "the track is outside the music folders"),
      ("music/%2e%2e/secret/01.flac", "the track is outside the music folders"),
      ("musical/01.flac", "the track is outside the music folders"),
      ("data:audio/flac;base64,AAAA", "the track is not a local file"),
      ("https://example.org/a.flac", "the track is not a local file"),
    ])
  func outside(_ path: String, _ reason: String) async throws {
    places.libraries = []
    for name in ["secret", "musical"] { try folder.copy("good-1x1.mp4", to: "\(name)/1x1.mp4") }
    #expect(await find(track(path)) == .none(reason: reason))
  }

  @Test("a link that leads out of the music folder is not followed") func links() async throws {
    places.libraries = []
    try folder.copy("good-1x1.mp4", to: "secret/1x1.mp4")
    try folder.make("music/Roads")
    try folder.link("music/Roads/1x1.mp4", to: folder.url("secret/1x1.mp4").path)
    try folder.link("music/Linked", to: folder.url("secret").path)
    for path in ["music/Roads/01.flac", "music/Linked/01.flac"] {
      #expect(await find(track(path)) == .none(reason: "the track's folder has none"), "\(path)")
    }
  }

  @Test("a music folder that is a link itself, by both of its names") func linkedRoot() async throws {
    try folder.copy("good-1x1.mp4", to: "real/Album/1x1.mp4")
    try folder.link("linked", to: folder.url("real").path)
    places.music = [folder.path("linked")]
    for path in ["linked/Album/01.flac", "real/Album/01.flac"] {
      #expect(try found(await find(track(path))).1 == "beside the track")
    }
  }

  @Test("of several artworks in a folder, the one named like the track") func several() async throws {
    try folder.copy("good-1x1.mp4", to: "music/Mixed/One_1x1.mp4")
    try folder.copy("good-3x4.mp4", to: "music/Mixed/Two_3x4.mp4")
    #expect(
      try found(await find(track("music/Mixed/two.flac"))).0 == [.tall: "music/Mixed/Two_3x4.mp4"])
    #expect(await reason(track("music/Mixed/Three.flac")) != nil, "found one of another track")
  }

  @Test("names are compared without accents, marks and case")
  func folding() {
    #expect(FoldedName("Sigur Rós – ( )") == FoldedName("sigur  ros"))
    #expect(FoldedName("Beyonce\u{301}") == FoldedName("Beyoncé"))
    #expect(FoldedName("Don’t Stop!") == FoldedName("dont stop"))
    #expect(FoldedName("Ænima") == FoldedName("aenima"))
    #expect(FoldedName("A B") != FoldedName("AB"))
    #expect(FoldedName("音楽") != nil)
    #expect(FoldedName("( )") == nil)
  }

  @Test("the desktop's music folder") func musicFolder() throws {
    #expect(MusicFolder.standard([:]) == nil)
    #expect(MusicFolder.standard(["HOME": "/h", "XDG_MUSIC_DIR": "/m"]) == "/m")
    let home = folder.path("").string
    #expect(MusicFolder.standard(["HOME": home]) == FilePath(home).appending("Music"))
    try folder.make(".config")
    try folder.write("# comment\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n", to: ".config/user-dirs.dirs")
    #expect(MusicFolder.standard(["HOME": home]) == FilePath(home).appending("Musik"))
  }
}
