/// A path is bytes. Most are UTF-8, but nothing demands it.
extension FilePath {
  /// - Parameter bytes: without the final zero; ends at the first zero there is.
  package init(bytes: some Sequence<UInt8>) {
    self.init(platformString: bytes.map(CChar.init(bitPattern:)) + [0])
  }

  /// The path as the system knows it.
  package var pathBytes: [UInt8] {
    withPlatformString { name in
      var bytes: [UInt8] = []
      var next = name
      while next.pointee != 0 {
        bytes.append(UInt8(bitPattern: next.pointee))
        next = next.successor()
      }
      return bytes
    }
  }

  /// The bytes as a URL writes them: `%` and two digits for all but letters, digits and `-._~/` (RFC 3986).
  package var percentEncoded: String {
    let plain = Set("-._~/".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in pathBytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: text.append(byte)
      case _ where plain.contains(byte): text.append(byte)
      default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// ``percentEncoded`` for a path that is not UTF-8; `nil` for one that is, because its text is exact.
  package var percentEncodedUnlessText: String? {
    String(validating: self) == nil ? percentEncoded : nil
  }

  /// Returns this path with `suffix` at the end of its last component.
  package func suffixed(_ suffix: String) -> FilePath { FilePath(bytes: pathBytes + suffix.utf8) }
}

extension ArtworkSource {
  /// The file at an absolute path: by its path, or by its URL if the path is not UTF-8, which JSON cannot represent.
  package init(file path: FilePath) {
    self =
      String(validating: path).map { .file(path: $0) } ?? .url("file://\(path.percentEncoded)")
  }
}
