extension Profile {
  /// The built-in profiles, in the order of the documents.
  public static let all: [Profile] = [
    .nowPlaying, .appleAlbumMotion, .appleMotionDistributor, .appleArtistMotion, .spotifyCanvas,
    .web, .loop, .discord, .navidrome, .jellyfin,
  ]

  /// The most pixels per second in H.264 level 5.2: 4096x2160 at 60 fps.
  private static let ultraHDPixelRate: Int64 = 530_841_600

  /// The rates of films and of television with 30 pictures per second and fewer.
  private static let usualRates = [
    Rational(24_000, 1001), Rational(24), Rational(25), Rational(30_000, 1001), Rational(30),
  ].compactMap(\.self)

  /// Apple prefers artwork that is shorter than this, in seconds.
  public static let usualDurationBelow = TrimRequest.usualBelow

  /// Apple's Now Playing surfaces.
  public static let nowPlaying: Profile = {
    var profile = Profile(
      name: "now-playing", title: "Apple Now Playing (MediaPlayer animated artwork)",
      shapes: ArtworkKey.allCases.map { ArtworkShape($0) })
    profile.durationBelow = usualDurationBelow
    profile.smallestSide = 300
    profile.maxPixelRate = ultraHDPixelRate
    profile.severities = ["fast-start": .off, "closed-gop": .off]
    profile.sources = [
      Source(
        "Apple's documentation: both shapes, at most 60 fps, shorter than 30 s, a seamless loop, the aspect ratio of the preview.",
        address:
          "https://developer.apple.com/documentation/mediaplayer/providing-animated-artwork-for-media-items"
      ),
      Source(
        "Ours: the tolerance of the aspect ratio, the smallest side and the decoding cost. Known: the codecs that AVFoundation plays."
      ),
    ]
    return profile
  }()

  /// The common requirements for album motion masters.
  private static func motion(_ name: String, _ title: String) -> Profile {
    var profile = Profile(
      name: name, title: title,
      shapes: [
        ArtworkShape(.square, size: PixelSize(width: 3840, height: 3840)),
        ArtworkShape(.tall, size: PixelSize(width: 2048, height: 2732)),
      ])
    profile.codecs = ["h264", "prores-4444"]
    profile.containers = ["mp4", "mov"]
    profile.severities = [
      "duration": .error, "letterbox": .error, "decode-cost": .off, "fast-start": .off,
      "closed-gop": .off, "pair": .error, "inset-cover": .error,
    ]
    return profile
  }

  /// Album motion as labels deliver it to Apple.
  public static let appleAlbumMotion: Profile = {
    var profile = motion("apple-album-motion", "Apple Music album motion (delivery)")
    (profile.durationAtLeast, profile.durationAtMost) = (8, 20)
    profile.sources = [
      Source(
        "Apple's guide to album motion: 1x1 at 3840x3840 and 3x4 at 2048x2732, H.264 or ProRes 4444, .mp4 or .mov, 8 to 20 s. The picture fills its frame: bars, or a square cover inside the tall one, are rejected. No text that advertises, and a first frame that works as a still. Read in autumn 2026.",
        address: "https://help.apple.com/itc/albummotionguide"
      )
    ]
    return profile
  }()

  /// Album motion as distributors require it.
  public static let appleMotionDistributor: Profile = {
    var profile = motion(
      "apple-motion-distributor", "Apple Music album motion through a distributor")
    (profile.durationAtLeast, profile.durationAtMost) = (8, 35)
    profile.codecs = ["h264"]
    profile.containers = ["mp4"]
    profile.maxFileBytes = 400_000_000
    (profile.minBitRate, profile.maxBitRate) = (45_000_000, 100_000_000)
    (profile.minFrameRate, profile.maxFrameRate) = (usualRates.first, usualRates.last)
    profile.frameRates = usualRates
    profile.wantsBT709 = true
    profile.coverMatch = 0.85
    profile.severities["audio-track"] = .error
    profile.severities["frame-rate-mode"] = .error
    profile.sources = [
      Source(
        "LabelGrid's page: both files, H.264 in .mp4 (or an animated GIF, which this profile does not take), 8 to 35 s, at most 400 MB, 45 to 100 Mbit/s, 23.976, 24, 25, 29.97 or 30 fps, Rec. 709 or sRGB, no audio, the static cover as the first frame, no borders, nothing upscaled. Read in autumn 2026.",
        address: "https://help.labelgrid.com/en/platforms/apple-music-motion-art"),
      Source(
        "Other distributors differ in details, and pages change: your distributor's page is authoritative. The sizes are those of Apple's guide.",
        address: "https://help.apple.com/itc/albummotionguide"),
    ]
    return profile
  }()

  /// Motion for the page of an artist.
  public static let appleArtistMotion: Profile = {
    var profile = Profile(
      name: "apple-artist-motion", title: "Apple Music artist page motion (delivery)",
      shapes: [
        ArtworkShape(
          name: "1:1", aspect: .one, size: PixelSize(width: 3840, height: 3840)),
        ArtworkShape(name: "16:9", aspect: Rational(16, 9) ?? .one),
      ])
    (profile.durationAtLeast, profile.durationAtMost) = (20, 75)
    profile.codecs = ["prores-4444", "prores-standard", "prores-hq", "prores-lt"]
    profile.containers = ["mov", "mp4"]
    profile.frameRates = usualRates + [Rational(50), Rational(60)]
    profile.wantsBT709 = true
    profile.severities = [
      "duration": .error, "audio-track": .error, "decode-cost": .off, "fast-start": .off,
      "closed-gop": .off, "pair": .off, "inset-cover": .off, "complementary": .off,
      "letterbox": .error,
    ]
    profile.sources = [
      Source(
        "Apple's guide to artist motion: 1:1 at 3840x3840 and 16:9, ProRes 4444, 422, 422 HQ or 422 LT, 23.976, 24, 25, 29.97, 30, 50 or 60 fps, Rec. 709 or sRGB, 20 to 75 s, no audio track. Read in autumn 2026.",
        address: "https://help.apple.com/itc/artistmotionguide"
      )
    ]
    return profile
  }()

  /// Spotify's Canvas.
  public static let spotifyCanvas: Profile = {
    var profile = Profile(
      name: "spotify-canvas", title: "Spotify Canvas",
      shapes: [ArtworkShape(name: "9:16", aspect: Rational(9, 16) ?? .one)])
    (profile.durationAtLeast, profile.durationAtMost) = (3, 8)
    profile.codecs = ["h264"]
    profile.containers = ["mp4"]
    profile.smallestSide = 405
    profile.severities = [
      "duration": .error, "audio-track": .error, "flash": .error, "loop-seam": .info, "fade": .info,
      "pair": .off, "inset-cover": .off, "complementary": .off, "preview-aspect": .off,
      "preview-match": .off,
      "fast-start": .off, "closed-gop": .off, "dimensions": .error,
    ]
    profile.sources = [
      Source(
        "Spotify's Canvas guidelines: 9:16, 3 to 8 s, MP4, at least 720 px tall, no intense flashing. A hard cut is an accepted loop there, so loop findings are only info.",
        address: "https://support.spotify.com/us/artists/article/canvas-guidelines/"),
      Source(
        "The guidelines take a still JPG, too. It is not checked: stills are covers and previews here."
      ),
      Source("Second-hand: uploads are converted to H.264 without audio, or rejected."),
    ]
    return profile
  }()

  /// A web page in any browser.
  public static let web: Profile = {
    var profile = Profile(
      name: "web", title: "Web pages (any browser)",
      shapes: ArtworkKey.allCases.map { ArtworkShape($0) })
    profile.codecs = ["h264"]
    profile.containers = ["mp4"]
    profile.maxPixelRate = ultraHDPixelRate
    profile.maxBitRate = 20_000_000
    profile.judgesNamedShapesOnly = true
    profile.severities = ["flash": .error]
    profile.wantsLimitedRange = true
    profile.sources = [
      Source(
        "H.264 High 4:2:0 with 8 bits in MP4 plays in every browser.",
        address: "https://developer.mozilla.org/docs/Web/Media/Guides/Formats/Video_codecs"),
      .threeFlashes,
      Source(
        "Ours: the movie header first, closed GOPs and at most 60 fps. The shape is free unless the name or --key states a variant."
      ),
    ]
    return profile
  }()
}
