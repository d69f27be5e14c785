import CFFmpeg

/// Deinterlacing: the lines of the second moment stay where they agree with those of the first, and are drawn anew elsewhere.
extension Frame {
  /// How much more than their neighbours lines of two moments differ, squared, in code values.
  private static let combed = 36

  /// The frame as of one moment; itself for a progressive one, and for one that is not planar with 8 bits.
  ///
  /// - Throws: `out-of-memory`.
  func progressive() throws(InspectionError) -> Frame {
    let fields = unsafe artwork_frame_fields(pointer)
    let sizes = unsafe withPlanes { planes in
      unsafe planes.bitDepth == 8
        ? [planes.luma, planes.blue, planes.red].map { unsafe ($0.width, $0.height) } : []
    }
    guard fields > 0, let sizes, !sizes.isEmpty else { return try shared() }
    let result = try Frame.empty(size: PixelSize(width: width, height: height), format: format)
    guard unsafe av_frame_copy(result.pointer, pointer) >= 0,
      unsafe av_frame_copy_props(result.pointer, pointer) >= 0
    else { throw InspectionError(.outOfMemory, "out of memory", operation: "decode") }
    let (old, new) = unsafe (pointer.pointee, result.pointer.pointee)
    let planes = unsafe [
      (old.data.0, old.linesize.0, new.data.0, new.linesize.0),
      (old.data.1, old.linesize.1, new.data.1, new.linesize.1),
      (old.data.2, old.linesize.2, new.data.2, new.linesize.2),
    ]
    for index in unsafe planes.indices {
      let (source, stride, target, targetStride) = unsafe planes[index]
      let (width, height) = sizes[index]
      guard let source = unsafe source, let target = unsafe target, height > 1 else { continue }
      for y in Swift.stride(from: fields == 1 ? 1 : 0, to: height, by: 2) {
        let own = unsafe source + y * Int(stride)
        let above = unsafe source + (y > 0 ? y - 1 : y + 1) * Int(stride)
        let below = unsafe source + (y + 1 < height ? y + 1 : y - 1) * Int(stride)
        let row = unsafe target + y * Int(targetStride)
        for x in 0..<width
        where unsafe (Int(own[x]) - Int(above[x])) * (Int(own[x]) - Int(below[x])) > Self.combed {
          // Along the direction in which both neighbours agree best.
          var (best, mean) = unsafe (Int.max, Int(own[x]))
          for shift in [0, -1, 1]
          where x + shift >= 0 && x + shift < width && x >= shift && x - shift < width {
            let (a, b) = unsafe (Int(above[x + shift]), Int(below[x - shift]))
            if abs(a - b) < best { (best, mean) = (abs(a - b), (a + b + 1) / 2) }
          }
          unsafe row[x] = UInt8(truncatingIfNeeded: mean)
        }
      }
    }
    return result
  }
}
