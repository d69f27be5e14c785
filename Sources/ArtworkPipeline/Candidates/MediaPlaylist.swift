import ArtworkModel

/// A media playlist of a stream (HLS, RFC 8216): a header and segments, which are one movie when they are joined.
struct MediaPlaylist {
  /// Files in the folder of the playlist, in order, and the bytes of each; `nil` for all.
  private(set) var parts: [(file: FilePath, bytes: Range<Int64>?)] = []

  /// - Throws: `stream-part` for one that is not one movie; `unsupported-codec` for an encrypted stream; `outside-folder` for
  ///   parts on the web.
  init(_ text: String) throws(InspectionError) {
    var (variants, isMaster): ([String], Bool) = ([], false)
    var (header, range): (Substring?, Substring?)
    for line in text.split(whereSeparator: \.isNewline) {
      func value(_ tag: String) -> Substring? {
        line.hasPrefix("#EXT-X-\(tag):") ? line.dropFirst(tag.count + 8)[...] : nil
      }
      if value("STREAM-INF") != nil {
        isMaster = true
      } else if let key = value("KEY"), !key.contains("METHOD=NONE") {
        throw InspectionError(.unsupportedCodec, "the stream is encrypted")
      } else if let map = value("MAP") {
        if header == map { continue }
        guard header == nil else {
          throw InspectionError(
            .streamPart, "its segments have several headers, so they are not one movie")
        }
        header = map
        try append(Self.attribute("URI", in: map) ?? "", Self.attribute("BYTERANGE", in: map))
      } else if let bytes = value("BYTERANGE") {
        range = bytes
      } else if !line.hasPrefix("#") {
        if isMaster { variants.append(String(line)) } else { try append(line, range) }
        range = nil
      }
    }
    if isMaster {
      throw InspectionError(
        .streamPart, "this playlist names others: \(variants.listed("and"))",
        advice: "import one of them")
    }
    guard text.hasPrefix("#EXTM3U"), !parts.isEmpty else {
      throw InspectionError(.streamPart, "this playlist names no parts of a stream")
    }
  }

  private static func attribute(_ name: String, in list: Substring) -> Substring? {
    list.firstRange(of: name + "=\"").map { list[$0.upperBound...].prefix { $0 != "\"" } }
  }

  /// - Parameter range: a length and where it begins, `n@o`; after the part before in the same file if `@o` is missing.
  private mutating func append(_ name: Substring, _ range: Substring?) throws(InspectionError) {
    guard !name.contains("://"), let path = [UInt8](percentEncoded: name), !path.contains(0) else {
      throw InspectionError(
        .outsideFolder, "it names \(name), which is not in its folder: nothing is fetched",
        advice: "download the stream with its playlist")
    }
    let file = FilePath(bytes: path)
    guard let range else { return parts.append((file, nil)) }
    let numbers = range.split(separator: "@").map { Int64($0) ?? -1 }
    let start =
      numbers.dropFirst().first ?? parts.last { $0.file == file }?.bytes?.upperBound ?? 0
    let count = numbers.first ?? -1
    guard count > 0, start >= 0, !start.addingReportingOverflow(count).overflow else {
      throw InspectionError(.streamPart, "it names no bytes of \(name): \(range)")
    }
    parts.append((file, start..<start + count))
  }
}

extension InputFile {
  /// The movie that a media playlist joins, in memory. Reads nothing outside its folder.
  ///
  /// - Throws: errors of the playlist and its parts; `too-large` beyond a quarter of a worker's memory.
  static func joining(
    _ playlist: FilePath, beneath folder: FilePath?, limits: Limits
  ) throws(InspectionError) -> InputFile {
    var most = limits
    most.fileBytes = 1 << 20
    let list = try open(playlist, beneath: folder, limits: most)
    let text = String(decoding: list.bytes(at: 0, count: Int(list.size)), as: UTF8.self)
    most.fileBytes = limits.memoryBytes / 4
    let place = playlist.removingLastComponent()
    let root = place.isEmpty ? "." : place
    var bytes: [UInt8] = []
    for part in try MediaPlaylist(text).parts {
      do throws(InspectionError) {
        let file = try open(root.pushing(part.file), beneath: root, limits: most)
        let range = part.bytes ?? 0..<file.size
        bytes += file.bytes(at: range.lowerBound, count: range.count)
        guard range.upperBound <= file.size else { throw InspectionError(.truncated, "it is cut") }
        guard bytes.count <= most.fileBytes else {
          throw InspectionError(
            .tooLarge, "with it, the stream has more than \(most.fileBytes) bytes")
        }
      } catch {
        throw InspectionError(
          error.code, "\(part.file.string): \(error.message)", advice: error.advice)
      }
    }
    return try InputFile(inMemory: bytes, limits: limits)
  }
}
