/// One of several equal parts of a catalogue, each checked by a separate run. Whole releases belong to a part.
package struct Shard: Sendable, Hashable {
  /// The most parts of one catalogue.
  package static let mostShards = 1_000_000

  /// The number of this shard, from 1 to ``count``.
  package let index: Int
  package let count: Int

  /// The only part of an undivided catalogue.
  package static let whole = Shard(index: 1, count: 1)

  private init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Reads `I/N`, for example `3/64`; `nil` unless 1 ≤ I ≤ N ≤ ``mostShards``.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      (1...Self.mostShards).contains(count), (1...count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(index)/\(count)" }
}

/// Encodes a shard as text: `"3/64"`.
extension Shard: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let shard = Shard(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no shard I/N")
    }
    self = shard
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// What a merge needs of a result of a shard, besides the public document.
package struct Evidence: Sendable, Equatable, Codable {
  /// A profile that the file was judged for.
  package struct Judge: Sendable, Equatable, Codable {
    package var name: String
    /// The severities that it sets for rules across releases, by rule id; `nil` for none.
    package var severities: [String: RuleSeverity]?

    package init(name: String, severities: [String: RuleSeverity]?) {
      self.name = name
      self.severities = severities
    }
  }

  /// Its place in the list of all candidates, from 0.
  package var place: Int
  /// The judges, in the order of the findings.
  package var judges: [Judge]
  /// The size of the file; `nil` for a file that cannot be read.
  package var bytes: Int64?
  /// The SHA-256 of the file, in hexadecimal; `nil` if it cannot be read or no rule compares it.
  package var digest: String?
  /// The folder that names the release, as given; `nil` without a release, and for one of a manifest.
  package var release: String?
  /// The variant that a manifest or the name states, `1x1` or `3x4`; `nil` without a release.
  package var key: ArtworkKey?

  package init(
    place: Int, judges: [Judge], bytes: Int64?, digest: String?, release: String?, key: ArtworkKey?
  ) {
    (self.place, self.judges, self.bytes) = (place, judges, bytes)
    (self.digest, self.release, self.key) = (digest, release, key)
  }
}
