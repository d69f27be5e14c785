/// Which loops to search for in a clip.
public struct TrimRequest: Sendable, Equatable {
  /// The minimum length in seconds. In clips shorter than twice this, it is half of the clip.
  public var shortest: Double
  /// The least part of the possible length, which is that of the clip or ``below``, that a loop has: 0 for any, less than 1.
  public var leastShare: Double
  /// Loops are shorter than this, in seconds.
  public var below: Double
  /// The length that loops have if any has, in seconds; `nil` for none. That of the other shape of a release.
  package var preferred: Double?
  /// If no loop is long enough, loops from this length in seconds on are taken; `nil` for none.
  package var orShorter: Double?
  /// Whether fades at the ends are left out.
  package var cutsFades = false
  /// The maximum number of different loops to return, 1 to ``mostCandidates``.
  public var count: Int

  /// The most candidates that are judged, whatever `count` is: as many loops as a person can compare.
  public static let mostCandidates = 20
  /// Seconds. Any even motion has shorter loops, and they are tiring to watch.
  public static let usualShortest = 1.0

  /// Seconds: Apple prefers artwork that is shorter.
  public static let usualBelow = 30.0

  /// Whether a loop is short enough. Differences of times are rounded: 360 frames at 12 fps may seem shorter than 30 s.
  func isBelow(_ seconds: Double) -> Bool { seconds < below - 1e-6 }

  public init(
    shortest: Double = TrimRequest.usualShortest, below: Double = TrimRequest.usualBelow,
    count: Int = 5, leastShare: Double = 0
  ) {
    precondition(shortest >= 0 && below > 0, "lengths have to be positive")
    precondition((0..<1).contains(leastShare), "a share is less than the whole")
    precondition((1...Self.mostCandidates).contains(count), "a list has 1 to 20 entries")
    self.shortest = shortest
    self.leastShare = leastShare
    self.below = below
    self.count = count
  }
}

extension TrimRequest: Codable {
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let shortest = try fields.decode(Double.self, forKey: .shortest)
    let below = try fields.decode(Double.self, forKey: .below)
    let count = try fields.decode(Int.self, forKey: .count)
    let leastShare = try fields.decodeIfPresent(Double.self, forKey: .leastShare) ?? 0
    guard shortest >= 0, below > 0, (1...Self.mostCandidates).contains(count),
      (0..<1).contains(leastShare)
    else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a length, a share or the count is out of range"))
    }
    self.init(shortest: shortest, below: below, count: count, leastShare: leastShare)
    preferred = try fields.decodeIfPresent(Double.self, forKey: .preferred)
    orShorter = try fields.decodeIfPresent(Double.self, forKey: .orShorter)
    cutsFades = try fields.decodeIfPresent(Bool.self, forKey: .cutsFades) ?? false
  }
}
