import CFFmpeg

/// The codec parameters of a copied track: those of the source, with the values from its container and those that the
/// copy is to state.
@safe struct CopiedParameters: ~Copyable {
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
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw outOfMemory }
    let copied = unsafe CopiedParameters(pointer: pointer)
    guard unsafe avcodec_parameters_copy(pointer, filtered ?? stream.parameters) >= 0 else {
      throw outOfMemory
    }
    unsafe pointer.pointee.sample_aspect_ratio = unsafe stream.containerSampleAspect
    if let color = unsafe color {
      // The header may state another size.
      if unsafe color.width > 0, unsafe color.height > 0 {
        unsafe (pointer.pointee.width, pointer.pointee.height) = unsafe (color.width, color.height)
      }
      unsafe pointer.pointee.color_space = unsafe color.color_space
      unsafe pointer.pointee.color_primaries = unsafe color.color_primaries
      unsafe pointer.pointee.color_trc = unsafe color.color_trc
      unsafe pointer.pointee.color_range = unsafe color.color_range
    }
    let code = matrix.map { unsafe av_color_space_from_name($0) } ?? -1
    if code >= 0 { unsafe pointer.pointee.color_space = AVColorSpace(rawValue: UInt32(code)) }
    if let setupData {
      guard let room = unsafe av_mallocz(setupData.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
        throw outOfMemory
      }
      unsafe room.copyMemory(from: setupData, byteCount: setupData.count)
      unsafe av_free(pointer.pointee.extradata)
      unsafe pointer.pointee.extradata = unsafe room.assumingMemoryBound(to: UInt8.self)
      unsafe pointer.pointee.extradata_size = Int32(clamping: setupData.count)
    }
    return copied
  }

  private init(pointer: UnsafeMutablePointer<AVCodecParameters>) {
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = unsafe pointer
    unsafe avcodec_parameters_free(&pointer)
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
    return try unsafe analysed.selectVideo().parameters.pointee
  }
}
