/// A picture in memory as a frame of a clip. No part of FFmpeg sees it, unless it has to be scaled.
///
/// A class because its planes are made on first use: a frame that is only encoded is not measured.
final class PictureFrame: SourceFrame {
  private let image: PixelImage
  private lazy var coded = CodedPicture(image)

  init(_ image: PixelImage) { self.image = image }

  var lightCodes: LightCodes { CodedPicture.lightCodes }

  func thumbnail() -> Thumbnail { unsafe coded.withPlanes(BoxAverage.thumbnail) }

  func withLuma<R>(_ body: (_ luma: PlanarPixels.Plane, _ bitDepth: Int) -> R) -> R? {
    unsafe coded.withPlanes { unsafe body($0.luma, $0.bitDepth) }
  }

  /// The picture itself if no other size is wanted.
  func picture(size: (PixelSize) -> PixelSize) throws(InspectionError) -> PixelImage {
    let wanted = size(image.size)
    return wanted == image.size ? image : try FrameConverter.scale(image, to: wanted)
  }

  func planes(
    of region: CleanAperture, size: PixelSize, matrix: String, bitDepth: Int
  ) throws(InspectionError) -> Frame {
    try FrameConverter.encodable(
      .copy(of: image), matrix: nil, crop: region, to: size, as: matrix, bitDepth: bitDepth)
  }
}

/// Pictures of chosen frames of a clip that was decoded before.
enum PictureReader {
  /// The frames by their numbers, fitted inside `box`. They are the ones that were compared: if one does not match
  /// its measured thumbnail, the clip is decoded again in full.
  static func read(
    _ numbers: Set<Int>, _ clip: borrowing OpenClip, decoded: DecodedClip, places: CutPlaces,
    inside box: PixelSize
  ) throws(InspectionError) -> [Int: PixelImage] {
    var differs = false
    func shared(
      _ frame: borrowing Frame, _ format: DecodedFormat, _ number: Int
    ) throws(InspectionError) -> VideoFrame {
      try clip.videoFrame(frame, format, number: number)
    }
    if decoded.damagedFrames == 0 {
      let excerpt = try unsafe FrameExcerpt.read(
        numbers, demuxer: clip.demuxer, stream: clip.stream, table: clip.table, places: places
      ) { frame, format, number throws(InspectionError) in
        let frame = try shared(frame, format, number)
        if try !decoded.frames.holds(frame.thumbnail(), at: number) { differs = true }
        return try frame.picture { $0.limited(to: box) }
      }
      if let excerpt, !differs { return excerpt }
    }
    var result: [Int: PixelImage] = [:]
    _ = try unsafe FrameReader(endCount: 1).read(
      demuxer: clip.demuxer, stream: clip.stream, table: clip.table, everyFrame: true
    ) { frame, format, place throws(InspectionError) in
      guard numbers.contains(place.number) else { return }
      result[place.number] = try shared(frame, format, place.number).picture { $0.limited(to: box) }
    }
    return result
  }
}

extension PictureSignature {
  /// Signatures are made from pictures that fit inside this size: at most four pixels per cell each way.
  package static let sourceSize = PixelSize(width: 4 * side, height: 4 * side)

  /// Reduces a picture that is upright and has square pixels.
  package init(_ picture: PixelImage) {
    let small = picture.enlarged(to: PixelSize(width: Self.side, height: Self.side))
    var cells: [UInt8] = []
    cells.reserveCapacity(3 * small.size.area)
    for place in stride(from: 0, to: small.bytes.count, by: small.channels.rawValue) {
      let alpha = small.channels == .rgba ? Int(small.bytes[place + 3]) : 255
      for channel in 0..<3 {
        cells.append(UInt8(clamping: Int(small.bytes[place + channel]) * alpha / 255))
      }
    }
    self.init(cells: cells)
  }
}

/// The shape of a picture on screen: cropped to its clean aperture, with square pixels, upright.
struct DisplayShape {
  /// Rounded to whole pixels.
  var size: PixelSize
  /// Exact width over height.
  var aspect: Rational

  init(format: DecodedFormat, crop: CleanAperture?, orientation: Orientation) {
    let width = crop?.width ?? format.width
    let height = crop?.height ?? format.height
    let exact =
      Rational(Int64(width), Int64(height)).flatMap { $0.multiplied(by: format.sampleAspect) }
      ?? .one
    let square = (Double(width) * format.sampleAspect.value).rounded()
    // libswscale and PNG count in 31 bits.
    let shown = wholeNumber(square, as: Int32.self).flatMap { $0 > 0 ? Int($0) : nil } ?? width
    let size = PixelSize(width: shown, height: height)
    self.size = orientation.swapsAxes ? size.transposed : size
    aspect = orientation.swapsAxes ? exact.inverse ?? .one : exact
  }
}
