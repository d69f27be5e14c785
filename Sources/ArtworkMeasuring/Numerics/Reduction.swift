internal import CKernels

extension PixelImage {
  /// A smaller copy, by the filter that pictures of frames are scaled with. About 3 ns for each pixel of this picture, and
  /// 10 ns for each of the new one.
  ///
  /// - Parameter size: no larger than the picture in either direction.
  /// - Throws: `out-of-memory`.
  package func scaledDown(to size: PixelSize) throws(InspectionError) -> PixelImage {
    precondition(
      size.width <= self.size.width && size.height <= self.size.height, "pictures are not enlarged")
    if size == self.size { return self }
    var isMade = false
    let count = size.area * channels.rawValue
    let pixels = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      isMade = bytes.withUnsafeBufferPointer { source in
        artwork_reduce(
          source.baseAddress, Int32(self.size.width), Int32(self.size.height),
          Int32(channels.rawValue), Int32(size.width), Int32(size.height), buffer.baseAddress) != 0
      }
      used = isMade ? count : 0
    }
    guard isMade else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "reduce the preview")
    }
    return PixelImage(size: size, channels: channels, bytes: pixels)
  }
}
