/// The file has fewer frames than its container declares, or the decoder rejects some.
enum TruncatedRule: Rule {
  static let id = "truncated"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let effort = candidate.inspection.decoding
    if candidate.facts.isMisnumbered == true, !effort.isCutShort {
      return Breach(
        .error, "the frames are numbered wrongly, and browsers stop at the first such number",
        help: "export it again", measured: "sequence numbers out of order",
        limit: "0, 1, 2 and so on")
    }
    guard effort.isCutShort || effort.errorCount > 0 else { return nil }
    let measured =
      effort.rest(of: candidate.facts.frameCount)
      ?? counted(effort.errorCount, "decoding error")
    return Breach(
      .error,
      effort.isCutShort
        ? "frames are missing: the file is truncated or damaged" : "some frames are damaged",
      help: "copy or export it again", measured: measured, limit: "every frame intact")
  }
}

/// HEVC has two sample entries, of which Apple systems play `hvc1` only. For H.264 it is `avc1`.
enum CodecTagRule: Rule {
  static let id = "codec-tag"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard ["mp4", "mov", "3gp"].contains(facts.container), let tag = facts.codecTag,
      let codec = VideoCodec.named(facts.codec), let entries = codec.sampleEntries,
      let target = entries.played.first
    else { return nil }
    if facts.parameterSets == .frames {
      return Breach(
        .error,
        "\(codec.title) tagged \(tag) has its parameter sets among its frames only, and does not play "
          + "on Apple systems", help: "move them into the header, without encoding",
        .copyOrEncode(facts, for: profile), otherwise: "export it again with the tag \(target)",
        measured: "parameter sets among the frames", limit: "parameter sets in the header")
    }
    guard !entries.played.contains(tag) else { return nil }
    return Breach(
      entries.othersPlay ? .warning : .error,
      "\(codec.title) tagged \(tag) "
        + (entries.othersPlay ? "may not play everywhere" : "does not play on Apple systems"),
      help: "copy it with the tag \(target), without encoding", .copyOrEncode(facts, for: profile),
      measured: tag, limit: target)
  }
}

/// Hardware decoders of Apple devices take 4:2:0 H.264 with 8 bits and 4:2:0 HEVC with 8 or 10.
enum PixelFormatRule: Rule {
  static let id = "pixel-format"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard let codec = VideoCodec.named(facts.codec), let safe = codec.safeFormats,
      facts.chroma != safe.chroma || !safe.bitDepths.contains(facts.bitDepth)
    else { return nil }
    return Breach(
      .error,
      "not every Apple device decodes \(codec.title) \(facts.chroma) with \(facts.bitDepth) bits",
      help: "export it as 4:2:0 with 8 bits", .encode(facts, for: profile),
      measured: "\(facts.pixelFormat) (\(facts.chroma), \(facts.bitDepth) bits)",
      limit: "\(safe.chroma), \(safe.bits)")
  }
}

/// Whether all lines of a frame are of one moment.
enum FieldOrderRule: Rule {
  static let id = "field-order"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    let facts = candidate.facts
    guard let order = facts.fieldOrder, order != .progressive else { return nil }
    return Breach(
      .error, "the video is interlaced", help: "deinterlace it in your editor and export it again",
      facts.bitDepth == 8 && facts.chroma.hasPrefix("4:") && !facts.color.isHDR && !facts.hasAlpha
        ? .encode(facts, for: profile) : nil,
      measured: order == .upperFirst ? "upper field first" : "lower field first",
      limit: "progressive")
  }
}

/// A player that loops back to a keyframe has to be able to start decoding there.
enum ClosedGOPRule: Rule {
  static let id = "closed-gop"

  static func breach(_ candidate: JudgedCandidate, _ profile: Profile) -> Breach? {
    guard let count = candidate.facts.leadingFrameCount, count > 0 else { return nil }
    return Breach(
      .warning, "there are open GOPs: frames shown before a keyframe refer to the previous GOP",
      help: "encode with closed GOPs, which is the default of x264",
      .encode(candidate.facts, for: profile),
      measured: counted(count, "leading frame"), limit: "no leading frames")
  }
}

/// An animation has parts that are not drawn as its designer sees them.
package enum LottieUnsupportedRule: Rule {
  package static let id = "lottie-unsupported"

  package static func breaches(_ candidate: JudgedCandidate, _ profile: Profile) -> [Breach] {
    let found = candidate.facts.unsupported ?? []
    return Limitation.Feature.allCases.compactMap { feature in
      let places = found.filter { $0.feature == feature }
      guard let first = places.first else { return nil }
      let more = places.count > 1 ? ", and \(places.count - 1) more" : ""
      let detail = first.detail.map { " (\($0))" } ?? ""
      return Breach(
        .warning,
        "\(feature.title) are not drawn: layer \(first.layer)\(detail) from frame \(first.frame)\(more)",
        help: feature.help, measured: feature.rawValue, limit: "drawn as designed")
    }
  }
}

extension Limitation.Feature {
  fileprivate var help: String {
    switch self {
    case .text: "convert the text to shapes before the export"
    case .layer: "remove the layer, or render the video where the animation was made"
    case .image: "embed the images as PNG in the export, or name their folder with --images"
    case .effect, .layerStyle, .blendMode, .depth:
      "draw it as shapes, or render the video where the animation was made"
    case .expression: "bake the expression to keyframes before the export"
    case .mergePaths, .modifier: "expand it to plain paths before the export"
    case .theme: "write its values into the animation, or export it without the theme"
    case .stateMachine: "choose the animation with --animation; what a viewer triggers is not drawn"
    case .skew, .mask, .stretchedStroke: "draw it as plain shapes before the export"
    }
  }
}
