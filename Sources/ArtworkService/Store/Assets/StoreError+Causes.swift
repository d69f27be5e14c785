import ArtworkModel
import ArtworkPipeline
internal import SystemPackage

extension StoreError {
  /// Maps SQLite's result codes (sqlite.org/rescode.html): a full disk and a damaged file have codes of their own.
  init(database error: any Error, _ operation: String) {
    switch error {
    case let error as StoreError: self = error
    case is StoreIndex.NotUnderstood:
      self.init(.damaged, "cannot \(operation): it has rows of an unknown form")
    case let error as SQLiteError where error.isDamage:
      self.init(.damaged, "cannot \(operation): \(error)")
    case let error as SQLiteError where error.isFull:
      // With its type: Errno has a `noSpace` as well.
      self.init(Code.noSpace, "no space to \(operation)")
    default: self.init(.failed, "cannot \(operation): \(error)")
    }
  }

  init(_ error: Errno, _ operation: String) {
    switch error {
    case .noSpace, .diskQuotaExceeded, .fileTooLarge:
      self.init(Code.noSpace, "no space to \(operation)")
    default: self.init(Code.failed, "cannot \(operation): \(error.description.lowercased())")
    }
  }
}
