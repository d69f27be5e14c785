import CFFmpeg

/// The codec parameters of a copied track: those of the source, with the values from its container and those that the
/// copy is to state.
struct CopiedParameters: ~Copyable {
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  /// - Parameters:
  ///   - filtered: the output of the packets' bitstream filter; `nil` without one.
  ///   - setupData: the replacement for that of the source; `nil` to keep it.
  ///   - matrix: the colour matrix to state, in FFmpeg's name; `nil` for that of the source.
  ///   - color: parameters with the colours and the size of the bitstream, which count; `nil` to keep those of the container.
  /// - Throws: `out-of-memory`.
  static func of(
    _ stream: VideoStream, filtered: UnsafeMutablePointer<AVCodecParameters>?, matrix: String?,
    color: AVCodecParameters? = nil, setupData: [UInt8]? = nil
  ) throws(InspectionError) -> CopiedParameters {
    guard let pointer = avcodec_parameters_alloc() else { throw outOfMemory }
    let copied = CopiedParameters(pointer: pointer)
    guard avcodec_parameters_copy(pointer, filtered ?? stream.parameters) >= 0 else {
      throw outOfMemory
    }
    pointer.pointee.sample_aspect_ratio = stream.containerSampleAspect
    if let color {
      // The header may state another size.
      if color.width > 0, color.height > 0 {
        (pointer.pointee.width, pointer.pointee.height) = (color.width, color.height)
      }
      pointer.pointee.color_space = color.color_space
      pointer.pointee.color_primaries = color.color_primaries
      pointer.pointee.color_trc = color.color_trc
      pointer.pointee.color_range = color.color_range
    }
    let code = matrix.map { av_color_space_from_name($0) } ?? -1
    if code >= 0 { pointer.pointee.color_space = AVColorSpace(rawValue: UInt32(code)) }
    if let setupData {
      guard let room = av_mallocz(setupData.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
        throw outOfMemory
      }
      room.copyMemory(from: setupData, byteCount: setupData.count)
      av_free(pointer.pointee.extradata)
      pointer.pointee.extradata = room.assumingMemoryBound(to: UInt8.self)
      pointer.pointee.extradata_size = Int32(clamping: setupData.count)
    }
    return copied
  }

  private init(pointer: UnsafeMutablePointer<AVCodecParameters>) { self.pointer = pointer }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = pointer
    avcodec_parameters_free(&pointer)
  }

  private static let outOfMemory = InspectionError(
    .outOfMemory, "out of memory", operation: "copy the video")
}

extension Demuxer {
  /// Parameters with the colours of the bitstream, which may contradict those of the container; `nil` for containers that
  /// state none.
  func decodedColor() throws(InspectionError) -> AVCodecParameters? {
    if layout == nil { return nil }
    // Analysis replaces the container's colours by the decoder's.
    let analysed = try reopenedWithAnalysis()
    return try analysed.selectVideo().parameters.pointee
  }
}
