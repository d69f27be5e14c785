import CFFmpeg

extension ColorDescription {
  /// Code points of ITU-T H.273.
  ///
  /// - Parameter matrix: `nil` for RGB.
  init(primaries: Int, transfer: Int, matrix: Int?, isFullRange: Bool) {
    func name(_ text: UnsafePointer<CChar>?) -> String? {
      unsafe text.map { unsafe String(cString: $0) }
    }
    func stated(_ code: Int?) -> UInt32? { code.flatMap { $0 == 2 ? nil : UInt32(exactly: $0) } }
    self.init(
      matrix: stated(matrix).flatMap { unsafe name(av_color_space_name(AVColorSpace($0))) },
      primaries: stated(primaries).flatMap {
        unsafe name(av_color_primaries_name(AVColorPrimaries($0)))
      },
      transfer: stated(transfer).flatMap {
        unsafe name(av_color_transfer_name(AVColorTransferCharacteristic($0)))
      }, range: isFullRange ? "pc" : "tv")
  }

  /// The code points in an ICC profile; `nil` for one without them.
  init?(icc bytes: [UInt8]) {
    guard let codes = ColorProfile.codes(icc: bytes) else { return nil }
    self.init(
      primaries: codes.primaries, transfer: codes.transfer, matrix: nil, isFullRange: true)
  }
}

extension Frame {
  /// States the range of its samples.
  func setRange(isFull: Bool) {
    unsafe pointer.pointee.color_range = isFull ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
  }

  /// The ICC profile that the decoder found; `nil` for none.
  var iccProfile: [UInt8]? {
    guard let data = unsafe av_frame_get_side_data(pointer, AV_FRAME_DATA_ICC_PROFILE)?.pointee,
      let bytes = unsafe data.data
    else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: bytes, count: data.size))
  }
}
