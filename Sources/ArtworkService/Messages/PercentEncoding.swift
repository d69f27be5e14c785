import ArtworkModel

/// Decodes path segments and query values. They are split before, so that `%2F` is a character of an identifier.
enum PercentEncoding {
  /// - Returns: `nil` for a `%` without two digits and for invalid UTF-8.
  static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    let text = plusIsSpace ? String(text.map { $0 == "+" ? " " : $0 }) : String(text)
    return [UInt8](percentEncoded: text).flatMap { String(validating: $0, as: UTF8.self) }
  }
}

/// The query of a URL; each name occurs once.
struct Query {
  private var values: [String: String] = [:]

  /// - Throws: ``Problem`` for a name that is not in `known`, that occurs twice, or that is not encoded correctly.
  init(_ text: String, known: Set<String>) throws(Problem) {
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = PercentEncoding.decode(pair[0], plusIsSpace: true),
        let value = PercentEncoding.decode(pair.count > 1 ? pair[1] : "", plusIsSpace: true)
      else { throw .badRequest("the query is not percent-encoded correctly") }
      guard known.contains(name) else {
        throw .badRequest("\(name) is not a parameter of this request")
      }
      guard values.updateValue(value, forKey: name) == nil else {
        throw .badRequest("\(name) is given twice")
      }
    }
  }

  subscript(_ name: String) -> String? { values[name] }

  /// - Throws: ``Problem`` for a value that is neither `0` nor `1`.
  func flag(_ name: String) throws(Problem) -> Bool? {
    switch values[name] {
    case nil: return nil
    case "0": return false
    case "1": return true
    default: throw .badRequest("\(name) must be 0 or 1")
    }
  }

  /// - Throws: ``Problem`` for a value that is not a number in `range`.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Problem) -> Int? {
    guard let text = values[name] else { return nil }
    guard let number = Int(plainDigits: text), range.contains(number) else {
      throw .badRequest(
        "\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
