/// What loops to look for in a clip.
public struct TrimRequest: Sendable, Equatable {
  /// Seconds; clips of less than twice that are searched for loops of at least half of them.
  public var shortest: Double
  /// Seconds; loops are shorter than that.
  public var below: Double
  /// How many different loops to name at most, 1 to ``mostCandidates``.
  public var count: Int

  /// What a person can compare. As many are judged at most, however few are named.
  public static let mostCandidates = 20
  /// Seconds. Shorter loops are found in anything that moves evenly, and tire whoever sees them.
  public static let usualShortest = 1.0

  public init(
    shortest: Double = TrimRequest.usualShortest, below: Double = Profile.usualDurationBelow,
    count: Int = 5
  ) {
    precondition(shortest >= 0 && below > 0, "lengths are positive")
    precondition((1...Self.mostCandidates).contains(count), "a list has 1 to 20 entries")
    self.shortest = shortest
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
    guard shortest >= 0, below > 0, (1...Self.mostCandidates).contains(count) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a length or the count is out of range"))
    }
    self.init(shortest: shortest, below: below, count: count)
  }
}
