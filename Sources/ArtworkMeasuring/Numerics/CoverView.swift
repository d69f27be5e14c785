internal import CKernels

/// The part of a cover that a loop shows, and its output size.
package struct CoverView: Sendable {
  /// The cover, in red, green and blue.
  package let picture: PixelImage
  /// Area of the picture that the view shows.
  package let area: CropArea
  /// Size of the loop in pixels.
  package let size: PixelSize

  /// - Parameters:
  ///   - picture: without transparency.
  ///   - area: inside the picture, in the shape of the size.
  package init(_ picture: PixelImage, area: CropArea, size: PixelSize) {
    precondition(picture.channels == .rgb, "the cover is opaque")
    (self.picture, self.area, self.size) = (picture, area, size)
  }

  /// The picture of a view, by a Lanczos filter with subpixel positioning. 30 ns for each pixel of the loop.
  ///
  /// - Throws: `out-of-memory`.
  package func draw(_ view: MotionPath.View) throws(InspectionError) -> PixelImage {
    let (width, height) = (Double(area.width) / view.zoom, Double(area.height) / view.zoom)
    let place = artwork_view_area(
      left: Double(area.x) + (Double(area.width) - width) / 2 * (1 + view.x),
      top: Double(area.y) + (Double(area.height) - height) / 2 * (1 + view.y),
      width: width, height: height)
    return try size.filled { pixels in
      picture.bytes.withUnsafeBufferPointer {
        artwork_view(
          $0.baseAddress, Int32(picture.size.width), Int32(picture.size.height), place,
          Int32(size.width), Int32(size.height), pixels) != 0
      }
    }
  }

  /// The cover itself.
  package func whole() throws(InspectionError) -> PixelImage {
    try draw(MotionPath.View(zoom: 1, x: 0, y: 0))
  }
}

extension PixelSize {
  /// A picture of R, G, B of this size.
  ///
  /// - Parameter body: fills the pixels; returns `false` if memory ran out.
  func filled(
    _ body: (UnsafeMutablePointer<UInt8>?) -> Bool
  ) throws(InspectionError) -> PixelImage {
    var isMade = false
    let count = 3 * area
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      isMade = body(buffer.baseAddress)
      used = isMade ? count : 0
    }
    guard isMade else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "set the cover in motion")
    }
    return PixelImage(size: self, channels: .rgb, bytes: bytes)
  }
}
