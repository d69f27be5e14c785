/// The identifier that joins the still and the movie of a Live Photo: Apple writes a UUID into both.
struct ContentIdentifier {
  let text: String

  /// A UUID has 36 letters; other software may write others.
  private static let mostLetters = 64

  /// `nil` for text that is empty, too long or not printable ASCII.
  init?(_ text: String) {
    guard (1...Self.mostLetters).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21..<0x7f).contains($0) })
    else { return nil }
    self.text = text
  }

  /// Bytes of a JPEG that are searched: its segment of Exif data comes first, and has at most 65,535.
  static let searchedBytes = 1 << 17

  /// Reads it from the maker note of a photo: tag 0x0011 after the text `Apple iOS` (ExifTool, "Apple Tags").
  ///
  /// - Parameter header: the first ``searchedBytes`` of a JPEG.
  init?(photo header: [UInt8]) {
    let mark = Array("Apple iOS\0".utf8)
    guard header.starts(with: [0xff, 0xd8]),
      let start = header.indices.first(where: {
        header[$0] == mark[0] && header[$0...].starts(with: mark)
      })
    else { return nil }
    // Big-endian, with places counted from the mark: a version, `MM`, and a list of entries of 12 bytes.
    let note = header[start...]
    func number(_ place: Int, _ length: Int) -> Int? {
      let bytes = note.dropFirst(place).prefix(length)
      return bytes.count == length ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
    }
    let list = mark.count + 4
    guard number(list - 2, 2) == 0x4d4d, let count = number(list, 2),
      let entry = (0..<count).lazy.map({ list + 2 + 12 * $0 }).first(where: {
        number($0, 2) == 0x11
      }),
      // Text that is longer than a place of four bytes.
      number(entry + 2, 2) == 2, let length = number(entry + 4, 4), length > 4,
      length <= Self.mostLetters + 1, let place = number(entry + 8, 4)
    else { return nil }
    let text = note.dropFirst(place).prefix(length).prefix { $0 != 0 }
    self.init(String(decoding: text, as: UTF8.self))
  }
}
