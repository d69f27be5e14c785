extension Recipe {
  /// The copy that repairs findings of these kinds for all of these profiles; `nil` if a copy would not be the same
  /// clip, or if no container that all accept supports the codec.
  ///
  /// - Parameters:
  ///   - wanted: the only acceptable container; `nil` for any.
  package init?(
    copying facts: MediaFacts, for profiles: [Profile], repairing kinds: Set<RepairKind>,
    into wanted: MovieContainer? = nil
  ) {
    let holding: [MovieContainer] =
      switch facts.codec {
      case "h264", "hevc", "mpeg4", "mjpeg": [.mp4, .mov]
      case "av1", "vp9", "mpeg1video", "mpeg2video": [.mp4]
      case "prores", "qtrle", "png", "h263": [.mov]
      default: []
      }
    guard facts.canBeCopied,
      // A matrix is stated in parameter sets of the header.
      facts.parameterSets != .frames || !kinds.contains(.metadata),
      let container = holding.first(taking: facts, for: profiles, only: wanted)
    else { return nil }
    self.init(
      container: container,
      content: .packets(
        matrix: kinds.contains(.metadata) ? facts.assumedMatrix : nil, sourceBytes: facts.fileBytes)
    )
  }

  /// Everything in `edit` except its search for a loop.
  ///
  /// - Parameter edit: frames at the end are dropped by ``frames``.
  /// - Returns: `nil` if no codec and no container is accepted by all profiles.
  package init?(
    encoding facts: MediaFacts, for profiles: [Profile], _ edit: ClipEdit = ClipEdit(),
    into wanted: MovieContainer? = nil
  ) {
    guard let codec = MovieCodec(encoding: facts, for: profiles),
      let container = MovieContainer.played.first(taking: facts, for: profiles, only: wanted)
    else { return nil }
    var encoding = Encoding(codec: codec, form: .stored, size: facts.size(edit))
    let isBT709 =
      edit.makesBT709 || facts.chroma == "rgb"
      || facts.color.matrix == nil && profiles.contains(where: \.wantsBT709)
    if facts.color.isHDR || facts.hasAlpha || facts.isAnimation
      || isBT709 && facts.color.isWideGamut
    {
      var drawing = Drawing()
      drawing.contentMode = .stretch
      encoding.form = .drawn(drawing)
    }
    if encoding.form != .stored || isBT709 {
      encoding.color = .video
    } else {
      encoding.color = facts.color
      encoding.color?.matrix = facts.assumedMatrix
      encoding.color?.range = "tv"
    }
    if let area = edit.area {
      encoding.area = .part(
        area, of: PixelSize(width: facts.displayWidth, height: facts.displayHeight))
    }
    encoding.rateLimit = Self.rateLimit(
      for: profiles, seconds: facts.durationSeconds * Double(edit.passes))
    self.init(container: container, content: .pictures(encoding))
    if edit.droppedFrames > 0 {
      frames.end = .frame(max(1, facts.frameCount.subtractingClamped(edit.droppedFrames)))
    }
    if edit.passes > 1 { frames.order = .repeated(edit.passes) }
    (frames.rate, frames.ignoresTimes) = (edit.rate, edit.ignoresTimes)
    frames.cadence = edit.cadence
    frames.adapts = facts.isAnimation
  }

  /// The bit rate limit of all profiles for a video of this length.
  package static func rateLimit(for profiles: [Profile], seconds: Double) -> RateLimit? {
    let most = profiles.compactMap { $0.mostBitsPerSecond(seconds) }.min()
    let least = profiles.compactMap(\.minBitRate).max()
    return least.flatMap { RateLimit(atLeast: Double($0), atMost: most, seconds: seconds) }
      ?? most.flatMap { RateLimit($0, seconds: seconds) }
  }
}

extension [MovieContainer] {
  /// The video's own if all profiles accept it, or else the first that they do.
  fileprivate func first(
    taking facts: MediaFacts, for profiles: [Profile], only wanted: MovieContainer?
  ) -> MovieContainer? {
    let taken = filter { container in
      container == wanted ?? container
        && profiles.allSatisfy { $0.containers.contains(container.rawValue) }
    }
    return taken.first { $0.rawValue == facts.container } ?? taken.first
  }
}

extension MovieCodec {
  /// The codec for all of these profiles: HEVC if the clip is HEVC, else H.264; `nil` if they accept neither.
  fileprivate init?(encoding facts: MediaFacts, for profiles: [Profile]) {
    let order: [MovieCodec] = facts.codec == "hevc" ? [.hevc, .h264] : [.h264, .hevc]
    let taken = order.first { codec in
      profiles.allSatisfy { $0.codecs?.contains(codec.rawValue) ?? true }
    }
    guard let taken else { return nil }
    self = taken
  }
}

extension Profile {
  /// The limit for a clip of this length; `nil` for none.
  fileprivate func mostBitsPerSecond(_ seconds: Double) -> Double? {
    [maxBitRate.map(Double.init), maxFileBytes.map { Double($0) * 8 / max(seconds, 0.1) }]
      .compactMap(\.self).min()
  }
}

extension MediaFacts {
  /// Whether a copy of the packets is the same clip: it would reveal frames that an edit list hides, and lose a clean
  /// aperture; it is only worth making for a codec that plays; and presentation times must be known without decoding.
  /// AVI stores no times, and libavformat generates none for H.264 and HEVC, whose frames may be stored in another
  /// order. Parameter sets that are only among the frames must all be in the first, and none may change. An edit of
  /// another speed would be lost.
  fileprivate var canBeCopied: Bool {
    discardedFrameCount == 0 && cleanAperture == nil && !joinsParts && frameRateRatio != nil
      && changesAtFrame == nil && retimedEdit == nil
      && (VideoCodec.named(codec)?.playback ?? .nowhere) != .nowhere
      && (container != "avi" || !["h264", "hevc"].contains(codec))
      && timeSource ?? .presentation == .presentation
      && (parameterSets != .frames || hasMovableParameterSets == true)
      // Only Matroska keeps their transparency, and a copy has one track.
      && !(hasAlpha && ["vp8", "vp9", "av1"].contains(codec))
  }

  /// Whether the edit list has several parts of the media, one after another.
  private var joinsParts: Bool { (editList ?? []).count { $0.mediaSeconds != nil } > 1 }

  /// Whether `artworkd repair` encodes it for this profile.
  package func canBeEncoded(for profile: Profile) -> Bool {
    cleanAperture == nil && MovieCodec(encoding: self, for: [profile]) != nil
      && MovieContainer.played.contains { profile.containers.contains($0.rawValue) }
  }

  /// Whether `artworkd repair` makes these colours BT.709: tones are mapped, wide gamuts are converted, and a matrix is
  /// exchanged.
  var becomesBT709: Bool {
    color.isHDR || color.isWideGamut
      || [nil, "bt709"].contains(color.primaries)
        && [nil, "bt709", "smpte170m", "bt2020-10", "bt2020-12"].contains(color.transfer)
  }

  /// The size of the new file for `edit`, with even sides. A vector animation is sharp at any size.
  fileprivate func size(_ edit: ClipEdit) -> PixelSize {
    let isTurned = rotation % 180 != 0
    var shown = edit.area?.size ?? PixelSize(width: displayWidth, height: displayHeight)
    if edit.ignoresPixelAspect {
      shown = PixelSize(width: codedWidth, height: codedHeight)
      if isTurned { shown = shown.transposed }
    }
    let size = edit.size ?? shown
    guard isAnimation else {
      return PixelSize(width: max(2, size.width / 2 * 2), height: max(2, size.height / 2 * 2))
    }
    let least = Double(max(1, min(size.width, size.height)))
    let enlarged = codec == "lottie" && edit.size == nil ? max(1, Self.drawnSide / least) : 1
    func side(_ length: Int) -> Int {
      max(1, wholeNumber((Double(length) * enlarged).rounded()) ?? length)
    }
    return PixelSize(width: side(size.width), height: side(size.height)).even
  }

  /// The shorter side of a video of a small drawing, in pixels: the width of a phone's screen.
  private static let drawnSide = 1080.0
}
