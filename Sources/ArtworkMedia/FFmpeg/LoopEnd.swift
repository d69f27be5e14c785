import CFFmpeg

/// Leads the last frames of a movie that repeats back to the first one, as that was encoded.
///
/// The first frame is coded for itself. Its coding errors differ from those of the last frames, which no later frame
/// refers to and which therefore get few bits: at each repeat, all texture would change at once. So the first packet is
/// decoded, its error is added to the last frames wherever they show the same, and these get more bits. Where something
/// moves, its error means nothing, and nobody sees the change.
struct LoopEnd: ~Copyable {
  /// Frames that lead back.
  static let length = 8
  /// The side of the blocks that are compared with the first frame.
  private static let side = 16
  /// The share of a block's texture that may change for it to count as the same, and at which it does not count: noise
  /// changes by 1.4 times itself.
  private static let (same, other) = (0.6, 1.0)
  /// How much finer the quantizer of the last frame is: with less, light changes by more than a quarter of a level.
  private static let finer = 20.0

  private let count: Int
  /// Whether the encoder takes regions with a quantizer of their own.
  private let takesRegions: Bool
  private var number = 0
  private var first: HeldFrame?
  /// The first frame as players see it.
  private var shown: HeldFrame?

  /// - Parameter count: of the frames; `Int.max` to lead none back, as without loss.
  init(of count: Int, takesRegions: Bool) {
    (self.count, self.takesRegions) = (count, takesRegions)
  }

  /// Takes a packet of the encoder; only the first counts.
  mutating func take(
    _ packet: borrowing Packet, _ parameters: UnsafePointer<AVCodecParameters>
  ) throws(InspectionError) {
    guard count < .max, shown == nil,
      let picture = try unsafe VideoDecoder.picture(of: packet, parameters)
    else {
      return
    }
    shown = HeldFrame(picture)
  }

  /// The frame to encode in place of the next one; `nil` for that one itself.
  mutating func next(_ frame: borrowing Frame) throws(InspectionError) -> Frame? {
    defer { number += 1 }
    if number == 0 { first = HeldFrame(try frame.shared()) }
    let left = count - number
    guard number > 0, left <= Self.length, let first, let shown,
      shown.frame.format == frame.format || frame.format == AV_PIX_FMT_YUVA420P,
      shown.frame.width == frame.width,
      shown.frame.height == frame.height
    else { return nil }
    let result = try Frame.empty(
      size: PixelSize(width: frame.width, height: frame.height), format: frame.format)
    guard unsafe av_frame_copy(result.pointer, frame.pointer) >= 0 else { return nil }
    let planes = unsafe (0..<3).map { index in
      unsafe Plane(index, of: frame, first.frame, shown.frame, into: result)
    }
    let share =
      unsafe frame.format == AV_PIX_FMT_YUV420P10LE
      ? Self.lead(planes, UInt16.self) : Self.lead(planes, UInt8.self)
    let part = share * Double(Self.length + 1 - left) / Double(Self.length)
    if takesRegions, part > 0 { try result.refine(by: part * Self.finer) }
    return result
  }

  /// Adds the error of the first frame to the blocks that show the same.
  ///
  /// - Returns: how much of the error was added.
  private static func lead<Sample: FixedWidthInteger & UnsignedInteger>(
    _ planes: [Plane], _: Sample.Type
  ) -> Double {
    let luma = unsafe planes[0]
    var (added, errors) = (0.0, 0.0)
    for top in unsafe stride(from: 0, to: luma.height, by: side) {
      for left in unsafe stride(from: 0, to: luma.width, by: side) {
        let (change, error) = unsafe luma.texture(Sample.self, left: left, top: top, side: side)
        let weight = max(0, min(1, (other - change) / (other - same)))
        added += weight * error
        errors += error
        for index in unsafe planes.indices where weight > 0 {
          let plane = unsafe planes[index]
          let shift = index == 0 ? 0 : 1
          unsafe plane.add(
            Sample.self, left: left >> shift, top: top >> shift, side: side >> shift,
            weight: wholeNumber((weight * 256).rounded()) ?? 0)
        }
      }
    }
    return errors > 0 ? added / errors : 0
  }

  /// One plane of the frames.
  @unsafe private struct Plane {
    let (width, height): (Int, Int)
    private let rows: [(start: UnsafeMutableRawPointer, stride: Int)]

    init(
      _ index: Int, of frame: borrowing Frame, _ first: borrowing Frame, _ shown: borrowing Frame,
      into result: borrowing Frame
    ) {
      unsafe (width, height) =
        index == 0
        ? (frame.width, frame.height) : ((frame.width + 1) / 2, (frame.height + 1) / 2)
      unsafe rows = unsafe [
        frame.samples(index), first.samples(index), shown.samples(index), result.samples(index),
      ].compactMap(unsafe \.self)
    }

    /// The share of the first frame's texture in a block that has changed, and the sum of that frame's errors. Texture
    /// is the difference of a sample from its four neighbours, so that changes of light are none.
    func texture<Sample: FixedWidthInteger & UnsignedInteger>(
      _: Sample.Type, left: Int, top: Int, side: Int
    ) -> (change: Double, error: Double) {
      let (right, bottom) = unsafe (min(width, left + side), min(height, top + side))
      var (all, changed, errors) = (0, 0, 0)
      for y in top..<bottom {
        let (first, shown) = unsafe (row(1, y, Sample.self), row(2, y, Sample.self))
        for x in left..<right { unsafe errors += abs(Int(shown[x]) - Int(first[x])) }
      }
      for y in unsafe max(1, top)..<min(bottom, height - 1) {
        for x in unsafe max(1, left)..<min(right, width - 1) {
          let texture = unsafe relief(1, x, y, Sample.self)
          all += abs(texture)
          unsafe changed += abs(relief(0, x, y, Sample.self) - texture)
        }
      }
      return (all > 0 ? Double(changed) / Double(all) : changed > 0 ? 1 : 0, Double(errors))
    }

    private func relief<Sample: FixedWidthInteger & UnsignedInteger>(
      _ index: Int, _ x: Int, _ y: Int, _: Sample.Type
    ) -> Int {
      let (above, own, below) = unsafe (
        row(index, y - 1, Sample.self), row(index, y, Sample.self), row(index, y + 1, Sample.self)
      )
      return unsafe 4 * Int(own[x]) - Int(own[x - 1]) - Int(own[x + 1]) - Int(above[x])
        - Int(below[x])
    }

    /// - Parameter weight: of the error, 256 being all of it.
    func add<Sample: FixedWidthInteger & UnsignedInteger>(
      _: Sample.Type, left: Int, top: Int, side: Int, weight: Int
    ) {
      let most = Sample.self == UInt8.self ? 255 : 1023
      for y in unsafe top..<min(height, top + side) {
        let (frame, first) = unsafe (row(0, y, Sample.self), row(1, y, Sample.self))
        let (shown, result) = unsafe (row(2, y, Sample.self), row(3, y, Sample.self))
        for x in unsafe left..<min(width, left + side) {
          let error = unsafe (Int(shown[x]) - Int(first[x])) * weight
          let sum = unsafe Int(frame[x]) + (error + 128) >> 8
          unsafe result[x] = Sample(truncatingIfNeeded: max(0, min(most, sum)))
        }
      }
    }

    private func row<Sample>(_ index: Int, _ y: Int, _: Sample.Type) -> UnsafeMutablePointer<Sample> {
      unsafe (rows[index].start + y * rows[index].stride).assumingMemoryBound(to: Sample.self)
    }
  }
}

extension Frame {
  /// The samples of a plane and the bytes of a row.
  fileprivate func samples(_ index: Int) -> (start: UnsafeMutableRawPointer, stride: Int)? {
    let (data, strides) = unsafe (pointer.pointee.data, pointer.pointee.linesize)
    return unsafe [data.0, data.1, data.2][index].map {
      (UnsafeMutableRawPointer($0), Int([strides.0, strides.1, strides.2][index]))
    }
  }

  /// Asks the encoder for a finer quantizer.
  fileprivate func refine(by steps: Double) throws(InspectionError) {
    let size = MemoryLayout<AVRegionOfInterest>.size
    guard
      let data = unsafe av_frame_new_side_data(pointer, AV_FRAME_DATA_REGIONS_OF_INTEREST, size)
    else { throw InspectionError(.outOfMemory, "out of memory", operation: "encode") }
    var region = AVRegionOfInterest()
    region.self_size = UInt32(size)
    (region.right, region.bottom) = unsafe (pointer.pointee.width, pointer.pointee.height)
    // In shares of the 51 quantizers.
    region.qoffset = av_d2q(-min(1, steps / 51), 1000)
    unsafe UnsafeMutableRawPointer(data.pointee.data).copyMemory(from: &region, byteCount: size)
  }
}
