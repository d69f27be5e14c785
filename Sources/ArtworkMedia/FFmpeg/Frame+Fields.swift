import CFFmpeg

/// Deinterlacing: the lines of the second moment stay where they agree with those of the first, and are drawn anew elsewhere.
extension Frame {
  /// How much more than their neighbours lines of two moments differ, squared, in code values.
  private static let combed = 36

  /// The frame as of one moment; itself for a progressive one, and for one that is not planar with 8 bits.
  ///
  /// - Throws: `out-of-memory`.
  func progressive() throws(InspectionError) -> Frame {
    let fields = artwork_frame_fields(pointer)
    let sizes = withPlanes { planes in
      planes.bitDepth == 8
        ? [planes.luma, planes.blue, planes.red].map { ($0.width, $0.height) } : []
    }
    guard fields > 0, let sizes, !sizes.isEmpty else { return try shared() }
    let result = try Frame.empty(size: PixelSize(width: width, height: height), format: format)
    guard av_frame_copy(result.pointer, pointer) >= 0,
      av_frame_copy_props(result.pointer, pointer) >= 0
    else { throw InspectionError(.outOfMemory, "out of memory", operation: "decode") }
    let (old, new) = (pointer.pointee, result.pointer.pointee)
    let planes = [
      (old.data.0, old.linesize.0, new.data.0, new.linesize.0),
      (old.data.1, old.linesize.1, new.data.1, new.linesize.1),
      (old.data.2, old.linesize.2, new.data.2, new.linesize.2),
    ]
    for ((source, stride, target, targetStride), (width, height)) in zip(planes, sizes) {
      guard let source, let target, height > 1 else { continue }
      for y in Swift.stride(from: fields == 1 ? 1 : 0, to: height, by: 2) {
        let own = source + y * Int(stride)
        let above = source + (y > 0 ? y - 1 : y + 1) * Int(stride)
        let below = source + (y + 1 < height ? y + 1 : y - 1) * Int(stride)
        let row = target + y * Int(targetStride)
        for x in 0..<width
        where (Int(own[x]) - Int(above[x])) * (Int(own[x]) - Int(below[x])) > Self.combed {
          // Along the direction in which both neighbours agree best.
          var (best, mean) = (Int.max, Int(own[x]))
          for shift in [0, -1, 1]
          where x + shift >= 0 && x + shift < width && x >= shift && x - shift < width {
            let (a, b) = (Int(above[x + shift]), Int(below[x - shift]))
            if abs(a - b) < best { (best, mean) = (abs(a - b), (a + b + 1) / 2) }
          }
          row[x] = UInt8(truncatingIfNeeded: mean)
        }
      }
    }
    return result
  }
}
