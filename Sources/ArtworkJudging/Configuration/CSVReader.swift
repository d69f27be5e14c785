/// Reads comma-separated values as specified by RFC 4180: a quoted field may contain separators, line ends and
/// quotes, which are doubled.
///
/// It also accepts the output of spreadsheets and people: semicolons or tabs as separators, a byte order mark, any of
/// the three line ends, no line end after the last row, and white space around quotes. Rows may differ in length.
struct CSVReader {
  struct Row {
    /// Its first line, from 1.
    var line: Int
    /// The fields, at least one.
    var fields: [String]
  }

  /// A quote that is out of place.
  struct Fault: Error {
    /// Its line, from 1.
    var line: Int
    var message: String
  }

  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]

  private let bytes: [UInt8]
  private let separator: UInt8
  private var index = 0
  private var line = 1

  private init(_ text: String) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    bytes = Array(text.utf8)
    separator = Self.separator(of: bytes)
    if bytes.starts(with: byteOrderMark) { index = byteOrderMark.count }
  }

  /// All rows, empty lines among them. Linear in the length of the text.
  static func rows(of text: String) throws(Fault) -> [Row] {
    var reader = CSVReader(text)
    var rows: [Row] = []
    while reader.next != nil { rows.append(try reader.row()) }
    return rows
  }

  /// The first of the possible separators that stands outside of quotes in the first line with text.
  private static func separator(of bytes: [UInt8]) -> UInt8 {
    var isQuoted = false
    var hasText = false
    for byte in bytes {
      if byte == quote {
        isQuoted.toggle()
      } else if !isQuoted {
        if separators.contains(byte) { return byte }
        let isLineEnd = byte == lineFeed || byte == carriageReturn
        if isLineEnd, hasText { break }
        if isLineEnd || byte == UInt8(ascii: " ") { continue }
      }
      hasText = true
    }
    return separators[0]
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Whether the reader is at the end of a field.
  private var isAtEndOfField: Bool {
    guard let next else { return true }
    return next == separator || next == Self.lineFeed || next == Self.carriageReturn
  }

  private mutating func row() throws(Fault) -> Row {
    var row = Row(line: line, fields: [try field()])
    while next == separator {
      index += 1
      row.fields.append(try field())
    }
    takeLineEnd()
    return row
  }

  private mutating func field() throws(Fault) -> String {
    skipBlanks()
    if next == Self.quote { return try quotedField() }
    let start = index
    while !isAtEndOfField {
      if next == Self.quote {
        throw Fault(
          line: line,
          message: "a quote inside a field without quotes; put the whole field into quotes and "
            + "double the quote")
      }
      index += 1
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func quotedField() throws(Fault) -> String {
    let firstLine = line
    var field: [UInt8] = []
    index += 1
    while let byte = next {
      index += 1
      if byte == Self.quote {
        guard next == Self.quote else {
          try endQuotedField()
          return String(decoding: field, as: UTF8.self)
        }
        index += 1
      }
      if byte == Self.lineFeed || byte == Self.carriageReturn && next != Self.lineFeed { line += 1 }
      field.append(byte)
    }
    throw Fault(line: firstLine, message: "a quote is opened and never closed")
  }

  private mutating func endQuotedField() throws(Fault) {
    skipBlanks()
    if isAtEndOfField { return }
    throw Fault(
      line: line, message: "text follows a closing quote; double the quotes inside the field")
  }

  private mutating func skipBlanks() {
    while next != separator, next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { index += 1 }
  }

  /// Skips LF, CR or CR LF.
  private mutating func takeLineEnd() {
    let start = index
    if next == Self.carriageReturn { index += 1 }
    if next == Self.lineFeed { index += 1 }
    if index > start { line += 1 }
  }
}
