/// What a loop's seam looks like to a viewer, as judged by ``LoopSeamRule``.
public struct SeamJudgement: Sendable, Equatable, Codable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    /// The step from last to first is like any other step.
    case seamless
    /// The last frame repeats the first: a hitch.
    case held
    /// The picture jumps.
    case jump
    /// The clip starts from or ends in a flat picture.
    case fade
    /// Nothing moves.
    case `static`
  }

  public var verdict: Verdict
  /// The step across the seam, in multiples of the clip's own step near its ends.
  public var score: Double
  /// The measured steps behind the score, in 8-bit code values.
  public var seamStep: Double
  public var ownStep: Double
}
