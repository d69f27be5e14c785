import ArtworkModel

/// The files in a ZIP archive (APPNOTE.TXT 6.3.10 by PKWARE), by its central directory. Supports only the features
/// that archives of animations use: one disk, no encryption, no 64-bit lengths, files that are stored or deflated.
struct ZIPArchive {
  /// Files in an archive.
  static let mostFiles = 1000
  /// Bytes that all files together unpack to: 64 MiB.
  static let mostBytes = 64 << 20

  private struct Entry {
    var isDeflated: Bool
    var checksum: UInt32
    var packed: Int
    var length: Int
    var header: Int
  }

  private let bytes: [UInt8]
  private var entries: [String: Entry] = [:]

  /// The names of the entries, in no order.
  var names: [String] { Array(entries.keys) }

  /// Reads the directory, and unpacks nothing.
  ///
  /// - Throws: `not-a-movie` if the bytes are not such an archive, `too-large` if it exceeds the limits.
  init(_ bytes: [UInt8]) throws(InspectionError) {
    self.bytes = bytes
    // The end of the directory is followed by a comment of at most 65,535 bytes.
    let last = bytes.count - Self.endLength
    guard last >= 0,
      let end = stride(from: last, through: max(0, last - 0xffff), by: -1).first(where: {
        number(at: $0, 4) == 0x0605_4b50
      }), let count = number(at: end + 10, 2), var place = number(at: end + 16, 4)
    else { throw Self.fault("it has no directory") }
    guard count <= Self.mostFiles else {
      throw InspectionError(.tooLarge, "the archive has \(count) files (limit \(Self.mostFiles))")
    }
    var total = 0
    for _ in 0..<count {
      guard number(at: place, 4) == 0x0201_4b50, let flags = number(at: place + 8, 2),
        let method = number(at: place + 10, 2), let checksum = number(at: place + 16, 4),
        let packed = number(at: place + 20, 4), let length = number(at: place + 24, 4),
        let nameLength = number(at: place + 28, 2), let extra = number(at: place + 30, 2),
        let comment = number(at: place + 32, 2), let header = number(at: place + 42, 4),
        let name = slice(place + 46, nameLength)
      else { throw Self.fault("its directory is damaged") }
      guard flags & 1 == 0, method == 0 || method == 8 else {
        throw Self.fault("a file is encrypted or compressed in an unusual way")
      }
      total += length
      guard total <= Self.mostBytes else {
        throw InspectionError(
          .tooLarge, "the archive unpacks to more than \(Self.mostBytes >> 20) MiB")
      }
      entries[String(decoding: name, as: UTF8.self)] = Entry(
        isDeflated: method == 8, checksum: UInt32(checksum), packed: packed, length: length,
        header: header)
      place += 46 + nameLength + extra + comment
    }
  }

  private static let endLength = 22

  /// Unpacks a file; `nil` without one of this name.
  ///
  /// - Throws: `decode-failed` for a damaged file.
  func file(_ name: String) throws(InspectionError) -> [UInt8]? {
    guard let entry = entries[name] else { return nil }
    // The name and the extra field of the local header can differ in length from those in the directory.
    guard number(at: entry.header, 4) == 0x0403_4b50,
      let nameLength = number(at: entry.header + 26, 2),
      let extra = number(at: entry.header + 28, 2),
      let data = slice(entry.header + 30 + nameLength + extra, entry.packed)
    else { throw Self.damaged(name) }
    let file = entry.isDeflated ? try Inflater.inflate(data, length: entry.length) : Array(data)
    guard file.count == entry.length, Inflater.crc32(file) == entry.checksum else {
      throw Self.damaged(name)
    }
    return file
  }

  private static func damaged(_ name: String) -> InspectionError {
    InspectionError(.decodeFailed, "the file \(name) in the archive is damaged")
  }

  private static func fault(_ what: String) -> InspectionError {
    InspectionError(.notAMovie, "this ZIP archive is no animation: \(what)")
  }

  /// A little-endian number; `nil` beyond the end.
  private func number(at place: Int, _ length: Int) -> Int? {
    slice(place, length).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } }
  }

  private func slice(_ place: Int, _ length: Int) -> ArraySlice<UInt8>? {
    guard place >= 0, length <= bytes.count - place else { return nil }
    return bytes[place..<place + length]
  }
}
