/// The parameters for making one file from another: `repair`, `loop`, `derive`, `import`, `animate`, `export` and the
/// versions of the service are values of it.
///
/// A recipe is planned from findings or options, carried out by ``MakeJob``, and verified by the caller, who inspects
/// the new file before keeping it.
package struct Recipe: Sendable, Equatable, Codable {
  package enum Content: Sendable, Equatable, Codable {
    /// The packets of the video track, unchanged.
    ///
    /// - Parameters:
    ///   - matrix: the colour matrix that the bitstream and the container state from now on, in FFmpeg's name; `nil`
    ///     does not change it.
    ///   - sourceBytes: the size of the source, from which the largest size of the copy follows.
    case packets(matrix: String?, sourceBytes: Int64)
    /// Its frames, encoded again.
    case pictures(Encoding)
    /// Its frames in order, as an animated picture.
    case animation(AnimatedPicture)
  }

  package var container: MovieContainer
  package var frames: FrameSelection
  package var content: Content
  /// Degrees, clockwise, by which a copy is displayed turned; `nil` for those of its source.
  package var rotation: Int?

  package init(
    container: MovieContainer = .mp4, frames: FrameSelection = FrameSelection(), content: Content
  ) {
    (self.container, self.frames, self.content) = (container, frames, content)
  }

  /// How the frames are encoded; `nil` for a copy.
  package var encoding: Encoding? {
    get { if case .pictures(let encoding) = content { encoding } else { nil } }
    set { if let newValue { content = .pictures(newValue) } }
  }

  /// Whether the file has the packets of its source.
  package var isCopy: Bool { if case .packets = content { true } else { false } }

  /// The largest size of the new file, in bytes.
  ///
  /// A copy has the packets of its source. A container adds at most 64 bytes for each in its tables, with another
  /// header for each NAL unit, and a bitstream filter a few bytes for each keyframe. A worker holds an encoded file
  /// in memory: an eighth of its limit (``Limits/memoryBytes``), because the file grows by doubling and is copied
  /// once.
  package func mostBytes(_ limits: Limits) -> Int64 {
    guard case .packets(_, let sourceBytes) = content else { return 128 << 20 }
    let tables = Int64(limits.frames).multipliedClamped(by: 64)
    return sourceBytes.addingClamped(sourceBytes / 16).addingClamped(tables).addingClamped(1 << 20)
  }
}
