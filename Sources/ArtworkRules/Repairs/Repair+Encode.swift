extension Repair {
  /// Encodes the video in the way that the profile takes; `nil` where no common encoder makes that, or where ffmpeg
  /// would not show the same picture.
  ///
  /// - Parameter edit: what else changes; it searches no loop.
  package static func encode(
    _ facts: MediaFacts, for profile: Profile, _ edit: ClipEdit = ClipEdit()
  ) -> Repair? {
    // ffmpeg 5.1 shows what is outside a clean aperture, and 7.1 does not.
    guard facts.cleanAperture == nil, facts.isReadByFFmpeg else { return nil }
    let isSDR = edit.makesBT709
    guard let encoder = Encoder(facts, profile, isSDR: isSDR) else { return nil }
    let chain =
      start(facts) + edit.filters(facts)
      + (encoder.needsSDR || isSDR && facts.color.isHDR ? toneMap(facts) : [])
      + (isSDR && !facts.color.isHDR ? [toBT709(facts)].compactMap(\.self) : [])
      + colors(facts, for: profile, isSDR: isSDR || encoder.needsSDR) + evenSides(facts, encoder)
    let isVariable = facts.frameRateMode == .variable && edit.rate == nil
    let isOurs =
      facts.canBeEncoded(for: profile) && (!edit.makesBT709 || facts.becomesBT709)
    return ffmpeg(
      before: edit.passes > 1 ? ["-stream_loop", "\(edit.passes - 1)"] : [],
      mapped(facts) + ["-fps_mode", "passthrough"] + (isVariable ? ["-enc_time_base", "-1"] : [])
        + (chain.isEmpty ? [] : ["-vf", chain.joined(separator: ",")]) + encoder.options
        + (encoder.hasBitRate ? rateLimit(facts, profile) : []) + ["-movflags", "+faststart"],
      extension: encoder.extension, kind: isOurs ? .unsafe : nil, edit: isOurs ? edit : nil)
  }

  private struct Encoder {
    var options: [String]
    var `extension`: String
    /// HDR has to become SDR, since the profile takes no codec that is used for HDR.
    var needsSDR = false
    var hasBitRate = true
    var is420 = true

    init?(_ facts: MediaFacts, _ profile: Profile, isSDR: Bool) {
      func takes(_ name: String) -> Bool { profile.codecs.map { $0.contains(name) } ?? true }
      let isHDR = facts.color.isHDR && !isSDR
      let variant = "\(facts.codec)-\(facts.profile?.lowercased() ?? "")"
      let staysProRes =
        facts.codec == "prores" && profile.codecs != nil && (takes("prores") || takes(variant))
      let holdsMP4 = profile.containers.contains("mp4")
      guard holdsMP4 || profile.containers.contains("mov") else { return nil }
      `extension` = holdsMP4 ? "mp4" : "mov"
      if staysProRes || !takes("h264") && !takes("hevc") {
        guard takes("prores") || takes("prores-4444"), profile.containers.contains("mov") else {
          return nil
        }
        `extension` = "mov"
        (hasBitRate, is420) = (false, false)
        let is4444 = !takes("prores") || facts.chroma == "4:4:4" || facts.hasAlpha
        options =
          is4444
          ? [
            "-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt",
            facts.hasAlpha ? "yuva444p10le" : "yuv444p10le",
          ]
          : ["-c:v", "prores_ks", "-profile:v", "hq", "-pix_fmt", "yuv422p10le"]
      } else if isHDR && takes("hevc") || !takes("h264") {
        // 8 bits are too few for HDR.
        options = [
          "-c:v", "libx265", "-crf", "18", "-pix_fmt", isHDR ? "yuv420p10le" : "yuv420p",
          "-tag:v", "hvc1",
        ]
      } else {
        needsSDR = isHDR
        options = ["-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p"]
      }
    }
  }

  /// Times from zero on. Frames that an edit list hides are dropped by ffmpeg.
  private static func start(_ facts: MediaFacts) -> [String] {
    facts.startsLate || facts.hasAudio || facts.discardedFrameCount > 0
      ? ["setpts=PTS-STARTPTS"] : []
  }

  /// 4:2:0 needs even sides.
  private static func evenSides(_ facts: MediaFacts, _ encoder: Encoder) -> [String] {
    encoder.is420 && (facts.codedWidth % 2 != 0 || facts.codedHeight % 2 != 0)
      ? [FFmpegCommand.evenSize] : []
  }

  /// Keeps the colours that players show, and states them where the video does not.
  private static func colors(
    _ facts: MediaFacts, for profile: Profile, isSDR: Bool
  ) -> [String] {
    if isSDR { return [] }
    if facts.chroma == "rgb" { return FFmpegCommand.videoColors }
    // Stating another matrix would break what the destination asks for.
    if profile.wantsBT709, facts.color.matrix == nil, facts.shownMatrix != "bt709",
      let converted = toBT709(facts)
    {
      return [converted]
    }
    var filters: [String] = []
    if facts.color.range == "pc" || facts.pixelFormat.hasPrefix("yuvj") {
      filters.append("scale=in_range=pc:out_range=tv")
    }
    if facts.color.matrix == nil {
      filters.append("setparams=colorspace=\(facts.shownMatrix)")
    }
    return filters
  }

  /// Makes any colours BT.709; `nil` where ffmpeg's filters do not know them.
  static func standardColors(_ facts: MediaFacts, for profile: Profile) -> Repair? {
    guard facts.color.isHDR || toBT709(facts) != nil else { return nil }
    return encode(facts, for: profile, ClipEdit(makesBT709: true))
  }

  private static func toBT709(_ facts: MediaFacts) -> String? {
    let transfer = facts.color.transfer ?? "bt709"
    guard facts.chroma != "rgb", facts.chroma != "gray",
      [
        "bt709", "bt470m", "bt470bg", "smpte170m", "smpte240m", "iec61966-2-1", "bt2020-10",
        "bt2020-12",
      ]
      .contains(transfer)
    else { return nil }
    return "colorspace=all=bt709:range=tv:ispace=\(facts.shownMatrix)"
      + ":iprimaries=\(facts.color.primaries ?? "bt709"):itrc=\(transfer)"
  }

  /// Writes the matrix that players take into the video: in its bitstream without encoding where that can be.
  static func statedMatrix(_ facts: MediaFacts, for profile: Profile) -> Repair? {
    if profile.wantsBT709, facts.shownMatrix != "bt709" {
      return standardColors(facts, for: profile)
    }
    // ITU-T H.273.
    let code = ["bt709": 1, "smpte170m": 6, "bt2020nc": 9][facts.shownMatrix]
    if let code, ["h264", "hevc"].contains(facts.codec) {
      let filter = "\(facts.codec)_metadata=matrix_coefficients=\(code)"
      if let copy = copy(facts, for: profile, filters: [filter]) { return copy }
    }
    return encode(facts, for: profile)
  }

  /// From PQ or HLG to BT.709. The filters need an ffmpeg with zimg, which Debian's has.
  private static func toneMap(_ facts: MediaFacts) -> [String] {
    let color = facts.color
    return [
      "zscale=tin=\(color.transfer ?? "smpte2084"):pin=\(color.primaries ?? "bt2020")"
        + ":min=\(color.matrix ?? "bt2020nc"):rin=\(color.range ?? "tv"):t=linear:npl=203",
      "format=gbrpf32le", "zscale=p=bt709", "tonemap=hable:desat=0",
      "zscale=t=bt709:m=bt709:r=tv",
    ]
  }

  private static func rateLimit(_ facts: MediaFacts, _ profile: Profile) -> [String] {
    let seconds = max(facts.durationSeconds, 0.1)
    guard let least = profile.mostBitsPerSecond(seconds),
      let limit = RateLimit(least, seconds: seconds)
    else { return [] }
    // x264 counts in kbit; more than its largest level allows is no limit.
    let (rate, buffer) = (limit.bitsPerSecond / 1000, limit.bufferedBits / 1000)
    guard (1..<1_000_000).contains(rate) else { return [] }
    return ["-maxrate", "\(rate)k", "-bufsize", "\(max(1, buffer))k"]
  }
}

extension Profile {
  /// What a clip of this length may have; `nil` for any number.
  func mostBitsPerSecond(_ seconds: Double) -> Double? {
    [maxBitRate.map(Double.init), maxFileBytes.map { Double($0) * 8 / max(seconds, 0.1) }]
      .compactMap(\.self).min()
  }
}
