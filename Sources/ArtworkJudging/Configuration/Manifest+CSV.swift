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
