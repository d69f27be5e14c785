/// A number with its noun, for example `1 frame` or `2 frames`.
package func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension [String] {
  /// The words as a list, for example `PNG, JPEG and WebP`.
  package func listed(_ conjunction: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
