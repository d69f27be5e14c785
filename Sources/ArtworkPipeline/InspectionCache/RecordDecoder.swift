/// Reads what ``RecordEncoder`` wrote.
enum RecordDecoder {
  /// - Throws: `DecodingError` for bytes that end early, that are left over, or that mean nothing.
  static func decode<T: Decodable>(_ type: T.Type, from bytes: ArraySlice<UInt8>) throws -> T {
    let reader = RecordReader(bytes)
    let value = try reader.read(type)
    guard reader.isAtEnd else { throw reader.damage }
    return value
  }
}

/// A class because all containers of one decoding move on in the same bytes.
private final class RecordReader: Decoder {
  private let bytes: ArraySlice<UInt8>
  private var place: Int
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ bytes: ArraySlice<UInt8>) { (self.bytes, place) = (bytes, bytes.startIndex) }

  var isAtEnd: Bool { place == bytes.endIndex }

  var damage: DecodingError {
    .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: "no record"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RecordFields<Key>(reader: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try RecordList(reader: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { RecordValue(reader: self) }

  private func take(_ count: Int) throws -> ArraySlice<UInt8> {
    guard count >= 0, count <= bytes.endIndex - place else { throw damage }
    defer { place += count }
    return bytes[place..<place + count]
  }

  /// A number of things that each take at least so many bytes.
  func readCount(bytesEach: Int) throws -> Int {
    guard let count = Int(exactly: try readUnsigned()), count >= 0,
      count <= (bytes.endIndex - place) / bytesEach
    else { throw damage }
    return count
  }

  func readBool() throws -> Bool {
    switch try take(1).first {
    case 0: false
    case 1: true
    default: throw damage
    }
  }

  func readUnsigned() throws -> UInt64 {
    guard bytes.endIndex - place >= 8 else { throw damage }
    var value: UInt64 = 0
    for byte in 0..<8 { value |= UInt64(bytes[place + byte]) << UInt64(8 * byte) }
    place += 8
    return value
  }

  func readSigned() throws -> Int64 { Int64(bitPattern: try readUnsigned()) }

  func readSigned<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard let value = T(exactly: try readSigned()) else { throw damage }
    return value
  }

  func readUnsigned<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
    guard let value = T(exactly: try readUnsigned()) else { throw damage }
    return value
  }

  func readDouble() throws -> Double { Double(bitPattern: try readUnsigned()) }

  func readString() throws -> String {
    let text = try take(try readCount(bytesEach: 1))
    guard let text = String(validating: text, as: UTF8.self) else { throw damage }
    return text
  }

  func read<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == [Double].self {
      let count = try readCount(bytesEach: 8)
      var numbers: [Double] = []
      numbers.reserveCapacity(count)
      for _ in 0..<count { numbers.append(try readDouble()) }
      if let numbers = numbers as? T { return numbers }
    } else if T.self == [UInt8].self {
      let data = Array(try take(try readCount(bytesEach: 1)))
      if let data = data as? T { return data }
    } else if T.self == PictureSignature.self {
      let side = PictureSignature.side
      let signature = PictureSignature(cells: Array(try take(3 * side * side)))
      if let signature = signature as? T { return signature }
    }
    return try T(from: self)
  }
}

private struct RecordFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let reader: RecordReader
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { [] }

  /// All are there, or the byte that says otherwise is.
  func contains(_ key: Key) -> Bool { true }
  /// Asked before the value of an optional field is read, and then only.
  func decodeNil(forKey key: Key) throws -> Bool { try !reader.readBool() }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try reader.readBool() }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try reader.readString() }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try reader.readDouble() }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    Float(try reader.readDouble())
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try reader.readSigned(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try reader.readSigned(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try reader.readSigned(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try reader.readSigned(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try reader.readSigned() }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try reader.readUnsigned(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try reader.readUnsigned(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try reader.readUnsigned(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try reader.readUnsigned(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try reader.readUnsigned() }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try reader.read(type) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { reader.container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try reader.unkeyedContainer()
  }

  func superDecoder() -> any Decoder { reader }
  func superDecoder(forKey key: Key) -> any Decoder { reader }
}

private struct RecordList: UnkeyedDecodingContainer {
  private let reader: RecordReader
  let count: Int?
  private let length: Int
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var isAtEnd: Bool { currentIndex == length }

  init(reader: RecordReader) throws {
    self.reader = reader
    // An element without fields takes none; there is no such type here.
    length = try reader.readCount(bytesEach: 1)
    count = length
  }

  private mutating func next() throws -> RecordReader {
    guard !isAtEnd else { throw reader.damage }
    currentIndex += 1
    return reader
  }

  func decodeNil() -> Bool { false }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try next().readBool() }
  mutating func decode(_ type: String.Type) throws -> String { try next().readString() }
  mutating func decode(_ type: Double.Type) throws -> Double { try next().readDouble() }
  mutating func decode(_ type: Float.Type) throws -> Float { Float(try next().readDouble()) }
  mutating func decode(_ type: Int.Type) throws -> Int { try next().readSigned(type) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try next().readSigned(type) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try next().readSigned(type) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try next().readSigned(type) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try next().readSigned() }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try next().readUnsigned(type) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try next().readUnsigned(type) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try next().readUnsigned(type) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try next().readUnsigned(type) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try next().readUnsigned() }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().read(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> { try next().container(keyedBy: type) }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

private struct RecordValue: SingleValueDecodingContainer {
  let reader: RecordReader
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { false }
  func decode(_ type: Bool.Type) throws -> Bool { try reader.readBool() }
  func decode(_ type: String.Type) throws -> String { try reader.readString() }
  func decode(_ type: Double.Type) throws -> Double { try reader.readDouble() }
  func decode(_ type: Float.Type) throws -> Float { Float(try reader.readDouble()) }
  func decode(_ type: Int.Type) throws -> Int { try reader.readSigned(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try reader.readSigned(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try reader.readSigned(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try reader.readSigned(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try reader.readSigned() }
  func decode(_ type: UInt.Type) throws -> UInt { try reader.readUnsigned(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try reader.readUnsigned(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try reader.readUnsigned(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try reader.readUnsigned(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try reader.readUnsigned() }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try reader.read(type) }
}
