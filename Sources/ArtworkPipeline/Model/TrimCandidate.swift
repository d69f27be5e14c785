/// A part of a clip that may loop: the displayed frames from `startFrame` up to `endFrame`, which is the
/// first that is left out. Frames count from zero in presentation order.
public struct TrimCandidate: Sendable, Equatable, Codable {
  public var startFrame: Int
  public var endFrame: Int
  /// When the first frame is shown and when the last one ends: presentation times of the file, in
  /// seconds.
  public var startSeconds: Double
  public var endSeconds: Double
  /// The mean step inside of the part in multiples of the whole clip's: a passage in which nothing happens
  /// loops anywhere, and is not what a clip was made for.
  public var motion: Double
  /// The part can be cut out without decoding: it starts with a key frame that needs nothing before it,
  /// and its packets are exactly those of these frames.
  public var isLossless: Bool
  /// What ``LoopSeamRule`` says of these frames as a clip of their own.
  public var seam: SeamJudgement

  /// Below this share of the clip's motion a part hardly moves.
  public static let leastMotion = 0.25
  public var hardlyMoves: Bool { motion < Self.leastMotion }

  public var frameCount: Int { endFrame - startFrame }
  public var durationSeconds: Double { endSeconds - startSeconds }
}

/// A loop by force: the last frames of a part dissolve into those before its start.
public struct CrossFade: Sendable, Equatable, Codable {
  /// The loop shows as many frames as `startFrame..<endFrame` holds, and starts with `startFrame`.
  public var startFrame: Int
  public var endFrame: Int
  public var startSeconds: Double
  public var endSeconds: Double
  /// As many frames before `endFrame` are mixed with as many before `startFrame`.
  public var fadeFrames: Int
}
