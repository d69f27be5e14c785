/// Containers around the text of an animation, put together without compression, so that damage reaches what is inside.
public enum Packing: String, Sendable, CaseIterable {
  /// gzip, as Telegram's stickers.
  case tgs
  /// A ZIP archive with a manifest, as dotLottie 1.
  case lottie

  func pack(_ json: Bytes) -> Bytes {
    switch self {
    case .tgs: Self.gzip(json)
    case .lottie:
      Self.zip([("manifest.json", Bytes(#"{"version":"1.0","animations":[{"id":"a"}]}"#.utf8)), ("animations/a.json", json)])
    }
  }

  private static func little(_ value: Int, _ length: Int) -> Bytes {
    (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// One member of stored blocks (RFC 1952, and RFC 1951, 3.2.4).
  private static func gzip(_ data: Bytes) -> Bytes {
    var packed: Bytes = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    for start in stride(from: 0, to: max(1, data.count), by: 0xffff) {
      let block = data[start..<min(start + 0xffff, data.count)]
      packed += [start + 0xffff >= data.count ? 1 : 0]
      packed += little(block.count, 2) + little(~block.count, 2) + block
    }
    return packed + little(Int(PNGPicture.checksum(data)), 4) + little(data.count, 4)
  }

  /// Stored files (APPNOTE.TXT 6.3.10 by PKWARE, 4.3).
  private static func zip(_ files: [(name: String, data: Bytes)]) -> Bytes {
    var (archive, directory): (Bytes, Bytes) = ([], [])
    for file in files {
      let sum = little(Int(PNGPicture.checksum(file.data)), 4)
      let lengths = little(file.data.count, 4) + little(file.data.count, 4)
      // The version that reads it, flags, method, time and date, then checksum, lengths and those of name and extra.
      let common = little(20, 2) + zeros(8) + sum + lengths + little(file.name.utf8.count, 2) + little(0, 2)
      directory +=
        little(0x0201_4b50, 4) + little(20, 2) + common + zeros(10) + little(archive.count, 4) + Bytes(file.name.utf8)
      archive += little(0x0403_4b50, 4) + common + Bytes(file.name.utf8) + file.data
    }
    let end =
      little(0x0605_4b50, 4) + zeros(4) + little(files.count, 2) + little(files.count, 2) + little(directory.count, 4)
      + little(archive.count, 4) + zeros(2)
    return archive + directory + end
  }
}
