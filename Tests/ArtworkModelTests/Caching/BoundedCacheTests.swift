import Synchronization
import TestSupport

@testable import ArtworkModel

@Suite struct BoundedCacheTests {
  @Test("The least recently used entry goes first")
  func order() {
    var cache = BoundedCache<String, Int>(.init(count: 3))
    for (number, key) in ["a", "b", "c"].enumerated() { cache.insert(number, for: key) }
    expect(0, for: "a", in: &cache)
    cache.insert(3, for: "d")
    expect(nil, for: "b", in: &cache)
    expect(0, for: "a", in: &cache)
    #expect(cache.count == 3)
    cache.insert(4, for: "a")
    expect(4, for: "a", in: &cache)
    #expect(cache.count == 3)
  }

  @Test("Entries stay within the cost of all and of one")
  func costs() {
    var cache = BoundedCache<String, Int>(.init(count: 10, cost: 100, entryCost: 25))
    for key in ["a", "b", "c", "d"] { cache.insert(1, for: key, cost: 25) }
    #expect(cache.cost == 100)
    expect(1, for: "a", in: &cache)
    cache.insert(1, for: "e", cost: 25)
    expect(nil, for: "b", in: &cache)
    expect(1, for: "a", in: &cache)
    #expect(cache.cost == 100)
    let isLargeKept = cache.insert(1, for: "large", cost: 26)
    #expect(!isLargeKept)
    expect(nil, for: "large", in: &cache)
    // The value before it is out of date.
    let isReplacementKept = cache.insert(1, for: "a", cost: 26)
    #expect(!isReplacementKept)
    expect(nil, for: "a", in: &cache)
    for number in 0..<50 { cache.insert(1, for: "\(number)", cost: 1) }
    let kept = (0..<50).filter { cache.value(for: "\($0)") != nil }
    #expect(kept.count == 10)
    #expect(cache.cost == 10)
  }

  @Test("An entry expires after its lifetime, however often it is read")
  func expiry() {
    let clock = Clock()
    var cache = BoundedCache<String, Int>(
      .init(count: 3), expiry: .init(after: .seconds(60)) { clock.now })
    cache.insert(1, for: "a")
    clock.now = .seconds(30)
    cache.insert(2, for: "b")
    clock.now = .seconds(59)
    expect(1, for: "a", in: &cache)
    clock.now = .seconds(60)
    expect(nil, for: "a", in: &cache)
    expect(2, for: "b", in: &cache)
    #expect(cache.count == 1)
    cache.insert(3, for: "b")
    clock.now = .seconds(119)
    expect(3, for: "b", in: &cache)
  }

  @Test("Any series of calls agrees with a slow model", arguments: 1...20)
  func agreesWithModel(seed: UInt64) {
    var noise = Noise(seed: seed)
    let clock = Clock()
    let limits = BoundedCache<Int, Int>.Limits(
      count: .random(in: 1...8, using: &noise), cost: .random(in: 0...40, using: &noise),
      entryCost: .random(in: 0...20, using: &noise))
    let lifetime = Duration.seconds(Int.random(in: 1...20, using: &noise))
    var cache = BoundedCache<Int, Int>(limits, expiry: .init(after: lifetime) { clock.now })
    var model = SlowModel(limits: limits, lifetime: lifetime)
    for step in 0..<3000 {
      let key = Int.random(in: 0..<12, using: &noise)
      switch Int.random(in: 0..<10, using: &noise) {
      case 0...3:
        let (value, expected) = (cache.value(for: key), model.value(for: key, at: clock.now))
        #expect(value == expected)
      case 4...7:
        let cost = Int.random(in: 0...15, using: &noise)
        let isKept = cache.insert(step, for: key, cost: cost)
        let isExpected = model.insert(step, for: key, cost: cost, at: clock.now)
        #expect(isKept == isExpected)
      case 8:
        cache.removeValue(for: key)
        model.entries.removeAll { $0.key == key }
      default: clock.now += .seconds(1)
      }
      #expect(cache.count == model.entries.count)
      #expect(cache.cost == model.cost)
    }
    for key in 0..<12 {
      let (value, expected) = (cache.value(for: key), model.value(for: key, at: clock.now))
      #expect(value == expected)
    }
  }

  /// A macro cannot call a mutating method.
  private func expect(
    _ expected: Int?, for key: String, in cache: inout BoundedCache<String, Int>,
    at location: SourceLocation = #_sourceLocation
  ) {
    let value = cache.value(for: key)
    #expect(value == expected, sourceLocation: location)
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
