internal import CKernels

/// A picture in memory as a video encoder would get it: planes of Y'CbCr by BT.709 in 8 bits of limited range, with
/// chroma at full size. Transparent parts are over black.
///
/// So the code values of pictures that were never coded are on the scale of those of a video. 3 bytes per pixel.
package struct CodedPicture {
  /// The interpretation of the code values.
  package static var lightCodes: LightCodes {
    LightCodes(
      ColorDescription(matrix: "bt709", primaries: "bt709", transfer: "bt709", range: "tv"),
      pixelFormat: "yuv444p", isConverted: false)
  }

  private let size: PixelSize
  /// Luma, then blue, then red.
  private let samples: [UInt8]

  /// One pass over the picture.
  package init(_ image: PixelImage) {
    size = image.size
    let count = image.size.area
    samples = [UInt8](unsafeUninitializedCapacity: 3 * count) { planes, used in
      guard let luma = planes.baseAddress else { return }
      image.bytes.withUnsafeBufferPointer {
        artwork_ycbcr(
          $0.baseAddress, Int32(image.channels.rawValue), count, luma, luma + count,
          luma + 2 * count)
      }
      used = 3 * count
    }
  }

  /// Lends the planes to `body`.
  package func withPlanes<R>(_ body: (PlanarPixels) -> R) -> R {
    samples.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else {
        preconditionFailure("a picture has pixels")
      }
      func plane(_ index: Int) -> PlanarPixels.Plane {
        PlanarPixels.Plane(
          start: start + index * size.area, bytesPerRow: size.width, width: size.width,
          height: size.height)
      }
      return body(PlanarPixels(luma: plane(0), blue: plane(1), red: plane(2), bitDepth: 8))
    }
  }
}
