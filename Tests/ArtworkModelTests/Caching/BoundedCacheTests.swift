import TestSupport

@testable import ArtworkModel

@Suite struct BoundedCacheTests {
  @Test("Any series of calls agrees with a slow model", arguments: 1...20)
  func agreesWithModel(seed: UInt64) throws {
    var noise = Noise(seed: seed)
    let clock = Clock()
    let limits = BoundedCache<Int, Int>.Limits(
      count: .random(in: 1...8, using: &noise), cost: .random(in: 0...40, using: &noise),
      entryCost: Bool.random(using: &noise) ? nil : .random(in: 0...20, using: &noise))
    // Some live without an end.
    let isMortal = seed % 4 > 0
    let lifetime = Duration.seconds(isMortal ? Int.random(in: 1...20, using: &noise) : 1 << 40)
    var cache = BoundedCache<Int, Int>(
      limits, expiry: isMortal ? .init(after: lifetime) { clock.now } : nil)
    var model = SlowModel(limits: limits, lifetime: lifetime)
    // The first difference ends the life: those after it follow from it.
    for step in 0..<3000 {
      let key = Int.random(in: 0..<12, using: &noise)
      switch Int.random(in: 0..<10, using: &noise) {
      case 0...3:
        let (value, expected) = (cache.value(for: key), model.value(for: key, at: clock.now))
        try #require(value == expected, "step \(step)")
      case 4...7:
        let cost = Int.random(in: 0...15, using: &noise)
        let isKept = cache.insert(step, for: key, cost: cost)
        let isExpected = model.insert(step, for: key, cost: cost, at: clock.now)
        try #require(isKept == isExpected, "step \(step)")
      case 8:
        cache.removeValue(for: key)
        model.entries.removeAll { $0.key == key }
      default: clock.now += .seconds(1)
      }
      try #require(cache.count == model.entries.count, "step \(step)")
      try #require(cache.cost == model.cost, "step \(step)")
    }
    for key in 0..<12 {
      let (value, expected) = (cache.value(for: key), model.value(for: key, at: clock.now))
      #expect(value == expected)
    }
  }

  private final class Clock: Sendable {
    private let time = Mutex(Duration.zero)
    var now: Duration {
      get { time.withLock(\.self) }
      set { time.withLock { $0 = newValue } }
    }
  }

  /// The same, with a walk through an array for everything. The most recently used entry is the last.
  private struct SlowModel {
    struct Entry {
      var key: Int
      var value: Int
      var cost: Int
      var end: Duration
    }

    var limits: BoundedCache<Int, Int>.Limits
    var lifetime: Duration
    var entries: [Entry] = []
    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    mutating func value(for key: Int, at now: Duration) -> Int? {
      guard let place = entries.firstIndex(where: { $0.key == key }) else { return nil }
      let entry = entries.remove(at: place)
      guard entry.end > now else { return nil }
      entries.append(entry)
      return entry.value
    }

    mutating func insert(_ value: Int, for key: Int, cost: Int, at now: Duration) -> Bool {
      entries.removeAll { $0.key == key }
      guard cost <= limits.entryCost else { return false }
      while entries.count >= limits.count || self.cost + cost > limits.cost {
        entries.removeFirst()
      }
      entries.append(Entry(key: key, value: value, cost: cost, end: now + lifetime))
      return true
    }
  }
}
