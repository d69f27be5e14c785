/// Where a picture lies on the canvas of a video.
struct PicturePlace: Equatable {
  /// Of the picture on the canvas.
  var size: PixelSize
  /// Of its top left corner; below zero where it is cut off.
  var x: Int
  var y: Int

  init(of picture: PixelSize, on canvas: PixelSize, _ mode: ImportRequest.ContentMode) {
    size =
      switch mode {
      case .fit: picture.fitted(inside: canvas)
      case .fill: Self.filling(canvas, with: picture)
      case .stretch: canvas
      default: picture
      }
    let (right, bottom) = (canvas.width - size.width, canvas.height - size.height)
    x =
      switch mode {
      case .left, .topLeft, .bottomLeft: 0
      case .right, .topRight, .bottomRight: right
      default: right / 2
      }
    y =
      switch mode {
      case .top, .topLeft, .topRight: 0
      case .bottom, .bottomLeft, .bottomRight: bottom
      default: bottom / 2
      }
  }

  /// The smallest size of the picture's aspect that leaves no part of the canvas free.
  private static func filling(_ canvas: PixelSize, with picture: PixelSize) -> PixelSize {
    let wide = Double(picture.width) * Double(canvas.height)
    let tall = Double(picture.height) * Double(canvas.width)
    // A picture of the same shape fills exactly.
    if wide >= tall {
      let width = wholeNumber((wide / Double(picture.height)).rounded()) ?? canvas.width
      return PixelSize(width: max(canvas.width, width), height: canvas.height)
    }
    let height = wholeNumber((tall / Double(picture.width)).rounded()) ?? canvas.height
    return PixelSize(width: canvas.width, height: max(canvas.height, height))
  }
}

extension ImportRequest {
  /// The size that a vector animation of this size is drawn at, so that nothing is enlarged. One that is stretched is drawn
  /// in its own shape, large enough.
  package func drawnSize(of size: PixelSize) -> PixelSize {
    PicturePlace(of: size, on: self.size, contentMode == .stretch ? .fill : contentMode).size
  }

  /// A frame over the background, in its place on the canvas, and whether it is transparent in places. One that fills the
  /// whole canvas keeps its size: it is scaled when it becomes planes.
  ///
  /// - Throws: `too-large` for a picture that would be enlarged beyond the largest preview.
  package func prepared(_ image: PixelImage) throws(InspectionError) -> (
    image: PixelImage, isTransparent: Bool
  ) {
    // First over the background: scaling would mix in the colours of transparent pixels.
    let (opaque, isTransparent) = image.opaque(over: background)
    let place = PicturePlace(of: image.size, on: size, contentMode)
    guard place.size == place.size.limitedForPreview else {
      throw InspectionError(
        .tooLarge, "a picture of \(image.size) would be enlarged to \(place.size) to fill the video"
      )
    }
    if place.size == size { return (opaque, isTransparent) }
    let scaled =
      place.size == image.size ? opaque : try FrameConverter.scale(opaque, to: place.size)
    return (
      scaled.placed(on: size, x: place.x, y: place.y, background: background), isTransparent
    )
  }
}
