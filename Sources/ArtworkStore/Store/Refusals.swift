import ArtworkModel
import ArtworkPipeline
import Synchronization

/// What was refused lately and why, so that nothing is tried over and over.
final class Refusals<Key: Hashable & Sendable>: Sendable {
  private let known = Mutex<[Key: (error: StoreError, until: Duration)]>([:])
  private let life: Duration
  private let now: @Sendable () -> Duration

  /// - Parameter now: of a clock that is never set; see ``AssetStore/Options/now``.
  init(life: Duration, now: @escaping @Sendable () -> Duration) {
    self.life = life
    self.now = now
  }

  subscript(key: Key) -> StoreError? {
    known.withLock { known in
      guard let refusal = known[key] else { return nil }
      if refusal.until > now() { return refusal.error }
      known[key] = nil
      return nil
    }
  }

  func remember(_ error: StoreError, for key: Key) {
    known.withLock { known in
      if known.count >= Self.most {
        let time = now()
        known = known.filter { $0.value.until > time }
        if known.count >= Self.most { known.removeAll() }
      }
      known[key] = (error, now() + life)
    }
  }

  func forget(_ key: Key) { known.withLock { $0[key] = nil } }

  /// Some 10 MB of errors.
  private static var most: Int { 10_000 }
}
