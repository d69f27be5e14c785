/// The presentation times of the frames of a clip.
package struct ClipClock {
  /// Presentation timestamps of all displayed frames in order, and the duration of the last one, zero if unknown; in
  /// units of `timeBase` seconds.
  package var timestamps: [Int64]
  package var lastDuration: Int64
  package var timeBase: Rational
  /// The usual step between frames in the same unit.
  package var medianStep: Int64
  /// Numbers of frames that can be read without those before them, ascending.
  package var keyFrames: [Int] = []
  /// The size of each frame in bytes; empty if unknown. See ``PacketSizes``.
  package var sizes: [Int] = []
  /// The place of each frame in the order of decoding; empty if unknown.
  package var places: [Int] = []

  /// The number of displayed frames.
  package var count: Int { timestamps.count }
  /// The usual time between two frames in seconds.
  package var interval: Double { Double(medianStep) * timeBase.value }
  /// Whether any frame can only be decoded from the first one on.
  package var isOneGroup: Bool { keyFrames.allSatisfy { $0 == 0 } }

  package init(
    timestamps: [Int64], lastDuration: Int64, timeBase: Rational, medianStep: Int64,
    keyFrames: [Int] = [], sizes: [Int] = [], places: [Int] = []
  ) {
    self.timestamps = timestamps
    self.lastDuration = lastDuration
    self.timeBase = timeBase
    self.medianStep = medianStep
    self.keyFrames = keyFrames
    self.sizes = sizes
    self.places = places
  }

  /// That of the same clip without its last frame.
  var withoutLast: ClipClock {
    ClipClock(
      timestamps: timestamps.dropLast(), lastDuration: lastDuration, timeBase: timeBase,
      medianStep: medianStep, keyFrames: keyFrames.filter { $0 < count - 1 },
      sizes: sizes.dropLast(), places: places.dropLast())
  }
}
