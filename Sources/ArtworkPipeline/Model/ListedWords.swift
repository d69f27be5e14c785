extension [String] {
  /// In words, for example `PNG, JPEG and WebP`.
  func listed(_ conjunction: String) -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
