import CFFmpeg

/// How a JPEG picture of four inks stores them, which the segment of Adobe states (Adobe Technical Note 5116).
enum StoredInks: UInt8 {
  /// Cyan, magenta, yellow and black, as the light that they leave.
  case plain = 0
  /// The first three as ink, in Y'CbCr.
  case luminance = 2

  /// FFmpeg adds black to the other inks, after which no profile can tell how they print, unless the number is one that it
  /// does not know: this one is added.
  fileprivate static let hidden: UInt8 = 4
  /// Segments before the picture that are followed, and scans in it: a profile of 10 MB has 160 of the former, and
  /// encoders make a dozen of the latter.
  fileprivate static let mostSegments = 1000
  /// Larger files are left to FFmpeg: covers have a few megabytes.
  fileprivate static let mostBytes: Int64 = 64 << 20

  /// The light that each ink leaves.
  func light(of picture: PixelImage) -> PixelImage {
    guard self == .luminance else { return picture }
    var bytes = picture.bytes
    for place in bytes.indices where place % 4 < 3 { bytes[place] = 255 - bytes[place] }
    return PixelImage(size: picture.size, channels: picture.channels, bytes: bytes)
  }
}

extension InputFile {
  /// Lets FFmpeg read the inks of a JPEG picture as they are stored. Reads all of such a file once.
  func keepInksApart() {
    guard let (place, number, frame) = inkNumber else { return }
    if let place, let inks = StoredInks(rawValue: number) { replace(place, by: inks.rawValue + StoredInks.hidden) }
    // FFmpeg passes over the number where the channels are named C, M, Y and K: the first gets another name, in the header
    // of the frame and of its scans. No marker occurs in the data of a scan (ITU-T T.81, B.1.1.5).
    let rest = bytes(at: frame, count: Int(clamping: size))
    guard rest.count > 10, rest[10] == UInt8(ascii: "C") else { return }
    replace(frame + 10, by: 1)
    let scans = rest.indices.dropLast(6).lazy.filter {
      rest[$0] == 0xff && rest[$0 + 1] == 0xda && rest[$0 + 5] == rest[10]
    }
    for scan in scans.prefix(StoredInks.mostSegments) { replace(frame + Int64(scan) + 5, by: 1) }
  }

  /// The inks that ``keepInksApart()`` keeps; `nil` for any other picture.
  var storedInks: StoredInks? {
    inkNumber.flatMap { StoredInks(rawValue: $0.number &- StoredInks.hidden) }
  }

  /// What Adobe's segment states of four channels, its place, and that of the frame's header; `nil` for other files. Without
  /// that segment, browsers take them for plain inks.
  private var inkNumber: (place: Int64?, number: UInt8, frame: Int64)? {
    guard size <= StoredInks.mostBytes, bytes(at: 0, count: 3) == [0xff, 0xd8, 0xff] else {
      return nil
    }
    var place: Int64 = 2
    var found: Int64?
    for _ in 0..<StoredInks.mostSegments {
      let head = bytes(at: place, count: 10)
      guard head.count == 10, head[0] == 0xff else { return nil }
      switch head[1] {
      case 0xee where head[4..<9].elementsEqual("Adobe".utf8): found = place + 15
      // Other numbers than that of a frame are tables and an extension.
      case 0xc0...0xcf where ![0xc4, 0xc8, 0xcc].contains(head[1]):
        guard head[9] == 4 else { return nil }
        return (found, found.flatMap { bytes(at: $0, count: 1).first } ?? StoredInks.hidden, place)
      case 0xda: return nil
      default: break
      }
      place += 2 + Int64(head[2]) << 8 + Int64(head[3])
    }
    return nil
  }
}

extension Frame {
  /// The same samples with the first three inks as red, green and blue, and black as alpha.
  ///
  /// - Throws: `out-of-memory`.
  func inksAsColors() throws(InspectionError) -> Frame {
    let other = try shared()
    guard format == AV_PIX_FMT_YUVA444P else { return other }
    let (from, to) = unsafe (pointer.pointee, other.pointer)
    unsafe to.pointee.format = AV_PIX_FMT_GBRAP.rawValue
    unsafe (to.pointee.data.0, to.pointee.linesize.0) = unsafe (from.data.1, from.linesize.1)
    unsafe (to.pointee.data.1, to.pointee.linesize.1) = unsafe (from.data.2, from.linesize.2)
    unsafe (to.pointee.data.2, to.pointee.linesize.2) = unsafe (from.data.0, from.linesize.0)
    return other
  }
}

extension PixelImage {
  /// The picture without its fourth channel.
  ///
  /// - Parameter dims: whether that is the light which black leaves of the others.
  func withoutBlack(dimming dims: Bool) -> PixelImage {
    var colors: [UInt8] = []
    colors.reserveCapacity(size.area * 3)
    for pixel in stride(from: 0, to: bytes.count, by: 4) {
      let light = dims ? Int(bytes[pixel + 3]) : 255
      for channel in 0..<3 { colors.append(UInt8((Int(bytes[pixel + channel]) * light + 127) / 255)) }
    }
    return PixelImage(size: size, channels: .rgb, bytes: colors)
  }
}
