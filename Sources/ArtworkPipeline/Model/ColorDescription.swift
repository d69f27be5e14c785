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
