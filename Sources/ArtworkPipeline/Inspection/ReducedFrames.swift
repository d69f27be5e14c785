import ArtworkModel

/// What a ``FrameSource`` tells of a clip after its frames were read.
struct ReducedFrames<Reduced> {
  /// As many frames as were wanted, or all there are, from the first on, in presentation order.
  var first: [Reduced]
  /// As many frames as were wanted, or all there are, up to the last, in presentation order. Overlaps `first` in
  /// short clips.
  var last: [Reduced]
  /// Every frame was reduced, in presentation order; otherwise those at the ends, in any order.
  var isWhole: Bool
  /// Displayed frames of the clip.
  var count: Int
  /// Presentation timestamps of all displayed frames in order, and the duration of the last one, zero where unknown;
  /// in units of `timeBase` seconds.
  var timestamps: [Int64]
  var lastDuration: Int64
  var timeBase: Rational
  /// The usual step between frames in the same unit.
  var medianStep: Int64
  /// How stored pictures are turned to be shown.
  var orientation: Orientation
  /// As far as the source knows them.
  var facts: MediaFacts
  var effort: Inspection.DecodingEffort
  /// Displayed frames that the source lists, but that did not come out of the decoder.
  var lostCount: Int

  /// Each frame that was kept once, in presentation order.
  var distinctFrames: [Reduced] {
    first + last.suffix(min(last.count, max(0, count - first.count)))
  }
}
