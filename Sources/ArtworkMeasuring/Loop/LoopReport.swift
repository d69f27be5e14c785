/// The parts of a clip that loop.
public struct LoopReport: Sendable, Equatable, Codable {
  public enum Answer: String, Sendable, Codable, CaseIterable {
    /// The clip loops unchanged, and is short enough.
    case loops
    /// A part of it loops.
    case trim
    /// No part loops.
    case none
    /// Nothing moves: any part loops.
    case `static`
    /// There are too few frames to search, see ``fewestFrames``.
    case tooShort = "too-short"
  }

  /// A part to cut out.
  public enum Choice: Sendable, Equatable {
    /// The first that loops, or else the one that dissolves.
    case best
    /// The one with this number in ``candidates``, counted from 1.
    case numbered(Int)
    /// The one whose end dissolves into the frames before its start, see ``crossFade``.
    case dissolved
  }

  public var answer: Answer
  /// Different loops, the best first, or the nearest parts if none loops. Never the whole clip.
  public var candidates: [TrimCandidate]
  /// The whole clip; `nil` for a single frame.
  public var whole: TrimCandidate?
  /// A cross-fade, if no part loops or only parts that hardly move.
  public var crossFade: CrossFade?
  /// The clip without a drift of its light, if it loops then.
  package var drift: LightDrift?
  /// The frames between the fades, if those are cut, and the ones that may play forward and backward; `nil` for all.
  package var lit: Range<Int>?
  package var swing: Range<Int>?

  public var frameCount: Int
  /// When the first frame starts and when the last one ends, in seconds.
  public var startSeconds: Double
  public var endSeconds: Double
  /// Exact for a constant rate, the mean for a variable one; `nil` for a single frame without a duration.
  public var frameRate: Rational?
  public var isVariableRate: Bool
  /// Frames that the decoder did not return or had to conceal. With damage, parts may look worse than they are.
  public var damagedFrames: Int
  /// Loops are shorter than this, in seconds.
  public var below: Double
  /// How alike each frame and the cover are, or the first frame without a cover; `nil` if that was not asked.
  package var likeness: [Float]?
  /// The state of the file that was searched; `nil` if it is unknown.
  package var searched: FileState?

  public var durationSeconds: Double { endSeconds - startSeconds }

  /// Fewest frames of a clip with a verdict: with fewer, the motion at both ends cannot be compared.
  public static let fewestFrames = 6

  /// The part in the pictures: the best candidate, or the whole clip if it loops or nothing is better.
  public var shown: TrimCandidate? {
    switch answer {
    case .loops, .static, .tooShort: whole ?? candidates.first
    case .trim, .none: candidates.first ?? whole
    }
  }

  package init(
    answer: Answer, candidates: [TrimCandidate], whole: TrimCandidate? = nil,
    crossFade: CrossFade? = nil, frameCount: Int, startSeconds: Double, endSeconds: Double,
    frameRate: Rational? = nil, isVariableRate: Bool, damagedFrames: Int, below: Double
  ) {
    self.answer = answer
    self.candidates = candidates
    self.whole = whole
    self.crossFade = crossFade
    self.frameCount = frameCount
    self.startSeconds = startSeconds
    self.endSeconds = endSeconds
    self.frameRate = frameRate
    self.isVariableRate = isVariableRate
    self.damagedFrames = damagedFrames
    self.below = below
  }
}
