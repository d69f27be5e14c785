extension Profile {
  /// A loop of any shape that browsers and desktops play: heroes of web pages, wallpapers, clips of models.
  public static let loop: Profile = {
    var profile = Profile(
      name: "loop", title: "Loops of any shape (web, desktop, games)", shapes: [])
    profile.player = "a browser"
    profile.containers = ["mp4", "mov", "webm", "webp", "gif", "apng"]
    profile.codecs = ["h264", "vp9", "av1", "vp8", "hevc", "webp", "gif", "apng"]
    (profile.durationAtMost, profile.maxFileBytes) = (60, 50_000_000)
    profile.maxFrameRate = nil
    let off = [
      "audio-track", "banding", "blockiness", "closed-gop", "codec-tag", "color", "decode-cost",
      "fast-start", "letterbox", "softness", "start-offset", "preview-aspect", "preview-match",
      "pair", "inset-cover", "complementary", "artwork-id-reuse", "duplicate-content",
    ]
    profile.severities = Dictionary(uniqueKeysWithValues: off.map { ($0, RuleSeverity.off) })
    profile.severities.merge(["container": .warning, "codec": .warning, "pixel-format": .warning]) {
      $1
    }
    profile.sources = [
      Source(
        "H.264, VP8, VP9, AV1 and animated pictures play in browsers, HEVC in some.",
        address: "https://developer.mozilla.org/docs/Web/Media/Guides/Formats/Video_codecs"),
      Source(
        "At most three flashes per second: WCAG 2.2, success criterion 2.3.1.",
        address: "https://www.w3.org/WAI/WCAG22/Understanding/three-flashes-or-below-threshold.html"
      ),
      Source("Ours: at most 60 s and 50 MB. The shape is free."),
    ]
    return profile
  }()
}
