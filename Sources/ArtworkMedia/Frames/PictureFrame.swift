/// A picture in memory as a frame of a clip. No part of FFmpeg sees it, unless it has to be scaled.
///
/// A class because its planes are made on first use: a frame that is only encoded is not measured.
final class PictureFrame: SourceFrame {
  private let image: PixelImage
  private lazy var coded = CodedPicture(image)

  init(_ image: PixelImage) { self.image = image }

  var lightCodes: LightCodes { CodedPicture.lightCodes }

  func thumbnail() -> Thumbnail { coded.withPlanes(BoxAverage.thumbnail) }

  func withLuma<R>(_ body: (_ luma: PlanarPixels.Plane, _ bitDepth: Int) -> R) -> R? {
    coded.withPlanes { body($0.luma, $0.bitDepth) }
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
