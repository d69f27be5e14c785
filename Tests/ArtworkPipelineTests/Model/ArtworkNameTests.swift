@Suite struct ArtworkNameTests {
  @Test(
    arguments: [
      ("1x1.mp4", ArtworkKey.square, nil), ("3x4.mov", .tall, nil), ("square_animated_artwork.mp4", .square, nil),
      ("tall_animated_artwork.mp4", .tall, nil), ("cover_1x1.mp4", .square, nil), ("cover-3x4.mp4", .tall, nil),
      ("FrontCover.mp4", .square, nil), ("PortraitCover.MP4", .tall, nil), ("night-drive_1x1.mp4", .square, "night-drive"),
      ("Night Drive 3x4.mp4", .tall, "Night Drive"), ("a.b.tall.mp4", .tall, "a.b"), ("id42-square-loop.mp4", .square, "id42"),
      ("cover_id42_3x4.mp4", .tall, "cover_id42"), ("1X1", .square, nil), ("song_1080x1080.mp4", .square, "song"),
      ("3840x3840.mov", .square, nil), ("P123_video_gr290_sdr_1078x1438-.mp4", .tall, "P123_video_gr290_sdr"),
      ("song_2048x2732.mov", .tall, "song"), ("Song (1x1).mp4", .square, "Song"), ("Song [3x4].mp4", .tall, "Song"),
      ("Song - (Square).mp4", .square, "Song"), ("song_portrait.mp4", .tall, "song"), ("vertical.mp4", .tall, nil),
      ("Song (Portrait) loop.mp4", .tall, "Song"),
    ] as [(String, ArtworkKey, String?)])
  func `common naming schemes are understood`(name: String, key: ArtworkKey, artworkID: String?) {
    let found = ArtworkName(fileName: name)
    #expect(found?.key == key)
    #expect(found?.artworkID == artworkID)
  }

  @Test(arguments: [
    "clip.mp4", "promo-1x1-final.mp4", "11x1.mp4", "squares.mp4", "", ".mp4", "cover.mp4", "Times Square.mp4",
    "Portrait of a Lady.mp4", "Self Portrait.mp4", "song_1920x1080.mp4", "song_1080x1920.mp4", "12x12.mp4", "song_1080x.mp4",
    "song_1080x1080x2.mp4",
  ])
  func `other names match no scheme, even if they contain a key`(name: String) { #expect(ArtworkName(fileName: name) == nil) }

  @Test(arguments: [
    ("1x1", "3x4"), ("cover_1x1", "cover_3x4"), ("poster_11x17_1x1", "poster_11x17_3x4"), ("1x1-a_1x1", "1x1-a_3x4"),
    ("promo-1x1-final", "promo-3x4-final"), ("song", "song_3x4"), ("square_animated_artwork", "tall_animated_artwork"),
    ("FrontCover", "PortraitCover"), ("song_1080x1080", "song_3x4"), ("Times Square", "Times Square_3x4"),
    ("21x11 mix", "21x11 mix_3x4"), ("Song (1x1)", "Song (3x4)"),
  ])
  func `in the name of the other shape, the mark of the shape is exchanged and nothing else`(stem: String, other: String) {
    #expect(ArtworkName.variant(of: stem, as: .tall) == other)
    #expect(ArtworkName.variant(of: FilePath("a_1x1/\(stem).mov"), as: .tall) == FilePath("a_1x1/\(other).mp4"))
  }

  @Test func `a word after a space is read where the other shape is there`() {
    let square = ArtworkName(fileName: "Song square.mp4", readsTitles: true)
    #expect(square?.key == .square && square?.artworkID == "Song")
    #expect(ArtworkName(fileName: "Song portrait.mp4", readsTitles: true)?.artworkID == "Song")
    #expect(ArtworkKey(fileName: "Portrait of a Lady.mp4") == nil)
  }

  @Test func `a scheme and the plain name give the same key`() {
    for name in [
      "1x1.mp4", "a_3x4.mp4", "square_animated_artwork.mp4", "PortraitCover.mp4", "song_1080x1080.mp4", "song_2048x2732.mov",
    ] { #expect(ArtworkName(fileName: name)?.key == ArtworkKey(fileName: name)) }
  }
}
