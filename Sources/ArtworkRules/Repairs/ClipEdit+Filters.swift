extension ClipEdit {
  /// The same for ffmpeg, on upright frames with the times of the video; without colours and passes.
  func filters(_ facts: MediaFacts) -> [String] {
    var filters: [String] = []
    if droppedFrames > 0 { filters.append("trim=end_frame=\(facts.frameCount - droppedFrames)") }
    if let rate {
      if ignoresTimes { filters.append("setpts=N/\(rate)/TB") }
      let step = facts.frameRateRatio.flatMap { own in
        rate.inverse.flatMap { own.multiplied(by: $0) }
      }
      if facts.frameRateMode == .constant, let step, step.denominator == 1, step.numerator > 1 {
        filters.append("framestep=\(step)")
      } else {
        filters.append("fps=\(rate):eof_action=pass")
      }
    }
    if let area {
      filters += area.filters(facts, to: size)
    } else if let size {
      filters += ["scale=\(size.width):\(size.height)", "setsar=1"]
    }
    if ignoresPixelAspect { filters.append("setsar=1") }
    return filters
  }
}

extension MovieCodec {
  /// What a clip is encoded with for all of these profiles: HEVC where it is HEVC, else H.264; `nil` where they take
  /// neither.
  package init?(encoding facts: MediaFacts, for profiles: [Profile]) {
    let order: [MovieCodec] = facts.codec == "hevc" ? [.hevc, .h264] : [.h264, .hevc]
    let taken = order.first { codec in
      profiles.allSatisfy { $0.codecs?.contains(codec.rawValue) ?? true }
    }
    guard let taken else { return nil }
    self = taken
  }
}

extension MediaFacts {
  /// Whether `artworkd repair` encodes it for this profile.
  package func canBeEncoded(for profile: Profile) -> Bool {
    cleanAperture == nil && !isAnimation && MovieCodec(encoding: self, for: [profile]) != nil
      && MovieContainer.allCases.contains { profile.containers.contains($0.rawValue) }
  }

  /// Whether `artworkd repair` makes these colours BT.709: tones are mapped, and a matrix is exchanged. Other primaries
  /// would need more.
  var becomesBT709: Bool {
    color.isHDR
      || [nil, "bt709"].contains(color.primaries)
        && [nil, "bt709", "smpte170m", "bt2020-10", "bt2020-12"].contains(color.transfer)
  }
}

extension EncodeRequest {
  /// Everything that `edit` asks for, but its search for a loop.
  ///
  /// - Parameter edit: the first frames are dropped by ``frames``.
  /// - Returns: `nil` where no codec and no container is taken by all profiles.
  package init?(
    _ facts: MediaFacts, for profiles: [Profile], _ edit: ClipEdit,
    into wanted: MovieContainer? = nil
  ) {
    let containers = MovieContainer.allCases.filter { container in
      container == wanted ?? container
        && profiles.allSatisfy { $0.containers.contains(container.rawValue) }
    }
    guard let codec = MovieCodec(encoding: facts, for: profiles),
      let container = containers.first(where: { $0.rawValue == facts.container })
        ?? containers.first
    else { return nil }
    let drawsPictures = facts.color.isHDR || facts.hasAlpha
    var color = facts.color
    if drawsPictures || edit.makesBT709 || facts.chroma == "rgb"
      || color.matrix == nil && profiles.contains(where: \.wantsBT709)
    {
      color = .video
    } else {
      color.matrix = facts.shownMatrix
      color.range = "tv"
    }
    let isTurned = facts.rotation % 180 != 0
    let shown =
      edit.ignoresPixelAspect
      ? PixelSize(
        width: isTurned ? facts.codedHeight : facts.codedWidth,
        height: isTurned ? facts.codedWidth : facts.codedHeight)
      : edit.area.map { PixelSize(width: $0.width, height: $0.height) }
        ?? PixelSize(width: facts.displayWidth, height: facts.displayHeight)
    func even(_ side: Int) -> Int { max(2, side / 2 * 2) }
    let size = edit.size ?? shown
    self.init(
      codec: codec, container: container,
      frames: 0..<max(1, facts.frameCount - edit.droppedFrames),
      order: edit.passes > 1 ? .repeated(edit.passes) : .loop, rate: edit.rate,
      ignoresTimes: edit.ignoresTimes,
      ignoresPixelAspect: edit.ignoresPixelAspect, area: edit.area,
      size: PixelSize(width: even(size.width), height: even(size.height)), color: color,
      drawsPictures: drawsPictures,
      rateLimit: Self.rateLimit(
        for: profiles, seconds: facts.durationSeconds * Double(edit.passes)))
  }

  /// What all profiles take of a video of this length.
  package static func rateLimit(for profiles: [Profile], seconds: Double) -> RateLimit? {
    profiles.compactMap { $0.mostBitsPerSecond(seconds) }.min()
      .flatMap { RateLimit($0, seconds: seconds) }
  }
}
