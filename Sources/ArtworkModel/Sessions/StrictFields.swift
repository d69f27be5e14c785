extension CodingUserInfoKey {
  /// `true` in the decoder of a client: a newer service may send unknown fields, which are then ignored.
  package static let ignoresUnknownFields = CodingUserInfoKey(rawValue: "ignoresUnknownFields")
}

/// Any field of an object.
struct FieldName: CodingKey {
  var stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension Decoder {
  var ignoresUnknownFields: Bool {
    CodingUserInfoKey.ignoresUnknownFields.map { userInfo[$0] as? Bool == true } ?? false
  }

  /// - Throws: `DecodingError.dataCorrupted` with the first field by name that is neither in `keys` nor in `others`.
  package func refuseFields(otherThan keys: [any CodingKey], and others: Set<String> = []) throws {
    if ignoresUnknownFields { return }
    let known = others.union(keys.map(\.stringValue))
    let given = try container(keyedBy: FieldName.self).allKeys.map(\.stringValue)
    guard let unknown = given.filter({ !known.contains($0) }).min() else { return }
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + [FieldName(stringValue: unknown)],
        debugDescription:
          "unknown field \"\(unknown)\"; known: \(known.sorted().joined(separator: ", "))"))
  }
}

extension KeyedDecodingContainer {
  /// A number of seconds.
  ///
  /// - Throws: `DecodingError` for a value that is not a number, not finite, negative, or beyond dates and media.
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
        forKey: key, in: self, debugDescription: "\(key.stringValue) must be \(expectation)")
    }
    return value
  }

  func numberIfPresent(
    forKey key: Key, _ expectation: String, isAllowed: (Double) -> Bool
  ) throws -> Double? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try number(forKey: key, expectation, isAllowed: isAllowed)
  }
}

/// Three thousand years: far beyond any date or film, yet small enough that sums keep their milliseconds.
let longestSeconds = 1e11
