/// Destinations that accept animated pictures, but no video.
extension Profile {
  /// The common limits of animated pictures. Rules about movie files, players of videos and previews are off, and no shape
  /// is an error.
  private static func pictures(
    _ name: String, _ title: String, player: String, formats: [String]
  ) -> Profile {
    var profile = Profile(
      name: name, title: title, shapes: [ArtworkShape(name: "1:1", aspect: .one)])
    profile.player = player
    profile.containers = formats
    profile.codecs = formats.map { $0 == "avif" ? "av1" : $0 }
    profile.severities = [
      "aspect-ratio": .warning, "codec-tag": .off, "pixel-format": .off, "frame-rate-mode": .off,
      "start-offset": .off, "loop-gap": .off, "audio-track": .off, "decode-cost": .off,
      "fast-start": .off, "closed-gop": .off, "preview-aspect": .off, "preview-match": .off,
      "pair": .off, "inset-cover": .off, "complementary": .off,
    ]
    return profile
  }

  /// A picture in Discord.
  public static let discord: Profile = {
    var profile = pictures(
      "discord", "Discord (animated picture)", player: "Discord",
      formats: ["webp", "gif", "avif"])
    profile.maxFileBytes = 10_000_000
    profile.sources = [
      Source(
        "Discord's documentation of Rich Presence: at an external address, GIF, animated WebP and AVIF move. Read in autumn 2026.",
        address: "https://github.com/discord/discord-api-docs/pull/8280"),
      Source(
        "Threads of users and developers, 2025 and 2026: video does not move, and files of tens of megabytes never load. They are second-hand."
      ),
      Source("Ours: at most 10 MB, and a square picture."),
    ]
    return profile
  }()

  /// The cover of an album in Navidrome.
  public static let navidrome: Profile = {
    var profile = pictures(
      "navidrome", "Navidrome (animated cover beside the music)", player: "Navidrome",
      formats: ["webp", "gif"])
    profile.sources = [
      Source(
        "Threads of users and developers, 2025 and 2026: cover.webp and cover.gif are served unchanged, and no MP4. They are second-hand. The name is not checked: it has to be cover.webp or cover.gif."
      ),
      Source("Ours: a square picture."),
    ]
    return profile
  }()

  /// The picture of an album in Jellyfin.
  public static let jellyfin: Profile = {
    var profile = pictures(
      "jellyfin", "Jellyfin (animated picture)", player: "Jellyfin",
      formats: ["webp", "gif", "apng"])
    profile.sources = [
      Source(
        "Threads of users and developers, 2025 and 2026: animated pictures are passed through without decoding, so that what the client animates moves. They are second-hand."
      ),
      Source("Ours: a square picture."),
    ]
    return profile
  }()
}
