/// Words that people type without a report at hand, each with the entries that explain it.
extension Glossary {
  /// Rules and codes by an alias in lower case, with hyphens for spaces.
  static let aliases: [String: [String]] = {
    let groups: [([String], [String])] = [
      (
        ["hev1", "hvc1", "avc1", "avc3", "dvh1", "dvhe", "fourcc", "sample-entry", "tag"],
        ["codec-tag"]
      ),
      (
        ["vfr", "cfr", "variable-frame-rate", "constant-frame-rate", "variable", "jitter"],
        ["frame-rate-mode"]
      ),
      (["fps", "120fps", "rate"], ["frame-rate"]),
      (
        [
          "24fps", "25fps", "pulldown", "3:2", "telecine", "stutter", "duplicate-frames",
          "repeated-frames",
        ],
        ["judder", "loop-seam"]
      ),
      (
        [
          "webm", "mkv", "matroska", "avi", "mov", "mp4", "quicktime", "gif", "apng", "webp",
          "lottie",
        ],
        ["container"]
      ),
      (["vp8", "vp9", "av1", "prores", "hevc", "h264", "h.264", "h265"], ["codec"]),
      (
        [
          "hdr", "hdr10", "hlg", "pq", "dolby-vision", "bt2020", "bt.2020", "bt709", "bt601",
          "matrix",
          "colour", "color-space", "colour-space", "gamut", "washed-out",
        ],
        ["color"]
      ),
      (
        ["yuv444p", "yuv422p", "4:4:4", "4:2:2", "10-bit", "chroma", "bit-depth"], ["pixel-format"]
      ),
      (
        ["black-frame", "blank", "black", "white-frame", "first-frame"],
        ["blank-first-frame", "fade"]
      ),
      (
        ["aspect", "ratio", "shape", "sar", "par", "stretched"], ["aspect-ratio", "preview-aspect"]
      ),
      (["bars", "black-bars", "pillarbox", "border"], ["letterbox"]),
      (["upscaled", "enlarged", "blurry", "unsharp"], ["softness"]),
      (
        ["blocky", "blocks", "blocking", "macroblocks", "pixelated"], ["blockiness"]
      ),
      (["bands", "posterised", "posterized", "posterization", "gradient"], ["banding"]),
      (
        ["artefacts", "artifacts", "compression-artefacts", "compression-artifacts"],
        ["blockiness", "banding"]
      ),
      (["sound", "audio", "aac"], ["audio-track", "loop-gap"]),
      (["gap", "pause", "hesitates"], ["loop-gap", "held"]),
      (["loop", "seam"], ["loop-seam"]),
      (["moov", "faststart", "progressive"], ["fast-start"]),
      (["gop", "open-gop", "keyframe"], ["closed-gop"]),
      (["size", "resolution", "pixels", "small", "odd"], ["dimensions", "file-size"]),
      (["epilepsy", "strobe", "flicker", "flashing", "seizure"], ["flash"]),
      (["thumbnail", "preview", "poster"], ["preview-aspect", "preview-match"]),
      (["cover"], ["complementary"]),
      (["length", "seconds", "too-short"], ["duration"]),
      (["edit-list", "offset", "delay"], ["start-offset"]),
      (["corrupt", "damaged", "cut-off", "missing-frames"], ["truncated"]),
      (["still", "motionless"], ["static", "freeze"]),
      (["level", "decoder", "heavy"], ["decode-cost"]),
      (["duplicate", "copy", "twin"], ["duplicate-content"]),
      (["variant", "3x4", "1x1", "tall", "square", "portrait"], ["pair", "inset-cover"]),
      (["inset", "background", "blurred-background"], ["inset-cover"]),
      (["artworkid", "id"], ["artwork-id-reuse"]),
      (["bandwidth", "mbit"], ["bitrate"]),
    ]
    var aliases: [String: [String]] = [:]
    for (words, meanings) in groups {
      for word in words { aliases[word] = meanings }
    }
    return aliases
  }()

  /// The form of a word for lookup.
  static func key(_ word: String) -> String {
    word.lowercased().split { " _\t".contains($0) }.joined(separator: "-")
  }
}
