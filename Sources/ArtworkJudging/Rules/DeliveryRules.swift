/// The size of the file, for destinations that limit it.
enum FileSizeRule: Rule {
  static let id = "file-size"
  static let settings = [
    RuleSetting("at-most", \.maxFileBytes, .large("B", such: "400MB"))
  ]

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let bytes = candidate.facts.fileBytes
    guard let most = profile.maxFileBytes, bytes > most else { return nil }
    return Breach(
      .error, "the file is too large",
      help: profile.acceptsPicturesOnly
        ? "export it with `artworkd export --max-bytes \(most)`, or smaller or shorter"
        : "export with a lower bit rate, or shorter", .encode(candidate.facts, for: profile),
      measured: megabytes(bytes), limit: "at most \(megabytes(most))")
  }

  private static func megabytes(_ bytes: Int64) -> String {
    "\(decimal(Double(bytes) / 1e6, places: bytes < 10_000_000 ? 2 : 1)) MB"
  }
}

/// The average bit rate, for destinations that set a maximum or a minimum.
enum BitRateRule: Rule {
  static let id = "bitrate"
  static let settings = [
    RuleSetting("at-least", \.minBitRate, .large("bit/s", such: "20 Mbit/s")),
    RuleSetting("at-most", \.maxBitRate, .large("bit/s", such: "20 Mbit/s")),
  ]

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard facts.frameCount > 1, facts.durationSeconds > 0 else { return nil }
    let rate = Double(facts.fileBytes) * 8 / facts.durationSeconds
    let limit = limit(of: profile)
    if let least = profile.minBitRate, rate < Double(least) {
      return Breach(
        .warning, "the bit rate is too low",
        help: "export it again from its source with at least \(megabits(Double(least))); "
          + "encoding this file again adds no detail", measured: megabits(rate), limit: limit)
    }
    guard let most = profile.maxBitRate, rate > Double(most) else { return nil }
    return Breach(
      .warning, "the bit rate is too high", help: "export with a lower bit rate",
      .encode(facts, for: profile), measured: megabits(rate), limit: limit)
  }

  private static func limit(of profile: Profile) -> String? {
    let (least, most) = (profile.minBitRate.map(Double.init), profile.maxBitRate.map(Double.init))
    return switch (least, most) {
    case (nil, nil): nil
    case (nil, let most?): "at most \(megabits(most))"
    case (let least?, nil): "at least \(megabits(least))"
    case (let least?, let most?): "\(decimal(least / 1e6, places: 1)) to \(megabits(most))"
    }
  }

  private static func megabits(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 1)) Mbit/s"
  }
}

/// The number of pixels that a player decodes per second.
enum DecodeCostRule: Rule {
  static let id = "decode-cost"
  static let settings = [
    RuleSetting("at-most", \.maxPixelRate, .large("px/s", such: "500 Mpx/s"))
  ]

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard let most = profile.maxPixelRate, let rate = facts.frameRate, facts.frameCount > 1 else {
      return nil
    }
    let cost = Double(facts.codedWidth) * Double(facts.codedHeight) * rate
    guard cost > Double(most) else { return level(candidate, profile) }
    return Breach(
      .warning, "the video has more pixels per second than hardware decoders are built for",
      help: "export it smaller, or at a lower frame rate",
      smaller(candidate, by: (Double(most) / cost).squareRoot(), profile),
      measured:
        "\(megapixels(cost)) (\(facts.codedWidth)x\(facts.codedHeight) at \(decimal(rate, places: 3)) fps)",
      limit: "at most \(megapixels(Double(most)))")
  }

  /// Returns the finding of a video that states a level which not every hardware decoder takes.
  private static func level(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard let codec = VideoCodec.named(facts.codec), let most = codec.safeFormats?.level,
      let stated = facts.level, let level = Double(stated), let limit = Double(most), level > limit
    else { return nil }
    return Breach(
      .warning, "the video states a level that not every hardware decoder takes",
      help: "export it with a level of at most \(most)", .encode(facts, for: profile),
      measured: "\(codec.title) level \(stated)", limit: "at most \(most)")
  }

  /// - Parameter factor: of both sides.
  private static func smaller(
    _ candidate: JudgedCandidate, by factor: Double, _ profile: Profile
  ) -> Remedy? {
    let facts = candidate.facts
    func even(_ side: Int) -> Int { max(2, (wholeNumber(Double(side) * factor) ?? side) / 2 * 2) }
    var size = PixelSize(width: even(facts.displayWidth), height: even(facts.displayHeight))
    // Exactly in shape if the video approximately is.
    if let shape = profile.shape(
      nearestTo: facts.displayAspectRatio.value, key: candidate.key),
      abs(facts.displayAspect / shape.aspect.value - 1) <= profile.aspectTolerance
    {
      var area = CropArea(facts)
      (area.width, area.height) = (size.width, size.height)
      if let exact = area.largest(shape) {
        size = PixelSize(width: exact.width, height: exact.height)
      }
    }
    return .encode(facts, for: profile, ClipEdit(size: size))
  }

  private static func megapixels(_ rate: Double) -> String {
    "\(decimal(rate / 1e6, places: 0)) Mpx/s"
  }
}

/// A movie plays during its download from the web only if its header comes first.
enum FastStartRule: Rule {
  static let id = "fast-start"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard candidate.facts.movieHeaderFirst == false else { return nil }
    return Breach(
      .warning, "the movie header comes after the media data, so playback starts late",
      help: "copy it with the header first, without encoding",
      .copyOrEncode(candidate.facts, for: profile), measured: "moov last", limit: "moov first")
  }
}

/// Artwork plays without sound, so an audio track is dead weight.
enum AudioTrackRule: Rule {
  static let id = "audio-track"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard facts.hasAudio else { return nil }
    let excess = (facts.endOfAudio ?? 0) - facts.endOfFrames
    let outlasts = excess > facts.unnoticedGap
    return Breach(
      outlasts ? .warning : .info,
      outlasts
        ? "the file has an audio track, which ends \(decimal(excess, places: 3)) s after the last frame"
        : "the file has an audio track, but artwork plays without sound",
      help: "keep only the video track", .copyOrEncode(facts, for: profile),
      measured: "an audio track", limit: "no audio")
  }
}

/// The size of the picture: as the destination requires, not too small, and even.
package enum DimensionsRule: Rule {
  package static let id = "dimensions"
  package static let settings = [
    RuleSetting("at-least", \.smallestSide, .count)
  ]

  package static func breaches(_ candidate: JudgedCandidate, _ profile: Profile) -> [Breach] {
    let facts = candidate.facts
    let shape = profile.shape(
      nearestTo: facts.displayAspectRatio.value, key: candidate.key)
    let displaySize = PixelSize(
      width: max(1, facts.displayWidth), height: max(1, facts.displayHeight))
    var found: [Breach] = []
    if let wanted = shape?.size, wanted != displaySize {
      found.append(
        Breach(
          .error, "the picture is not \(wanted) pixels, the size that the destination requires",
          help: "export it at \(wanted)",
          shape.flatMap { shape in
            CropArea(facts).largest(shape)?.repair(facts, shape: shape, for: profile)
          }, otherwise: "export it at \(wanted) from its source", measured: displaySize.description,
          limit: wanted.description))
    } else if let least = profile.smallestSide, min(displaySize.width, displaySize.height) < least {
      found.append(
        Breach(
          .info, "the picture is small and looks blurred on large displays",
          help: "export it larger from its source, with a shorter side of at least \(least) pixels",
          measured: displaySize.description, limit: "a shorter side of at least \(least) pixels"))
    }
    if facts.chroma == "4:2:0", facts.codedWidth % 2 != 0 || facts.codedHeight % 2 != 0 {
      found.append(
        Breach(
          .warning, "the video is 4:2:0 with an odd side: players crop or smear the edge",
          help: "crop or scale it to even sides", .encode(facts, for: profile),
          measured: "\(facts.codedWidth)x\(facts.codedHeight)", limit: "even sides"))
    }
    return found
  }
}
