/// The colour description of a stream, in the names that FFmpeg uses (ITU-T H.273 code points). `nil` if the
/// stream does not state a value: players then guess.
public struct ColorDescription: Sendable, Hashable, Codable {
  public var matrix: String?
  public var primaries: String?
  public var transfer: String?
  /// `tv` (limited) or `pc` (full).
  public var range: String?

  public init(
    matrix: String? = nil, primaries: String? = nil, transfer: String? = nil, range: String? = nil
  ) {
    self.matrix = matrix
    self.primaries = primaries
    self.transfer = transfer
    self.range = range
  }

  /// High dynamic range: the PQ (SMPTE ST 2084) or HLG (ARIB STD-B67) transfer function.
  public var isHDR: Bool { transfer == "smpte2084" || transfer == "arib-std-b67" }

  /// Whether the primaries include colours outside sRGB.
  public var isWideGamut: Bool {
    primaries == "bt2020" || primaries == "smpte432" || primaries == "smpte431"
  }
}

extension ColorDescription {
  /// The matrix that players take: the stated one, or else a guess.
  ///
  /// An unspecified matrix is BT.2020 for HDR, and otherwise BT.709 from 720 lines or 1280 columns up, and BT.601
  /// (`smpte170m`) below. Chromium decides by the height (`AVStreamToVideoDecoderConfig`: BT.601 below 720 lines).
  /// mpv assumes BT.709 from 1280 columns or 577 lines up (`mp_csp_guess_colorspace`). Where they differ, from 577 to
  /// 719 lines, this follows Chromium. Apple does not document what AVFoundation assumes.
  ///
  /// - Parameters:
  ///   - width, height: of the decoded picture.
  package func assumedMatrix(width: Int, height: Int) -> String {
    if let matrix { return matrix }
    if isHDR { return "bt2020nc" }
    return width >= 1280 || height >= 720 ? "bt709" : "smpte170m"
  }
}

extension ColorDescription {
  /// Whether both specify a value and players would show these differently. Curves that are identical under several
  /// names (ITU-T H.273, table 3) count as one.
  package func contradicts(_ other: ColorDescription) -> Bool {
    func differ(_ first: String?, _ second: String?) -> Bool {
      first.flatMap { first in second.map { $0 != first } } ?? false
    }
    func curve(_ name: String?) -> String? {
      name.map { ["smpte170m", "bt2020-10", "bt2020-12"].contains($0) ? "bt709" : $0 }
    }
    return differ(matrix, other.matrix) || differ(primaries, other.primaries)
      || differ(curve(transfer), curve(other.transfer)) || differ(range, other.range)
  }
}

extension MediaFacts {
  package var assumedMatrix: String { color.assumedMatrix(width: codedWidth, height: codedHeight) }
}

extension ColorDescription {
  /// The colours of videos made from pictures: BT.709 in limited range.
  package static let video = ColorDescription(
    matrix: "bt709", primaries: "bt709", transfer: "bt709", range: "tv")
}
