/// Every displayed frame of a clip in order, by which two files are compared.
package struct DisplayedFrames: Sendable, Equatable {
  package struct Frame: Sendable, Equatable {
    /// 128 bits of its format, its size and its visible samples.
    package var digest: SIMD2<UInt64>
    /// The presentation time, relative to the first frame.
    package var nanoseconds: Int64

    package init(
      digest: SIMD2<UInt64>, nanoseconds: Int64
    ) {
      self.digest = digest
      self.nanoseconds = nanoseconds
    }
  }

  package var frames: [Frame] = []
  /// The resolution of the file's timestamps.
  package var tickNanoseconds: Int64 = 1

  package init(frames: [Frame] = [], tickNanoseconds: Int64 = 1) {
    self.frames = frames
    self.tickNanoseconds = tickNanoseconds
  }

  /// The frames of a part, with times from its first one; all available ones for `nil`.
  package func part(_ numbers: Range<Int>?) -> DisplayedFrames {
    guard let numbers else { return self }
    let frames = frames[numbers.clamped(to: frames.indices)]
    let start = frames.first?.nanoseconds ?? 0
    return DisplayedFrames(
      frames: frames.map { Frame(digest: $0.digest, nanoseconds: $0.nanoseconds - start) },
      tickNanoseconds: tickNanoseconds)
  }

  /// Numbers of the frames that differ from those of `other`, and the places that only one of them has.
  package func differing(from other: DisplayedFrames) -> Int {
    zip(frames, other.frames).count { $0.digest != $1.digest }
      + abs(frames.count - other.frames.count)
  }

  /// The largest difference between the times of two frames with the same number, in nanoseconds.
  package func shift(from other: DisplayedFrames) -> Int64 {
    zip(frames, other.frames).map { ($0.nanoseconds - $1.nanoseconds).magnitude }.max()
      .map { Int64(clamping: $0) } ?? 0
  }
}

/// The properties of a clip that its packets alone determine.
package struct ReadPackets: Sendable {
  /// The presentation times of the frames; their digests are zero.
  package var displayed: DisplayedFrames
  /// Digest of the decoder's input: two clips with the same digest decode to the same frames. `nil` if only decoding
  /// can determine it.
  package var input: String?

  package init(displayed: DisplayedFrames, input: String?) {
    (self.displayed, self.input) = (displayed, input)
  }
}

/// The result of decoding every frame of a clip.
package struct DisplayedClip: Sendable {
  package var frames: DisplayedFrames
  package var facts: MediaFacts

  package init(
    frames: DisplayedFrames, facts: MediaFacts
  ) {
    self.frames = frames
    self.facts = facts
  }
}

extension DisplayedFrames {
  /// Bytes of a frame in ``bytes``.
  package static let frameBytes = 24

  /// Largest size of ``bytes``.
  package static func mostBytes(_ limits: Limits) -> Int64 {
    Int64(limits.frames).multipliedClamped(by: Int64(frameBytes))
  }

  /// The frames as plain bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames.count * Self.frameBytes)
    for frame in frames {
      for word in [frame.digest.x, frame.digest.y, UInt64(bitPattern: frame.nanoseconds)] {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * shift))) }
      }
    }
    return bytes
  }

  /// - Returns: `nil` for bytes that ``bytes`` does not make, or for times that no clip has.
  package init?(bytes: [UInt8], tickNanoseconds: Int64) {
    // Ten hours: sums and differences of two times fit.
    let longest: Int64 = 36_000_000_000_000
    guard bytes.count.isMultiple(of: Self.frameBytes), (0...longest).contains(tickNanoseconds)
    else { return nil }
    self.tickNanoseconds = tickNanoseconds
    func word(_ start: Int) -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << (8 * $1) }
    }
    frames = stride(from: 0, to: bytes.count, by: Self.frameBytes).map {
      Frame(
        digest: [word($0), word($0 + 8)], nanoseconds: Int64(bitPattern: word($0 + 16)))
    }
    guard frames.allSatisfy({ $0.nanoseconds.magnitude <= longest.magnitude }) else { return nil }
  }
}
