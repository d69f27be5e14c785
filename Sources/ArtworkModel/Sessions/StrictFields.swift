extension CodingUserInfoKey {
  /// `true` in the decoder of a client: a newer service may send unknown fields, which are then ignored.
  package static let ignoresUnknownFields = CodingUserInfoKey(rawValue: "ignoresUnknownFields")
}

/// Any field of an object, or the place of an element in an array.
struct FieldName: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(stringLiteral: String) { self.init(stringValue: stringLiteral) }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
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
          "unknown field; known: \(known.sorted().joined(separator: ", "))"))
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
    guard let value = try fitting(Double.self, forKey: key), isAllowed(value) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "it must be \(expectation)")
    }
    return value
  }

  /// - Throws: `DecodingError` for a value that is not a number, has a fraction, or is beyond the type.
  package func wholeNumber<Number: FixedWidthInteger & Decodable>(
    forKey key: Key
  ) throws -> Number {
    guard let value = try fitting(Number.self, forKey: key) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self,
        debugDescription: "it must be a whole number, at most \(Number.max)")
    }
    return value
  }

  /// `nil` for a number that the type cannot hold; the decoder's own error would not include the coding path.
  func fitting<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
    do {
      return try decode(type, forKey: key)
    } catch let error as DecodingError {
      throw error
    } catch {
      return nil
    }
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
