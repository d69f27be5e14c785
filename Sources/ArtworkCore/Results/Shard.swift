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
