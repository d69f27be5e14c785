/// A value for a `?` of a statement.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// `null` for `nil`.
  package static func text(orNull text: String?) -> SQLiteValue { text.map { .text($0) } ?? .null }
}
