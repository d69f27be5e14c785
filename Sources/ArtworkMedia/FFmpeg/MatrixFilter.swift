import CFFmpeg

/// Sets the colour matrix in packets, and verifies that nothing else changes.
///
/// The filter of libavcodec reads the headers, sets the matrix, and writes them again. If it reproduces its input
/// byte for byte when it sets nothing, it has parsed everything, so the matrix is all that it changes.
struct MatrixFilter: ~Copyable {
  private var stating: BitstreamFilter
  private var same: BitstreamFilter
  private let before: NALUnits?
  private let after: NALUnits?
  private let again: NALUnits?
  /// Whether no bit but those of the statement has changed so far.
  private(set) var isFaithful: Bool

  /// - Parameter matrix: by FFmpeg's name.
  /// - Throws: as ``BitstreamFilter/stating(_:in:)``.
  static func stating(
    _ matrix: String, in stream: VideoStream
  ) throws(InspectionError) -> MatrixFilter {
    let stating = try unsafe BitstreamFilter.stating(matrix, in: stream)
    let same = try unsafe BitstreamFilter.changingNothing(in: stream)
    let (before, after) = unsafe (NALUnits(stream.parameters), NALUnits(stating.parameters))
    let again = unsafe NALUnits(same.parameters)
    return MatrixFilter(
      stating: stating, same: same, before: before, after: after, again: again,
      isFaithful: before != nil && before?.setup == again?.setup)
  }

  private init(
    stating: consuming BitstreamFilter, same: consuming BitstreamFilter, before: NALUnits?,
    after: NALUnits?, again: NALUnits?, isFaithful: Bool
  ) {
    self.stating = stating
    self.same = same
    (self.before, self.after, self.again) = (before, after, again)
    self.isFaithful = isFaithful
  }

  /// The parameters of the output packets.
  var parameters: UnsafeMutablePointer<AVCodecParameters> { unsafe stating.parameters }

  /// Replaces `packet` by one that states the matrix.
  ///
  /// - Throws: `decode-failed` or `out-of-memory`.
  mutating func filter(_ packet: inout Packet) throws(InspectionError) {
    let original = try packet.shared()
    try stating.filter(&packet)
    guard isFaithful, !Self.agree(original, before, packet, after) else { return }
    var rewritten = try original.shared()
    do throws(InspectionError) {
      try same.filter(&rewritten)
      isFaithful = Self.agree(original, before, rewritten, again)
    } catch {
      isFaithful = false
    }
  }

  private static func agree(
    _ one: borrowing Packet, _ units: NALUnits?, _ other: borrowing Packet, _ others: NALUnits?
  ) -> Bool {
    unsafe one.withBytes { bytes in
      unsafe other.withBytes { otherBytes in
        guard let a = unsafe units?.units(of: bytes), let b = unsafe others?.units(of: otherBytes)
        else {
          return false
        }
        return unsafe a.count == b.count && zip(a, b).allSatisfy { unsafe $0.elementsEqual($1) }
      }
    }
  }
}
