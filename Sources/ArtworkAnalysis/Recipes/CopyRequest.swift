/// How a video is copied into a new file, packet by packet.
package struct CopyRequest: Sendable, Equatable, Codable {
  package var container: MovieContainer
  /// The colour matrix that the bitstream and the container state from now on, in FFmpeg's name; `nil` leaves it.
  package var matrix: String?
  /// The displayed frames that are taken, counted from zero; `nil` for all.
  package var frames: Range<Int>?
  /// The size of the source in bytes, from which the largest size of the copy follows.
  package var sourceBytes: Int64

  /// The copy has the same packets. A container adds at most 64 bytes for each in its tables, with another header for
  /// each NAL unit, and a bitstream filter a few bytes for each key frame.
  package func mostBytes(_ limits: Limits) -> Int64 {
    let tables = Int64(limits.frames).multipliedClamped(by: 64)
    return sourceBytes.addingClamped(sourceBytes / 16).addingClamped(tables).addingClamped(1 << 20)
  }

  package init(
    container: MovieContainer, matrix: String? = nil, frames: Range<Int>? = nil, sourceBytes: Int64
  ) {
    (self.container, self.matrix, self.frames) = (container, matrix, frames)
    self.sourceBytes = sourceBytes
  }
}
