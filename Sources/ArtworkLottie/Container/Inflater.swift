import ArtworkModel
import CLibDeflate

/// Unpacks compressed data whose length is known beforehand.
enum Inflater {
  /// Unpacks a stream of deflate (RFC 1951), as ZIP archives hold it.
  ///
  /// - Throws: `decode-failed` for data that is damaged or does not unpack to exactly `length` bytes.
  static func inflate(_ data: ArraySlice<UInt8>, length: Int) throws(InspectionError) -> [UInt8] {
    try unsafe unpack(data, length: length, libdeflate_deflate_decompress)
  }

  /// Unpacks a gzip file (RFC 1952) of one member.
  ///
  /// - Throws: as above; `too-large` for more than `most` bytes.
  static func gunzip(_ data: [UInt8], most: Int) throws(InspectionError) -> [UInt8] {
    // The length, modulo 2^32, ends the file.
    guard data.count >= 18 else { throw damaged }
    let length = data.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= most else {
      throw InspectionError(
        .tooLarge, "the animation unpacks to \(length) bytes (limit \(most))")
    }
    return try unsafe unpack(data[...], length: length, libdeflate_gzip_decompress)
  }

  /// The checksum that ZIP archives keep of each file.
  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe libdeflate_crc32(0, $0.baseAddress, $0.count) }
  }

  private typealias Decompress = (
    OpaquePointer?, UnsafeRawPointer?, Int, UnsafeMutableRawPointer?, Int,
    UnsafeMutablePointer<Int>?
  ) -> libdeflate_result

  private static func unpack(
    _ data: ArraySlice<UInt8>, length: Int, _ decompress: Decompress
  ) throws(InspectionError) -> [UInt8] {
    guard let decompressor = unsafe libdeflate_alloc_decompressor() else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "unpack the animation")
    }
    defer { unsafe libdeflate_free_decompressor(decompressor) }
    var isWhole = false
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, used in
      // Without a place for the length, anything but exactly this length is an error.
      let result = unsafe data.withUnsafeBytes { data in
        unsafe decompress(
          decompressor, data.baseAddress, data.count, buffer.baseAddress, length, nil)
      }
      isWhole = result == LIBDEFLATE_SUCCESS
      used = isWhole ? length : 0
    }
    guard isWhole else { throw damaged }
    return bytes
  }

  private static let damaged = InspectionError(
    .decodeFailed, "the compressed data is damaged", operation: "unpack the animation")
}
