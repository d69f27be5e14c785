extension Repair {
  /// Copies the packets into a container that the profile takes; `nil` where a copy would not be the same clip or
  /// the container cannot hold the codec.
  ///
  /// - Parameters:
  ///   - filters: bitstream filters.
  ///   - edit: plays the clip several times, which `artworkd repair` can only encode.
  package static func copy(
    _ facts: MediaFacts, for profile: Profile, filters: [String] = [],
    repeating edit: ClipEdit? = nil
  ) -> Repair? {
    guard facts.canBeCopied, let target = container(of: facts, for: [profile]) else { return nil }
    let encoded = edit.flatMap { encode(facts, for: profile, $0) }
    let kind: RepairKind? =
      if edit != nil {
        encoded?.kind
      } else if !facts.playsSomewhere {
        nil
      } else if facts.statesTimes {
        filters.isEmpty ? .lossless : .metadata
      } else {
        encode(facts, for: profile)?.kind
      }
    // ffmpeg leaves the distance from the start of an earlier track, which is left out.
    let isLate = facts.hasAudio || facts.startsLate
    let filters =
      filters + (isLate && edit == nil ? ["setts=pts=PTS-STARTPTS:dts=DTS-STARTPTS"] : [])
    return ffmpeg(
      before: edit.map { ["-stream_loop", "\($0.passes - 1)"] } ?? [],
      mapped(facts) + ["-c", "copy"] + tag(facts)
        + (filters.isEmpty ? [] : ["-bsf:v", filters.joined(separator: ",")]) + timescale(facts)
        + ["-movflags", "+faststart"],
      extension: target.rawValue, kind: kind, edit: encoded?.edit)
  }

  package static func mapped(_ facts: MediaFacts) -> [String] {
    ["-map", facts.streamIndex.map { "0:\($0)" } ?? "0:V:0"]
  }

  /// The container for a copy: the video's own where all profiles take that.
  ///
  /// - Parameter wanted: the only one that will do; `nil` for any.
  fileprivate static func container(
    of facts: MediaFacts, for profiles: [Profile], wanted: MovieContainer? = nil
  ) -> MovieContainer? {
    let holding: [MovieContainer] =
      switch facts.codec {
      case "h264", "hevc", "mpeg4", "mjpeg": [.mp4, .mov]
      case "av1", "vp9", "mpeg1video", "mpeg2video": [.mp4]
      case "prores", "qtrle", "png", "h263": [.mov]
      default: []
      }
    let taken = holding.filter { container in
      container == wanted ?? container
        && profiles.allSatisfy { $0.containers.contains(container.rawValue) }
    }
    return taken.first { $0.rawValue == facts.container } ?? taken.first
  }

  /// The sample entry that Apple systems play. ffmpeg writes `hev1` for HEVC unless told otherwise.
  private static func tag(_ facts: MediaFacts) -> [String] {
    guard let entries = VideoCodec.named(facts.codec)?.sampleEntries,
      let wanted = entries.played.first
    else { return [] }
    if facts.isISOMedia, let tag = facts.codecTag, entries.played.contains(tag) { return [] }
    return facts.codec == "hevc" || facts.isISOMedia ? ["-tag:v", wanted] : []
  }

  /// Matroska counts in milliseconds, which are too coarse for most rates. In a track that counts in frames, each
  /// takes its place again. Rates of 1000/1001 have no such unit, and keep the rounding.
  private static func timescale(_ facts: MediaFacts) -> [String] {
    guard ["matroska", "webm"].contains(facts.container), facts.frameRateMode == .constant,
      let rate = facts.frameRateRatio, rate.denominator == 1, (1...1000).contains(rate.numerator)
    else { return [] }
    return ["-video_track_timescale", "\(rate.numerator)"]
  }
}

extension CopyRequest {
  /// The copy that mends findings of these kinds for all of these profiles; `nil` where none does.
  package init?(
    _ facts: MediaFacts, for profiles: [Profile], mending kinds: Set<RepairKind>,
    into wanted: MovieContainer? = nil
  ) {
    guard facts.canBeCopied, facts.playsSomewhere, facts.statesTimes,
      let container = Repair.container(of: facts, for: profiles, wanted: wanted)
    else { return nil }
    self.init(
      container: container, matrix: kinds.contains(.metadata) ? facts.shownMatrix : nil,
      sourceBytes: facts.fileBytes)
  }
}

extension MediaFacts {
  /// Whether a copy of the packets is the same clip: it would show what an edit list hides, and lose a clean aperture.
  fileprivate var canBeCopied: Bool {
    discardedFrameCount == 0 && cleanAperture == nil && !joinsParts && frameRateRatio != nil
  }

  /// Whether it is known without decoding when each frame is shown. AVI stores no such times, and libavformat makes none for
  /// H.264 and HEVC, whose frames may be stored in another order.
  fileprivate var statesTimes: Bool { container != "avi" || !["h264", "hevc"].contains(codec) }

  /// Whether a copy in another container is worth making.
  fileprivate var playsSomewhere: Bool {
    (VideoCodec.named(codec)?.playback ?? .nowhere) != .nowhere
  }

  var isISOMedia: Bool { ["mp4", "mov", "3gp"].contains(container) }

  /// Whether the video starts after zero, by more than rounding.
  var startsLate: Bool { startSeconds > 0.001 }

  /// Whether the edit list shows several parts of the media, one behind the other.
  var joinsParts: Bool { (editList ?? []).count { $0.mediaSeconds != nil } > 1 }
}
