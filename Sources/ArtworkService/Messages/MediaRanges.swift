/// The media ranges of `Accept` fields (RFC 9110, 12.5.1). Malformed parts are skipped.
struct MediaRanges {
  private let ranges: [(name: String, weight: Double)]

  /// - Parameters:
  ///   - field: all values, separated by commas.
  ///   - lacking: types that this build cannot write, which are skipped.
  init(_ field: String?, lacking: [String] = []) {
    ranges = (field ?? "").split(separator: ",").compactMap(Self.range)
      .filter { !lacking.contains($0.name) }
  }

  /// Without any, the client accepts everything.
  var isEmpty: Bool { ranges.isEmpty }

  /// The weight of a type, from the most specific range.
  ///
  /// - Returns: above 0 to 1, and whether the type itself is named; `nil` if the client does not accept it.
  func weight(of type: String) -> (weight: Double, isNamed: Bool)? {
    func stated(_ name: String) -> Double? { ranges.last { $0.name == name }?.weight }
    let named = stated(type)
    let group = type.prefix { $0 != "/" } + "/*"
    guard let weight = named ?? stated(String(group)) ?? stated("*/*"), weight > 0 else {
      return nil
    }
    return (weight, named != nil)
  }

  private static func range(_ part: Substring) -> (name: String, weight: Double)? {
    let words = part.split(separator: ";", omittingEmptySubsequences: false).map { word in
      word.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
    guard let name = words.first, name.split(separator: "/").count == 2 else { return nil }
    guard let given = words.dropFirst().first(where: { $0.hasPrefix("q=") }) else {
      return (name, 1)
    }
    guard let weight = Double(given.dropFirst(2)), (0...1).contains(weight) else { return nil }
    return (name, weight)
  }
}
