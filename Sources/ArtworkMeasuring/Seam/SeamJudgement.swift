/// The verdict on a loop point, as judged by ``LoopSeamRule``.
public struct SeamJudgement: Sendable, Equatable, Codable {
  public enum Verdict: String, Sendable, Codable, CaseIterable {
    /// The motion continues over the seam as it does elsewhere.
    case seamless
    /// A frame is doubled at the seam, so the loop hesitates.
    case held
    /// Frames are missing or doubled at the seam.
    case jump
    /// The clip ends with different content than it starts with.
    case cut
    /// The clip fades in from a flat picture, or out to one.
    case fade
    /// The motion stops before the seam, or starts late after it.
    case freeze
    /// Exposure or colour changes at the seam.
    case shift
    /// The motion reverses at the seam.
    case reverse
    /// The picture becomes sharper at the seam, because the encoder gave the end too few bits.
    case pop
    /// Nothing moves.
    case `static`
    /// The frames at the ends do not settle it.
    case uncertain

    /// Whether viewers do not notice the repeat.
    public var loops: Bool { self == .seamless || self == .static }

    /// How reports color a verdict. The severity of a finding comes from its rule.
    package enum Weight {
      case good, doubtful, bad
    }

    package var weight: Weight {
      switch self {
      case .seamless, .static: .good
      case .held, .shift, .reverse, .pop, .uncertain: .doubtful
      case .cut, .jump, .fade, .freeze: .bad
      }
    }
  }

  /// How sure a verdict is.
  public enum Certainty: String, Sendable, Codable {
    /// The verdict is obvious to everyone.
    case certain
    /// Near a limit, or hard to see: play the loop.
    case likely
  }

  public var verdict: Verdict
  public var certainty: Certainty
  /// The step at the seam, as a multiple of the clip's own step near its ends.
  public var score: Double
  /// The measured steps behind the score, in 8-bit code values.
  public var seamStep: Double
  public var ownStep: Double
  /// The jump score: how badly the motion before and after the seam predicts the frames at it, as a multiple of what
  /// loops reach. It is the higher of two values, for a quarter of the picture and for small parts. Above 1 the picture
  /// jumps. `nil` for clips of few frames.
  public var surprise: Double?
  /// The approximate number of frames missing at the seam (negative: doubled); `nil` if unknown.
  public var missingFrames: Int?
  /// The verdict in words.
  public var sentence: String

  public init(
    verdict: Verdict, score: Double, seamStep: Double, ownStep: Double, surprise: Double? = nil,
    certainty: Certainty = .certain, missingFrames: Int? = nil, sentence: String
  ) {
    self.verdict = verdict
    self.certainty = certainty
    self.score = score
    self.seamStep = seamStep
    self.ownStep = ownStep
    self.surprise = surprise
    self.missingFrames = missingFrames
    self.sentence = sentence
  }

  /// The jump score, unless the picture jumps for another reason, such as doubled frames.
  private var tellingSurprise: Double? {
    surprise.flatMap { verdict == .jump && $0 <= 1 ? nil : $0 }
  }

  /// The measured numbers in words.
  public var numbers: String {
    "change at the loop point \(decimal(seamStep, places: 1)); "
      + "usual nearby \(decimal(ownStep, places: 1))"
      + (tellingSurprise.map { "; jump score \(decimal($0, places: 1))" } ?? "")
  }
}

extension SeamJudgement {
  /// How well the clip loops, from 0 to 1: at least 0.5 if it does. The verdict and its certainty choose a quarter; within
  /// it, the jump score decides, or the middle without one.
  ///
  /// It orders clips, and is no probability: `Scripts/accuracy/loopbench` states how well.
  public var loopScore: Double {
    let isCertain = certainty == .certain
    // A turn is a defect only if it is not meant.
    let quarter = verdict.loops ? (isCertain ? 3.0 : 2) : isCertain && verdict != .reverse ? 0 : 1
    let within = surprise.map { min(0.99, 1 / (1 + max(0, $0))) } ?? 0.5
    return ((quarter + within) * 250).rounded() / 1000
  }
}
