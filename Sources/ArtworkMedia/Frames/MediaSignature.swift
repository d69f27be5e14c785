/// The kind of a file, by its first bytes. This code sees untrusted files outside the sandbox, so it only compares
/// bytes at fixed places. Workers in the sandbox do the parsing.
package enum MediaSignature: Equatable {
  /// ISO base media or QuickTime, with its major brand if it has one.
  case isoMedia(brand: String?)
  /// GIF, animated PNG or animated WebP.
  case animatedImage
  /// Any other container that may hold video.
  case container
  /// A Lottie animation.
  case animation

  /// The number of bytes that are examined. The `acTL` chunk of an animated PNG comes before its data and after a few
  /// small chunks (APNG specification).
  package static let length = 4096

  /// The box types a movie may begin with (ISO/IEC 14496-12, and the QuickTime File Format).
  private static let firstBoxes: Set<String> = [
    "ftyp", "styp", "moov", "mdat", "moof", "sidx", "free", "skip", "wide", "pnot",
  ]

  /// `nil` for every other kind of file.
  package init?(_ header: [UInt8]) {
    func has(_ bytes: some Collection<UInt8>, at offset: Int = 0) -> Bool {
      header.dropFirst(offset).starts(with: bytes)
    }
    let type = String(decoding: header.dropFirst(4).prefix(4), as: UTF8.self)
    if Self.firstBoxes.contains(type), header.count >= 8 {
      self = .isoMedia(
        brand: type == "ftyp"
          ? String(decoding: header.dropFirst(8).prefix(4), as: UTF8.self) : nil)
    } else if has("GIF8".utf8) || Self.isAnimatedPNG(header) || Self.isAnimatedWebP(header) {
      self = .animatedImage
    } else if has([0x1a, 0x45, 0xdf, 0xa3])  // EBML: Matroska and WebM
      || has("RIFF".utf8) && has("AVI ".utf8, at: 8) || has("FLV".utf8) || has("OggS".utf8)
      || has([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11])  // ASF
      || has([0, 0, 1, 0xba]) || has([0, 0, 1, 0xb3])  // MPEG program stream, MPEG video
      || Self.isTransportStream(header, offset: 0) || Self.isTransportStream(header, offset: 4)
    {
      self = .container
    } else if Self.isLottie(header) {
      self = .animation
    } else {
      return nil
    }
  }

  /// Whether a file with this start goes to a worker that can render. Generous: JSON of any kind, compressed files
  /// and archives; the worker determines the format.
  package static func mayBeDrawn(_ header: [UInt8]) -> Bool {
    let text = header.starts(with: [0xef, 0xbb, 0xbf]) ? header.dropFirst(3) : header[...]
    let first = text.first { $0 != 0x20 && !(0x09...0x0d).contains($0) }
    return first == UInt8(ascii: "{") || header.starts(with: [0x1f, 0x8b])
      || header.starts(with: "PK\u{3}\u{4}".utf8)
  }

  /// JSON with three of the fields that an animation and its layers begin with: others have an `ip`, too.
  private static func isLottie(_ header: [UInt8]) -> Bool {
    guard mayBeDrawn(header) else { return false }
    let fields = ["fr", "ip", "op", "ks", "ddd", "layers"].map { Array("\"\($0)\"".utf8) }
    let quotes = header.indices.filter { header[$0] == UInt8(ascii: "\"") }
    return fields.count { field in quotes.contains { header[$0...].starts(with: field) } } >= 3
  }

  /// Whether a PNG file has an `acTL` chunk.
  static func isAnimatedPNG(_ header: [UInt8]) -> Bool {
    guard header.starts(with: PNGFile.signature) else {
      return false
    }
    let name = Array("acTL".utf8)
    return header.indices.contains { header[$0...].starts(with: name) }
  }

  /// The animation flag of the extended header (WebP container specification, "VP8X").
  static func isAnimatedWebP(_ header: [UInt8]) -> Bool {
    header.count > 20 && header.starts(with: "RIFF".utf8)
      && header[8..<16].elementsEqual("WEBPVP8X".utf8)
      && header[20] & 2 != 0
  }

  /// Sync bytes of five packets of 188 bytes (ISO/IEC 13818-1), or of 192 bytes with a leading time stamp.
  private static func isTransportStream(_ header: [UInt8], offset: Int) -> Bool {
    (0..<5).allSatisfy { packet in
      let place = offset + packet * (188 + offset)
      return place < header.count && header[place] == 0x47
    }
  }
}
