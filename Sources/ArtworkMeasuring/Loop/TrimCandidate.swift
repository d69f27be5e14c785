/// A part of a clip that may loop: the displayed frames `startFrame..<endFrame`, counted from zero in presentation
/// order.
public struct TrimCandidate: Sendable, Equatable, Codable {
  public var startFrame: Int
  public var endFrame: Int
  /// When the first frame starts and when the last one ends, in seconds of presentation time.
  public var startSeconds: Double
  public var endSeconds: Double
  /// The mean step inside the part, as a multiple of that of the whole clip. A passage without motion loops anywhere,
  /// but is rarely wanted.
  public var motion: Double
  /// Whether the part can be copied without encoding: it starts with a keyframe that needs no earlier frames, and its
  /// packets are exactly those of its frames.
  public var isLossless: Bool
  /// The judgement of these frames as a separate clip.
  public var seam: SeamJudgement

  /// A part with less than this share of the clip's motion hardly moves.
  public static let leastMotion = 0.25
  public var hardlyMoves: Bool { motion < Self.leastMotion }

  public var frameCount: Int { endFrame - startFrame }
  public var durationSeconds: Double { endSeconds - startSeconds }
}

/// A forced loop: the last frames of a part cross-fade into the frames before its start.
public struct CrossFade: Sendable, Equatable, Codable {
  /// The loop starts with `startFrame` and is as long as `startFrame..<endFrame`.
  public var startFrame: Int
  public var endFrame: Int
  public var startSeconds: Double
  public var endSeconds: Double
  /// The number of frames before `endFrame` that are mixed with the same number before `startFrame`.
  public var fadeFrames: Int
  /// Whether the seam of the dissolved clip is predicted to loop.
  package var loops = true

  /// The share of the other picture in one of the frames that dissolve: slow at both ends.
  package static func share(of place: Int, in count: Int) -> Double {
    let t = Double(place + 1) / Double(count + 1)
    return t * t * (3 - 2 * t)
  }
}
