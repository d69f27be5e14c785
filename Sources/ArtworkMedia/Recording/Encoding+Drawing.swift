/// The position of a picture on the canvas of a video.
struct PicturePlace: Equatable {
  /// Size of the picture on the canvas.
  var size: PixelSize
  /// Horizontal position of the top left corner; negative if the picture is cut off.
  var x: Int
  var y: Int

  init(of picture: PixelSize, on canvas: PixelSize, _ mode: Drawing.ContentMode) {
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

extension Encoding {
  /// The size to render a vector animation at, so that nothing is enlarged. One that will be stretched is rendered in
  /// its own shape, large enough.
  package func drawnSize(of whole: PixelSize) -> PixelSize {
    guard let size, case .drawn(let drawing) = form else { return whole }
    if case .part(let area, _) = area {
      return PicturePlace(of: area.size, on: size, .fill).scaled(whole, from: area.size)
    }
    let mode = drawing.contentMode == .stretch ? .fill : drawing.contentMode
    return PicturePlace(of: whole, on: size, mode).size
  }

  /// A frame over the background, at its position on the canvas, and whether it is transparent in places. One that
  /// fills the whole canvas keeps its size: it is scaled when it is converted to planes.
  ///
  /// - Parameter size: of the canvas.
  /// - Throws: `too-large` for a picture that would be enlarged beyond the largest preview.
  package func prepared(
    _ image: PixelImage, _ drawing: Drawing, on size: PixelSize
  ) throws(InspectionError) -> (image: PixelImage, isTransparent: Bool) {
    // First over the background: scaling would mix in the colours of transparent pixels.
    var (picture, isTransparent) = image.opaque(over: drawing.background)
    if case .part(let area, let whole) = area {
      // A drawing whose actual size differs from its declared one.
      let part = PicturePlace(of: whole, on: image.size, .stretch).part(area, of: whole)
      picture = picture.placed(
        on: part.size, x: -part.x, y: -part.y, background: drawing.background)
    }
    let place = PicturePlace(of: picture.size, on: size, drawing.contentMode)
    guard place.size == place.size.limitedForPreview else {
      throw InspectionError(
        .tooLarge,
        "a picture of \(picture.size) would be enlarged to \(place.size) to fill the video")
    }
    if place.size == size { return (picture, isTransparent) }
    if place.size != picture.size {
      picture = try FrameConverter.scale(picture, to: place.size)
    }
    return (
      picture.placed(on: size, x: place.x, y: place.y, background: drawing.background),
      isTransparent
    )
  }
}

extension PicturePlace {
  /// `length` of a picture with the side `own`, in the size of this place.
  private static func scaled(_ length: Int, _ own: Int, to side: Int) -> Int {
    wholeNumber((Double(length) * Double(side) / Double(max(1, own))).rounded()) ?? length
  }

  /// The scaled size of `whole` if `picture`, a part of it, is scaled to this place.
  fileprivate func scaled(_ whole: PixelSize, from picture: PixelSize) -> PixelSize {
    PixelSize(
      width: max(1, Self.scaled(whole.width, picture.width, to: size.width)),
      height: max(1, Self.scaled(whole.height, picture.height, to: size.height)))
  }

  /// An area of the picture `whole`, in pixels of this place.
  fileprivate func part(_ area: CropArea, of whole: PixelSize) -> CropArea {
    if size == whole { return area }
    return CropArea(
      x: Self.scaled(area.x, whole.width, to: size.width),
      y: Self.scaled(area.y, whole.height, to: size.height),
      width: max(1, Self.scaled(area.width, whole.width, to: size.width)),
      height: max(1, Self.scaled(area.height, whole.height, to: size.height)))
  }
}
