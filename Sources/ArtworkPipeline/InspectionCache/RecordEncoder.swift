/// Writes values as bytes: fields in the order in which their types encode them, without names. Only code with the
/// same types can read them back, so what is stored names the build that wrote it (``MeasuringVersion``).
///
/// Whole numbers take eight bytes, little-endian; text and lists begin with their length.
enum RecordEncoder {
  /// - Throws: `EncodingError` for an optional element of a list, and what `value` throws.
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let writer = RecordWriter()
    try writer.write(value)
    return writer.bytes
  }
}

/// A class because all containers of one encoding append to the same bytes.
private final class RecordWriter: Encoder {
  fileprivate(set) var bytes: [UInt8] = []
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RecordFields<Key>(writer: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RecordList(writer: self) }

  func singleValueContainer() -> any SingleValueEncodingContainer { RecordValue(writer: self) }

  func write(_ value: Bool) { bytes.append(value ? 1 : 0) }

  func write(_ value: Int64) { write(UInt64(bitPattern: value)) }

  func write(_ value: Double) { write(value.bitPattern) }

  func write(_ value: String) {
    write(Int64(value.utf8.count))
    bytes += value.utf8
  }

  func write(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  func write<T: Encodable>(_ value: T) throws {
    if T.self == [Double].self, let numbers = value as? [Double] {
      write(Int64(numbers.count))
      for number in numbers { write(number) }
    } else if T.self == [UInt8].self, let data = value as? [UInt8] {
      write(Int64(data.count))
      bytes += data
    } else if T.self == PictureSignature.self, let signature = value as? PictureSignature {
      bytes += signature.cells
    } else {
      try value.encode(to: self)
    }
  }

  /// Replaces a number that was written before.
  func overwrite(_ value: Int64, at place: Int) {
    for byte in 0..<8 {
      bytes[place + byte] = UInt8(truncatingIfNeeded: value >> Int64(8 * byte))
    }
  }

  func refusal(of value: Any) -> EncodingError {
    .invalidValue(
      value, EncodingError.Context(codingPath: [], debugDescription: "a record cannot hold this"))
  }
}

private struct RecordFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let writer: RecordWriter
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw writer.refusal(of: key) }
  func encode(_ value: Bool, forKey key: Key) { writer.write(value) }
  func encode(_ value: String, forKey key: Key) { writer.write(value) }
  func encode(_ value: Double, forKey key: Key) { writer.write(value) }
  func encode(_ value: Float, forKey key: Key) { writer.write(Double(value)) }
  func encode(_ value: Int, forKey key: Key) { writer.write(Int64(value)) }
  func encode(_ value: Int8, forKey key: Key) { writer.write(Int64(value)) }
  func encode(_ value: Int16, forKey key: Key) { writer.write(Int64(value)) }
  func encode(_ value: Int32, forKey key: Key) { writer.write(Int64(value)) }
  func encode(_ value: Int64, forKey key: Key) { writer.write(value) }
  func encode(_ value: UInt, forKey key: Key) { writer.write(UInt64(value)) }
  func encode(_ value: UInt8, forKey key: Key) { writer.write(UInt64(value)) }
  func encode(_ value: UInt16, forKey key: Key) { writer.write(UInt64(value)) }
  func encode(_ value: UInt32, forKey key: Key) { writer.write(UInt64(value)) }
  func encode(_ value: UInt64, forKey key: Key) { writer.write(value) }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try writer.write(value) }

  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try optional(value) }

  /// A byte says whether the value follows.
  private func optional<T: Encodable>(_ value: T?) throws {
    writer.write(value != nil)
    if let value { try writer.write(value) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { writer.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    writer.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { writer }
  func superEncoder(forKey key: Key) -> any Encoder { writer }
}

private struct RecordList: UnkeyedEncodingContainer {
  private let writer: RecordWriter
  private let start: Int
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(writer: RecordWriter) {
    self.writer = writer
    start = writer.bytes.count
    writer.write(Int64(0))
  }

  private mutating func next() -> RecordWriter {
    count += 1
    writer.overwrite(Int64(count), at: start)
    return writer
  }

  mutating func encodeNil() throws { throw writer.refusal(of: count) }
  mutating func encode(_ value: Bool) { next().write(value) }
  mutating func encode(_ value: String) { next().write(value) }
  mutating func encode(_ value: Double) { next().write(value) }
  mutating func encode(_ value: Float) { next().write(Double(value)) }
  mutating func encode(_ value: Int) { next().write(Int64(value)) }
  mutating func encode(_ value: Int8) { next().write(Int64(value)) }
  mutating func encode(_ value: Int16) { next().write(Int64(value)) }
  mutating func encode(_ value: Int32) { next().write(Int64(value)) }
  mutating func encode(_ value: Int64) { next().write(value) }
  mutating func encode(_ value: UInt) { next().write(UInt64(value)) }
  mutating func encode(_ value: UInt8) { next().write(UInt64(value)) }
  mutating func encode(_ value: UInt16) { next().write(UInt64(value)) }
  mutating func encode(_ value: UInt32) { next().write(UInt64(value)) }
  mutating func encode(_ value: UInt64) { next().write(value) }
  mutating func encode<T: Encodable>(_ value: T) throws { try next().write(value) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    next().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { next() }
}

private struct RecordValue: SingleValueEncodingContainer {
  let writer: RecordWriter
  var codingPath: [any CodingKey] { [] }

  func encodeNil() throws { throw writer.refusal(of: "nil") }
  func encode(_ value: Bool) { writer.write(value) }
  func encode(_ value: String) { writer.write(value) }
  func encode(_ value: Double) { writer.write(value) }
  func encode(_ value: Float) { writer.write(Double(value)) }
  func encode(_ value: Int) { writer.write(Int64(value)) }
  func encode(_ value: Int8) { writer.write(Int64(value)) }
  func encode(_ value: Int16) { writer.write(Int64(value)) }
  func encode(_ value: Int32) { writer.write(Int64(value)) }
  func encode(_ value: Int64) { writer.write(value) }
  func encode(_ value: UInt) { writer.write(UInt64(value)) }
  func encode(_ value: UInt8) { writer.write(UInt64(value)) }
  func encode(_ value: UInt16) { writer.write(UInt64(value)) }
  func encode(_ value: UInt32) { writer.write(UInt64(value)) }
  func encode(_ value: UInt64) { writer.write(value) }
  func encode<T: Encodable>(_ value: T) throws { try writer.write(value) }
}
