import ArtworkModel

extension Repair {
  /// Makes a video of an animation with this tool; `nil` for a video, and where the profile takes neither H.264 in MP4
  /// nor in QuickTime.
  static func importing(_ facts: MediaFacts, for profile: Profile) -> Repair? {
    guard facts.isAnimation, profile.codecs.map({ $0.contains("h264") }) ?? true,
      let container = MovieContainer.allCases.first(where: {
        profile.containers.contains($0.rawValue)
      })
    else { return nil }
    let size = PixelSize(
      width: max(1, facts.displayWidth), height: max(1, facts.displayHeight)
    ).even
    return importing(size: size, into: container)
  }
}

extension MediaFacts {
  /// No video, but pictures that `artworkd import` makes one of.
  var isAnimation: Bool { ["gif", "apng"].contains(container) || !isReadByFFmpeg }

  /// Whether ffmpeg reads it, so that its commands can mend it.
  var isReadByFFmpeg: Bool { VideoCodec.named(codec)?.isDecoded ?? true }
}
