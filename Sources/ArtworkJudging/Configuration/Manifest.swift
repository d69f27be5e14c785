/// The artworks that a configuration or its CSV file lists.
package struct Manifest: Sendable {
  package struct Entry: Sendable, Equatable {
    package var artworkID: String
    /// Absolute paths of the videos.
    package var files: [ArtworkKey: FilePath] = [:]
    /// The static cover, absolute.
    package var cover: FilePath?
    /// The file that lists it, and the line there.
    package var source: FilePath
    package var line: Int
  }

  /// Entries in the order of the file. An ID may be listed more than once.
  package private(set) var entries: [Entry] = []
  private var places: [FilePath: Int] = [:]

  package init() {}

  package mutating func add(_ entry: Entry) {
    for file in entry.files.values where places[file] == nil { places[file] = entries.count }
    entries.append(entry)
  }

  /// Listed videos that do not exist. Checks each file once.
  package var missingVideos: [FilePath] {
    entries.flatMap { entry in ArtworkKey.allCases.compactMap { entry.files[$0] } }
      .filter { !$0.exists }
  }

  /// Videos that are listed for two artworks, or under two keys. An artwork may be listed more than once: a table of
  /// songs repeats that of their album.
  package var contradictions: [ConfigurationError.Problem] {
    var seen: [FilePath: (entry: Entry, key: ArtworkKey)] = [:]
    var found: [ConfigurationError.Problem] = []
    for entry in entries {
      for key in ArtworkKey.allCases {
        guard let file = entry.files[key] else { continue }
        guard let first = seen[file] else {
          seen[file] = (entry, key)
          continue
        }
        if first.entry.artworkID == entry.artworkID, first.key == key { continue }
        found.append(
          ConfigurationError.Problem(
            file: entry.source, place: SourcePlace(line: entry.line, column: 1),
            message: "\(file.lastComponent?.string ?? file.string) is the \(key.rawValue) of "
              + "`\(entry.artworkID)` here, and the \(first.key.rawValue) of `\(first.entry.artworkID)` in line "
              + "\(first.entry.line) of \(first.entry.source.string): use one artworkID for one video"
          ))
      }
    }
    return found
  }

  /// The first entry that lists a video. Costs one table lookup.
  ///
  /// - Parameter path: absolute.
  package func entry(for path: FilePath) -> Entry? { places[path].map { entries[$0] } }
}

extension Manifest {
  /// Bytes of a manifest: some 100,000 artworks.
  static let maxBytes = 16 << 20

  private static let idColumn = "artworkID"
  private static let coverColumn = "cover"

  /// Adds the artworks that a CSV file lists, separated by commas, semicolons or tabs. The first line names the
  /// columns. They may have any order, and columns with other names are ignored.
  ///
  /// - Parameters:
  ///   - file: as it appears in messages.
  ///   - path: its absolute path; its paths are relative to its folder.
  mutating func addTable(_ file: FilePath, at path: FilePath) throws(ConfigurationError) {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try path.contents(atMost: Self.maxBytes)
    } catch {
      throw ConfigurationError(file, "cannot read the manifest: \(error.description.lowercased())")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigurationError(file, "the manifest is not UTF-8; export it as CSV UTF-8")
    }
    try addTable(text, file: file, folder: path.removingLastComponent())
  }

  mutating func addTable(
    _ text: String, file: FilePath, folder: FilePath
  ) throws(ConfigurationError) {
    let rows = try Self.rows(of: text, file: file)
    guard let header = rows.first else {
      throw ConfigurationError(file, "the manifest is empty")
    }
    var problems = ProblemList(file: file)
    let names = header.fields.map(\.trimmed)
    let columns = Self.columns(names, line: header.line, problems: &problems)
    for row in rows.dropFirst() {
      func field(_ name: String) -> String? {
        guard let column = columns[name], row.fields.indices.contains(column) else { return nil }
        let text = row.fields[column].trimmed
        return text.isEmpty ? nil : text
      }
      let place = SourcePlace(line: row.line, column: 1)
      if row.fields.count > names.count {
        problems.add(
          "\(row.fields.count) fields where the first line names \(names.count); put a path with a comma "
            + "into quotes", at: place)
        continue
      }
      guard let id = field(Self.idColumn) else {
        if columns[Self.idColumn] != nil { problems.add("no artworkID", at: place) }
        continue
      }
      var entry = Entry(artworkID: id, source: file, line: row.line)
      for key in ArtworkKey.allCases {
        entry.files[key] = field(key.rawValue).map { FilePath($0).absolute(in: folder) }
      }
      entry.cover = field(Self.coverColumn).map { FilePath($0).absolute(in: folder) }
      add(entry)
    }
    if !problems.all.isEmpty { throw ConfigurationError(problems.all) }
  }

  private static func columns(
    _ names: [String], line: Int, problems: inout ProblemList
  ) -> [String: Int] {
    let known = [idColumn] + ArtworkKey.allCases.map(\.rawValue) + [coverColumn]
    let place = SourcePlace(line: line, column: 1)
    var columns: [String: Int] = [:]
    for (index, name) in names.enumerated() where known.contains(name) {
      if columns.updateValue(index, forKey: name) != nil {
        problems.add("two columns are called `\(name)`", at: place)
      }
    }
    if columns[idColumn] == nil {
      let nearest = NearestWord.find(idColumn, among: names.filter { !known.contains($0) })
      let suggestion = nearest.map { "; rename `\($0)`?" } ?? ""
      problems.add("no column is called `\(idColumn)`\(suggestion)", at: place)
    }
    let keys = ArtworkKey.allCases.map(\.rawValue)
    if !keys.contains(where: { columns[$0] != nil }) {
      problems.add(
        "no column names videos: " + keys.map { "`\($0)`" }.joined(separator: " or "), at: place)
    }
    return columns
  }

  /// The rows that are not empty.
  private static func rows(
    of text: String, file: FilePath
  ) throws(ConfigurationError) -> [CSVReader.Row] {
    do throws(CSVReader.Fault) {
      return try CSVReader.rows(of: text).filter { row in
        row.fields.contains { !$0.trimmed.isEmpty }
      }
    } catch {
      throw ConfigurationError([
        ConfigurationError.Problem(
          file: file, place: SourcePlace(line: error.line, column: 1),
          message: "not CSV: \(error.message)")
      ])
    }
  }
}

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
