/// What a loop's seam looks like to a viewer, as judged by ``LoopSeamRule``.
public struct SeamJudgement: Sendable, Equatable, Codable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    /// The motion goes on over the seam as it does elsewhere.
    case seamless
    /// A frame is shown twice at the seam: a hitch.
    case held
    /// Time is missing at the seam, or shown twice.
    case jump
    /// The clip ends in other content than it starts with.
    case cut
    /// The clip comes from or ends in a flat picture.
    case fade
    /// The motion stops before the seam, or starts late after it.
    case freeze
    /// Exposure or colour steps at the seam.
    case shift
    /// The motion turns round at the seam.
    case reverse
    /// The picture gets sharper at the seam: the encoder had starved the end.
    case pop
    /// Nothing moves.
    case `static`
    /// The frames at the ends cannot tell.
    case uncertain

    /// Whether nobody notices where the clip repeats.
    public var loops: Bool { self == .seamless || self == .static }

    /// For colours; how severe a finding is, its rule says.
    enum Weight {
      case good, doubtful, bad
    }

    var weight: Weight {
      switch self {
      case .seamless, .static: .good
      case .held, .shift, .reverse, .pop, .uncertain: .doubtful
      case .cut, .jump, .fade, .freeze: .bad
      }
    }
  }

  public var verdict: Verdict
  /// The step across the seam, in multiples of the clip's own step near its ends.
  public var score: Double
  /// The measured steps behind the score, in 8-bit code values.
  public var seamStep: Double
  public var ownStep: Double
  /// How far the seam misses what the motion foretells, in multiples of the most that the clip itself does, over
  /// the picture and in its third worst block, whichever is lower. Above 1 the picture jumps. `nil` for clips of
  /// two frames.
  public var surprise: Double?
  /// About how many frames are missing at the seam (negative: shown twice); `nil` where that cannot be told.
  public var missingFrames: Int?
  /// The verdict in words.
  public var sentence: String

  /// The measured numbers as a person would write them.
  public var numbers: String {
    "a step of \(decimal(seamStep, places: 1)) levels at the seam, "
      + "\(decimal(ownStep, places: 1)) beside it"
      + (surprise.map { "; surprise \(decimal($0, places: 1))" } ?? "")
  }
}
