/// Why results cannot be merged.
package struct MergeError: Error, Sendable, Equatable {
  /// The file that is to blame; `nil` if it is about all of them.
  package var file: FilePath?
  /// The problem, in a sentence.
  package var message: String
  /// The advice.
  package var help: String
}

extension MergeError: CustomStringConvertible {
  package var description: String { (file.map { "\($0.string): " } ?? "") + message }
}
