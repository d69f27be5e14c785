/// A cache with limits on count, cost and age. When a limit is reached, the least recently used entries are evicted.
///
/// A value without a lock: share it in a `Mutex`. Reading, inserting and removing take constant time, plus the time
/// to remove evicted entries.
package struct BoundedCache<Key: Hashable, Value> {
  package struct Limits: Sendable {
    /// Entries, at least 1.
    package var count: Int
    /// The sum of all costs.
    package var cost: Int
    /// The cost of one entry; a larger one is not stored.
    package var entryCost: Int

    package init(count: Int, cost: Int = .max, entryCost: Int? = nil) {
      precondition(count > 0 && cost >= 0, "a cache has room")
      self.count = count
      self.cost = cost
      self.entryCost = min(entryCost ?? cost, cost)
    }
  }

  /// How long an entry is valid after insertion, by a monotonic clock.
  package struct Expiry: Sendable {
    package var lifetime: Duration
    package var now: @Sendable () -> Duration

    package init(after lifetime: Duration, now: @escaping @Sendable () -> Duration) {
      self.lifetime = lifetime
      self.now = now
    }
  }

  fileprivate struct Entry {
    var key: Key
    var value: Value
    var cost: Int
    /// `nil` without an expiry.
    var end: Duration?
    /// Neighbours in the order of use, as indices into `entries`.
    var newer: Int?
    var older: Int?
  }

  private let limits: Limits
  private let expiry: Expiry?
  /// Dense and unordered: `places` finds an entry, its links give the order of use.
  private var entries: [Entry] = []
  private var places: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  /// The sum of the costs of all entries.
  package private(set) var cost = 0

  /// The number of entries, including expired ones that were not looked up since.
  package var count: Int { entries.count }

  package init(_ limits: Limits, expiry: Expiry? = nil) {
    self.limits = limits
    self.expiry = expiry
  }

  /// The value of a key, which becomes the most recently used. An expired entry is removed.
  package mutating func value(for key: Key) -> Value? {
    guard let place = places[key] else { return nil }
    if let expiry, let end = entries[place].end, end <= expiry.now() {
      removeEntry(at: place)
      return nil
    }
    unlink(place)
    linkAsNewest(place)
    return entries[place].value
  }

  /// Stores a value as the most recently used, and replaces the previous value of the key.
  ///
  /// - Returns: `false` if the value exceeds the cost limit of an entry; the key then has no value.
  @discardableResult
  package mutating func insert(_ value: Value, for key: Key, cost entryCost: Int = 0) -> Bool {
    precondition(entryCost >= 0, "a cost is not negative")
    removeValue(for: key)
    guard entryCost <= limits.entryCost else { return false }
    while let oldest, entries.count >= limits.count || cost > limits.cost - entryCost {
      removeEntry(at: oldest)
    }
    entries.append(
      Entry(
        key: key, value: value, cost: entryCost,
        end: expiry.map { $0.now() + $0.lifetime }))
    places[key] = entries.count - 1
    cost += entryCost
    linkAsNewest(entries.count - 1)
    return true
  }

  package mutating func removeValue(for key: Key) {
    if let place = places[key] { removeEntry(at: place) }
  }

  // MARK: Order of use

  private mutating func unlink(_ place: Int) {
    let (newer, older) = (entries[place].newer, entries[place].older)
    if let newer { entries[newer].older = older } else { newest = older }
    if let older { entries[older].newer = newer } else { oldest = newer }
  }

  private mutating func linkAsNewest(_ place: Int) {
    entries[place].newer = nil
    entries[place].older = newest
    if let newest { entries[newest].newer = place } else { oldest = place }
    newest = place
  }

  /// Fills the gap with the last entry of the array.
  private mutating func removeEntry(at place: Int) {
    unlink(place)
    cost -= entries[place].cost
    places[entries[place].key] = nil
    let last = entries.count - 1
    if place != last {
      entries[place] = entries[last]
      places[entries[place].key] = place
      if let newer = entries[place].newer { entries[newer].older = place } else { newest = place }
      if let older = entries[place].older { entries[older].newer = place } else { oldest = place }
    }
    entries.removeLast()
  }
}

extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache.Entry: Sendable where Key: Sendable, Value: Sendable {}
