public import ArtworkModel

/// Where a clip can be cut so that it loops.
public struct LoopReport: Sendable, Equatable, Codable {
  public enum Answer: String, Sendable, Codable, CaseIterable {
    /// It loops as it is, and is short enough.
    case loops
    /// A part of it loops.
    case trim
    /// No part loops.
    case none
    /// Nothing moves: any part loops.
    case `static`
    /// Too few frames to cut anything out, see ``fewestFrames``.
    case tooShort = "too-short"
  }

  public var answer: Answer
  /// Different loops, the best first, or what comes nearest where none loops. Never the clip itself.
  public var candidates: [TrimCandidate]
  /// The clip as it is; `nil` for a single frame.
  public var whole: TrimCandidate?
  /// What to do when nothing loops, or only what hardly moves.
  public var crossFade: CrossFade?

  public var frameCount: Int
  /// When the first frame is shown and when the last one ends, in seconds.
  public var startSeconds: Double
  public var endSeconds: Double
  /// Exact for a constant rate, the mean for a variable one; `nil` for a single frame without a duration.
  public var frameRate: Rational?
  public var isVariableRate: Bool
  /// Of the video in its container, as `ffmpeg -map 0:N` takes it.
  public var streamIndex: Int
  /// Width or height is odd, which 4:2:0 cannot hold: commands that encode cut a row or a column off.
  public var hasOddSize: Bool
  /// Frames that the decoder could not give or had to mend: what was found may then be worse than it is.
  public var damagedFrames: Int
  /// Seconds that loops had to be shorter than.
  public var below: Double

  public var durationSeconds: Double { endSeconds - startSeconds }

  /// Fewer have no motion that could be compared at both ends.
  public static let fewestFrames = 6

  /// What the pictures show: the best candidate, or the clip itself where that loops or nothing does
  /// better.
  public var shown: TrimCandidate? {
    switch answer {
    case .loops, .static, .tooShort: whole ?? candidates.first
    case .trim, .none: candidates.first ?? whole
    }
  }
}
