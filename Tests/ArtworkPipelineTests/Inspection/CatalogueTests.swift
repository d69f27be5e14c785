/// The relations between files, in real folders. Contents are letters: nothing here decodes.
@Suite struct CatalogueTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ files: [String: String]) throws { for (name, text) in files { try folder.write(text, to: name) } }

  private func catalogue(_ yaml: String? = nil) throws -> Catalogue {
    var configuration = Configuration(currentFolder: FilePath(folder.root.path))
    if let yaml {
      try Data(yaml.utf8).write(to: folder.url("artwork.yml"))
      configuration = try Configuration.load(folder.path("artwork.yml"))
    }
    return Catalogue(CandidateFinder.find([FilePath(folder.root.path)]), configuration)
  }

  private func name(_ catalogue: Catalogue, _ candidate: Int?) -> String? {
    candidate.map { place in
      var path = catalogue.candidates[place].path
      _ = path.removePrefix(FilePath(folder.root.path))
      return path.string
    }
  }

  /// `id: file (key), ...` for each release.
  private func described(_ catalogue: Catalogue) -> [String] {
    catalogue.releases.map { release in
      let videos = release.videos.map { "\(name(catalogue, $0.candidate) ?? "?") (\($0.key?.rawValue ?? "-"))" }
      return "\(release.artworkID): \(videos.joined(separator: ", "))"
    }
  }

  @Test func `folders and names state the artworkID`() throws {
    try write([
      "a/1x1.mp4": "1", "a/3x4.mp4": "2", "b/square_animated_artwork.mp4": "3", "all/x_1x1.mp4": "4", "all/x_3x4.mp4": "5",
      "all/y-tall.mov": "6", "loose/clip.mp4": "7",
    ])
    #expect(
      described(try catalogue()) == [
        "a: a/1x1.mp4 (1x1), a/3x4.mp4 (3x4)", "x: all/x_1x1.mp4 (1x1), all/x_3x4.mp4 (3x4)", "y: all/y-tall.mov (3x4)",
        "b: b/square_animated_artwork.mp4 (1x1)", "loose: loose/clip.mp4 (-)",
      ])
    #expect(
      described(try catalogue("artwork-ids: folder-path\n")).map { $0.prefix { $0 != ":" } } == [
        "a", "all/x", "all/y", "b", "loose",
      ])
    #expect(described(try catalogue("artwork-ids: none\n")).isEmpty)
  }

  @Test func `folders named after their contents are no IDs, and hold the variants of one release`() throws {
    try write([
      "a/motion/1x1.mp4": "1", "b/motion/1x1.mp4": "2", "c/1x1/1x1.mp4": "3", "c/3x4/3x4.mp4": "4", "square/night_1x1.mp4": "5",
      "tall/night_3x4.mp4": "6",
    ])
    let found = try catalogue()
    #expect(
      described(found) == [
        "a: a/motion/1x1.mp4 (1x1)", "b: b/motion/1x1.mp4 (1x1)", "c: c/1x1/1x1.mp4 (1x1), c/3x4/3x4.mp4 (3x4)",
        "night: square/night_1x1.mp4 (1x1), tall/night_3x4.mp4 (3x4)",
      ])
    #expect(found.releases.flatMap(\.videos).allSatisfy { $0.contradicts == nil })
  }

  @Test func `a master beside its export contradicts nothing, and a file without scheme may be the variant`() throws {
    try write(["a/1x1.mov": "12", "a/1x1.mp4": "1", "b/1x1.mp4": "2", "b/3x4-final.mp4": "3"])
    let found = try catalogue()
    #expect(found.releases.flatMap(\.videos).allSatisfy { $0.contradicts == nil })
    #expect(found.releases.map(\.isWhole) == [true, false])
  }

  @Test func `a manifest states the artworkID and the key, whatever the names are`() throws {
    try write(["in/one.mp4": "1", "in/two.mp4": "2", "in/3x4.mp4": "3", "art/c.jpg": "4"])
    let found = try catalogue(
      """
      artworks:
        - artworkID: song
          1x1: in/two.mp4
          3x4: in/one.mp4
          cover: art/c.jpg
      """)
    #expect(described(found) == ["in: in/3x4.mp4 (3x4)", "song: in/one.mp4 (3x4), in/two.mp4 (1x1)"])
    let song = try #require(found.releases.last)
    #expect(song.isFromManifest && song.cover?.path == folder.path("art/c.jpg"))
    #expect(song.keys == [.square, .tall])
  }

  @Test func `covers and previews are found beside the videos, by name, and only there`() throws {
    try write([
      "a/1x1.mp4": "1", "a/3x4.mp4": "2", "a/Cover.JPG": "c", "a/1x1.png": "p", "a/3x4-preview.jpeg": "p", "b/clip.mp4": "3",
      "b/clip.1x1.png": "p", "b/other.png": "p", "c/x_1x1.mp4": "4", "c/x.jpg": "c", "c/cover.jpg": "c", "cover.jpg": "c",
      "d/cover.mp4": "5", "d/cover.jpg": "c", "d/FrontCover.mp4": "6", "d/FrontCover.jpg": "c",
    ])
    let found = try catalogue()
    func preview(_ file: String, _ key: ArtworkKey? = nil) -> String? {
      let place = found.candidates.firstIndex { $0.path == folder.path(file) }
      return place.flatMap { found.previews[$0]?[key]?.path.lastComponent?.string }
    }
    #expect(preview("a/1x1.mp4") == "1x1.png")
    #expect(preview("a/3x4.mp4") == "3x4-preview.jpeg")
    #expect(preview("b/clip.mp4") == nil && preview("b/clip.mp4", .square) == "clip.1x1.png")
    // A cover is no preview, though it has the video's name.
    #expect(preview("d/cover.mp4") == nil && preview("d/FrontCover.mp4") == nil)
    #expect(preview("c/x_1x1.mp4") == nil)
    #expect(found.releases.map { $0.cover?.path.lastComponent?.string } == ["Cover.JPG", nil, "x.jpg", "cover.jpg"])
  }

  @Test func `bytes decide what is reused and what is repeated, and the earlier file is the original`() throws {
    try write([
      "1/song/1x1.mp4": "aaaa", "2/song/1x1.mp4": "aaaa", "3/song/1x1.mp4": "bbbb", "4/song/1x1.mp4": "longer",
      "5/twin/1x1.mp4": "aaaa", "5/twin/3x4.mp4": "cccc",
    ])
    let found = try catalogue()
    func reported(_ other: (Release.Video) -> FilePath?) -> [String: String] {
      Dictionary(
        uniqueKeysWithValues: found.releases.flatMap(\.videos).compactMap { video in
          guard let name = name(found, video.candidate), var path = other(video) else { return nil }
          _ = path.removePrefix(FilePath(folder.root.path))
          return (name, path.string)
        })
    }
    #expect(reported { $0.contradicts } == ["3/song/1x1.mp4": "1/song/1x1.mp4", "4/song/1x1.mp4": "1/song/1x1.mp4"])
    #expect(reported { $0.repeats?.path } == ["5/twin/1x1.mp4": "1/song/1x1.mp4"])
  }

  @Test("a release of files that were named one by one is not known to be whole")
  func named() throws {
    try write(["a/1x1.mp4": "1", "a/3x4.mp4": "2"])
    let one = Catalogue(CandidateFinder.find([folder.path("a/1x1.mp4")]), Configuration())
    #expect(one.releases.map(\.isWhole) == [false])
    #expect(try catalogue().releases.map(\.isWhole) == [true])
  }

  @Test func `the reports of a release come together and carry its ID, all others at once`() async throws {
    try folder.copy(.named("good-1x1.mp4"), to: "a/1x1.mp4")
    try folder.copy(.named("good-3x4.mp4"), to: "a/3x4.mp4")
    try folder.copy(.named("good-1x1-2s.mp4"), to: "b/clip.mp4")
    let reports = await Batch(options: Batch.Options(jobs: 2)).run(try catalogue())
    #expect(reports.map(\.artworkID) == ["a", "a", "b"])
    #expect(reports.map(\.key) == [.square, .tall, .square])
    #expect(reports.allSatisfy { $0.error == nil })
  }
}
