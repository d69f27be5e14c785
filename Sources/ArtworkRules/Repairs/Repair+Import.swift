extension Repair {
  /// Makes a video of an animation with this tool; `nil` for a video, and where the profile takes neither H.264 in MP4
  /// nor in QuickTime.
  static func importing(_ facts: MediaFacts, for profile: Profile) -> Repair? {
    guard facts.isAnimation, profile.codecs.map({ $0.contains("h264") }) ?? true,
      let container = MovieContainer.allCases.first(where: {
        profile.containers.contains($0.rawValue)
      })
    else { return nil }
    let (width, height) = (max(1, facts.displayWidth), max(1, facts.displayHeight))
    // A drawing is sharp at any size.
    let enlarged =
      facts.codec == "lottie"
      ? max(1, Double(drawnSide) / Double(min(width, height))) : 1
    func side(_ length: Int) -> Int { wholeNumber((Double(length) * enlarged).rounded()) ?? length }
    return importing(
      size: PixelSize(width: side(width), height: side(height)).even, into: container)
  }

  /// The shorter side of a video of a small drawing, in pixels: the width of a phone's screen.
  private static let drawnSide = 1080
}

extension MediaFacts {
  /// No video, but pictures that `artworkd import` makes one of.
  package var isAnimation: Bool { ["gif", "apng"].contains(container) || !isReadByFFmpeg }

  /// Whether ffmpeg reads it, so that its commands can mend it.
  var isReadByFFmpeg: Bool { VideoCodec.named(codec)?.isDecoded ?? true }
}
