import ArtworkModel
import Synchronization

/// Errors that are remembered for a while, so that not every request tries in vain what cannot be used.
final class Refusals: Sendable {
  enum Subject: Hashable, Sendable {
    /// The bytes of a file and what they are taken for.
    case file(FileKind)
    /// A source: it cannot be used, or its video had no room when it was asked for last.
    case source(ArtworkReference)
    case version(RenditionKey)
  }

  /// About 10 MB of errors.
  private static let limit = 10_000

  private let errors: Mutex<BoundedCache<Subject, StoreError>>

  init(for lifetime: Duration, now: @escaping @Sendable () -> Duration) {
    errors = Mutex(
      BoundedCache(.init(count: Self.limit), expiry: .init(after: lifetime, now: now)))
  }

  subscript(subject: Subject) -> StoreError? {
    get { errors.withLock { $0.value(for: subject) } }
    set {
      errors.withLock { errors in
        if let newValue {
          errors.insert(newValue, for: subject)
        } else {
          errors.removeValue(for: subject)
        }
      }
    }
  }
}
