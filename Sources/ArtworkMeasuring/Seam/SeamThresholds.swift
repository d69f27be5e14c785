/// The thresholds of ``LoopSeamRule`` for a ``SeamMeasurement``. Ratios compare the seam with the rest of the clip.
/// They were chosen on the tuning half of labelled clips; docs/measurements.md has the accuracy on others.
package struct SeamThresholds: Sendable, Equatable {
  /// Nothing moves if no busy step is larger, in code values: coding noise.
  package var still = 0.6

  /// The picture jumps above this surprise. Of the multiples of it that `Scripts/accuracy/seams/leave-one-out.py`
  /// tries, this one has the fewest mistakes on the labelled clips.
  package var jump = 1.2
  /// If motion fits, a jump needs an excess over the errors of the best motion above this, and a clear one above the
  /// usual: otherwise coding noise surprises.
  package var excess = 1.3
  /// A jump is clear above this surprise; below it is a hitch.
  package var clearJump = 1.5
  /// How much more a surprise needs that rests on less: on small parts of the picture, or on animation on twos and
  /// threes, which has fewer pictures to compare with.
  package var lessEvidence = 0.2

  /// The content differs if motion leaves this share of the texture unexplained...
  package var cutUnexplained = 0.45
  /// ... and the pictures correlate less than this, or the change surprises.
  package var cutLikeness = 0.5
  /// It is another scene if its colours differ by so many code values: moving objects keep their colours. On the
  /// tuning half most jumps are below 7, and cuts above 18.
  package var cutColours = 10.0
  /// This number of equally unexplained transitions near the seam makes a rhythm: the clip cuts or flashes like that.
  package var rhythm = 2

  /// The seam is ordinary if a transition inside is this many times as sudden at its worst blocks...
  package var recurring = 1.05
  /// ... or, in a part of the picture, this many times, and correlates this much with it or with what takes it back.
  package var recurringAlike = 0.85
  package var sameChange = 0.85

  /// A fade ends below this share of the usual contrast.
  package var fade = 0.25
  /// A common shift of luma or chroma that is seen: code values beyond one and a half times the usual shift.
  package var shift = 2.2
  /// A change of contrast that is seen: a natural logarithm, beyond one and a half times the usual one.
  package var contrast = 0.08

  /// The least duration of a stop beside the seam, if it is not soft: the geometric mean of the speeds on both sides
  /// of the rest is more than this share of the usual one. At least four frames, so that slow frame rates do not
  /// count. 0.2 s, less the rounding of times to whole milliseconds.
  package var freezeSeconds = 0.19
  package var freezeOnset = 0.62

  /// The picture pops if sharpness rises by more than this natural logarithm beyond twice the usual rise.
  package var pop = 0.38

  /// A frame is held if the motion around it continues by this share of a straight line, and more the less it repeats
  /// the frame before. At a turning point that is 0; pictures that change completely with every frame have a half.
  package var heldStraightness = 0.3
  /// The clip plays back and forth if the misfit of the frames around the seam to the opposite order is less than
  /// this share of the misfit to every other.
  package var mirror = 0.7

  package init() {}

  package static let standard = SeamThresholds()
}
