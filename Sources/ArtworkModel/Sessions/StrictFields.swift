extension CodingUserInfoKey {
  /// Set to `true` by who reads answers of a service that may be newer: fields that are not known are passed over
  /// instead of refused.
  public static let passesOverUnknownFields = CodingUserInfoKey(rawValue: "passesOverUnknownFields")
}

/// Any field of an object.
struct FieldName: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  /// - Throws: `DecodingError.dataCorrupted` that names the first field, in the order of their names, that is neither one
  ///   of `keys` nor of `others`.
  public func refuseFields(otherThan keys: [any CodingKey], and others: Set<String> = []) throws {
    if let key = CodingUserInfoKey.passesOverUnknownFields, userInfo[key] as? Bool == true {
      return
    }
    let known = others.union(keys.map(\.stringValue))
    let given = try container(keyedBy: FieldName.self).allKeys.map(\.stringValue)
    guard let unknown = given.filter({ !known.contains($0) }).min() else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + [FieldName(stringValue: unknown)],
        debugDescription:
          "there is no field \"\(unknown)\"; there are \(known.sorted().joined(separator: ", "))"))
  }
}

extension KeyedDecodingContainer {
  /// A number of seconds.
  ///
  /// - Throws: `DecodingError` for what is no number, not finite, negative, or beyond what dates and media have.
  func time(forKey key: Key) throws -> Double {
    try number(forKey: key, "a number of seconds from 0 to 100000000000") {
      (0...longestSeconds).contains($0)
    }
  }

  func timeIfPresent(forKey key: Key) throws -> Double? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try time(forKey: key)
  }

  func number(
    forKey key: Key, _ expectation: String, isAllowed: (Double) -> Bool
  ) throws -> Double {
    let value = try decode(Double.self, forKey: key)
    guard isAllowed(value) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(key.stringValue) is \(expectation)")
    }
    return value
  }
}

/// Three thousand years: far beyond any date or film, and small enough that sums keep their milliseconds.
let longestSeconds = 1e11
