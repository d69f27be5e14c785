import CFFmpeg

/// A file in memory that libavformat writes, never larger than a cap.
///
/// A class because the I/O contexts keep a pointer back to it. Not shared between threads.
final class MovieOutput {
  /// The bytes written so far.
  private(set) var bytes: [UInt8] = []
  let mostBytes: Int
  /// A write was refused because of ``mostBytes``.
  private(set) var isFull = false
  private var writePlace = 0
  private var readPlace = 0

  /// The size of libavformat's buffers.
  private static let bufferSize = 64 * 1024

  /// - Parameter expecting: bytes to reserve.
  init(atMost mostBytes: Int, expecting: Int = 0) {
    self.mostBytes = mostBytes
    bytes.reserveCapacity(min(mostBytes, expecting))
  }

  /// A context that writes here, which the caller frees with ``free(_:)``; this object must outlive it.
  func writingIO() throws(InspectionError) -> UnsafeMutablePointer<AVIOContext> {
    try unsafe context { buffer, opaque in
      unsafe artwork_io_for_writing(
        buffer, Int32(Self.bufferSize), opaque,
        { unsafe MovieOutput.from($0).write($1, count: $2) },
        { opaque, offset, whence in
          let output = unsafe MovieOutput.from(opaque)
          return output.seek(&output.writePlace, to: offset, whence: whence)
        })
    }
  }

  /// A context that reads the written bytes, with which libavformat moves the header to the front.
  func readingIO() throws(InspectionError) -> UnsafeMutablePointer<AVIOContext> {
    readPlace = 0
    return try unsafe context { buffer, opaque in
      unsafe avio_alloc_context(
        buffer, Int32(Self.bufferSize), 0, opaque,
        { unsafe MovieOutput.from($0).read(into: $1, count: $2) }, nil,
        { opaque, offset, whence in
          let output = unsafe MovieOutput.from(opaque)
          return output.seek(&output.readPlace, to: offset, whence: whence)
        })
    }
  }

  static func free(_ io: UnsafeMutablePointer<AVIOContext>?) {
    unsafe av_free(io?.pointee.buffer)
    var context = unsafe io
    unsafe avio_context_free(&context)
  }

  private func context(
    _ make: (UnsafeMutablePointer<UInt8>, UnsafeMutableRawPointer)
      -> UnsafeMutablePointer<AVIOContext>?
  ) throws(InspectionError) -> UnsafeMutablePointer<AVIOContext> {
    let buffer = unsafe av_malloc(Self.bufferSize)
    guard let buffer = unsafe buffer,
      let context = unsafe make(
        buffer.assumingMemoryBound(to: UInt8.self), Unmanaged.passUnretained(self).toOpaque())
    else {
      unsafe av_free(buffer)
      throw InspectionError(.outOfMemory, "out of memory", operation: "write the video")
    }
    return unsafe context
  }

  static func from(_ opaque: UnsafeMutableRawPointer?) -> MovieOutput {
    guard let opaque = unsafe opaque else {
      preconditionFailure("libavformat lost its I/O context")
    }
    return unsafe Unmanaged<MovieOutput>.fromOpaque(opaque).takeUnretainedValue()
  }

  private func write(_ source: UnsafePointer<UInt8>?, count: Int32) -> Int32 {
    guard let source = unsafe source, count > 0 else { return 0 }
    let new = unsafe UnsafeBufferPointer(start: source, count: Int(count))
    let end = writePlace + new.count
    guard end <= mostBytes else {
      isFull = true
      return artwork_error_from_errno(ENOSPC)
    }
    if writePlace == bytes.count {
      unsafe bytes.append(contentsOf: new)
    } else {
      if end > bytes.count { bytes += repeatElement(0, count: end - bytes.count) }
      unsafe bytes.replaceSubrange(writePlace..<end, with: new)
    }
    writePlace = end
    return count
  }

  private func read(into target: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    let available = min(Int(count), bytes.count - readPlace)
    guard let target = unsafe target, available > 0 else { return artwork_error_eof() }
    unsafe bytes.withUnsafeBufferPointer { source in
      unsafe target.update(from: source.baseAddress.unsafelyUnwrapped + readPlace, count: available)
    }
    readPlace += available
    return Int32(available)
  }

  private func seek(_ place: inout Int, to offset: Int64, whence: Int32) -> Int64 {
    let base: Int
    switch whence & ~AVSEEK_FORCE {
    case artwork_seek_size(): return Int64(bytes.count)
    case SEEK_SET: base = 0
    case SEEK_CUR: base = place
    case SEEK_END: base = bytes.count
    default: return Int64(artwork_error_from_errno(EINVAL))
    }
    let target = base.addingClamped(Int(clamping: offset))
    guard target >= 0, target <= mostBytes else {
      return Int64(artwork_error_from_errno(EINVAL))
    }
    place = target
    return Int64(target)
  }
}
