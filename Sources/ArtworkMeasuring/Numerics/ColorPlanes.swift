import CKernels

/// Rows of R, G and B that are stored apart, 8 bits a sample. Valid as long as their memory is.
package struct ColorPlanes {
  package let red: PlanarPixels.Plane
  package let green: PlanarPixels.Plane
  package let blue: PlanarPixels.Plane

  /// Makes packed pixels of the first `rows` rows. `pixels` has room for three bytes per pixel, rows without padding.
  package func interleave(rows: Int, into pixels: UnsafeMutablePointer<UInt8>) {
    func row(_ plane: PlanarPixels.Plane, _ y: Int) -> UnsafePointer<UInt8> {
      (plane.start + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
    }
    for y in 0..<rows {
      artwork_interleave(
        row(red, y), row(green, y), row(blue, y), red.width, pixels + y * red.width * 3)
    }
  }

  package init(
    red: PlanarPixels.Plane, green: PlanarPixels.Plane, blue: PlanarPixels.Plane
  ) {
    self.red = red
    self.green = green
    self.blue = blue
  }
}
