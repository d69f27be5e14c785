/// How a frame of a source becomes one of a video that is encoded.
enum FrameForm {
  /// The picture as displayed: prepared by a function, scaled, and converted by the equations of BT.709.
  ///
  /// - Parameter prepare: returns a picture without transparency, and whether it was transparent in places.
  case picture(
    size: PixelSize,
    prepare: (PixelImage) throws(InspectionError) -> (image: PixelImage, isTransparent: Bool))
  /// The stored samples of a part of the picture, scaled to a size; the video gets the source's rotation.
  ///
  /// - Parameters:
  ///   - region: in stored pixels.
  ///   - matrix: of the result, by FFmpeg's name.
  ///   - bitDepth: of the result, 8 or 10.
  case planes(region: CleanAperture, size: PixelSize, matrix: String, bitDepth: Int = 8)

  /// - Returns: planar 4:2:0.
  func frame(
    of source: borrowing some SourceFrame & ~Copyable
  ) throws(InspectionError) -> (frame: HeldFrame, isTransparent: Bool) {
    switch self {
    case .picture(let size, let prepare):
      let prepared = try prepare(source.picture { $0 })
      return (
        HeldFrame(try FrameConverter.encodable(prepared.image, size: size)), prepared.isTransparent
      )
    case .planes(let region, let size, let matrix, let bitDepth):
      return (
        HeldFrame(
          try source.planes(of: region, size: size, matrix: matrix, bitDepth: bitDepth)), false
      )
    }
  }
}

/// A frame that several owners may keep.
final class HeldFrame {
  let frame: Frame

  init(_ frame: consuming Frame) { self.frame = frame }
}

extension CleanAperture {
  /// The stored pixels of a part of the picture on screen, at even places with even sides.
  ///
  /// - Parameter area: `nil` for the whole picture.
  init(showing area: CropArea?, of facts: MediaFacts, _ orientation: Orientation) {
    func even(_ value: Double) -> Int { (wholeNumber(value.rounded()) ?? 0) / 2 * 2 }
    func place(_ wanted: Double, _ length: Int, in side: Int) -> Int {
      max(0, min(even(wanted), (side - length) / 2 * 2))
    }
    guard let area else {
      self.init(
        x: 0, y: 0, width: max(2, facts.codedWidth / 2 * 2),
        height: max(2, facts.codedHeight / 2 * 2))
      return
    }
    let (across, down) = (
      Double(area.width) / Double(max(1, facts.displayWidth)),
      Double(area.height) / Double(max(1, facts.displayHeight))
    )
    let middle = orientation.coded(
      x: Double(area.x) / Double(max(1, facts.displayWidth)) + across / 2,
      y: Double(area.y) / Double(max(1, facts.displayHeight)) + down / 2)
    let isTurned = orientation.swapsAxes
    let width = Double(facts.codedWidth) * (isTurned ? down : across)
    let height = Double(facts.codedHeight) * (isTurned ? across : down)
    let size = (width: max(2, even(width)), height: max(2, even(height)))
    self.init(
      x: place(Double(facts.codedWidth) * middle.x - width / 2, size.width, in: facts.codedWidth),
      y: place(
        Double(facts.codedHeight) * middle.y - height / 2, size.height, in: facts.codedHeight),
      width: size.width, height: size.height)
  }
}
