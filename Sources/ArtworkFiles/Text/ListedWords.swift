extension [String] {
  /// The words as a list, for example `PNG, JPEG and WebP`.
  package func listed(_ conjunction: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
