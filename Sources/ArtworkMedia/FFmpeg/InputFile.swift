import CFFmpeg
import Glibc

/// An open, regular, readable file that libavformat reads through custom I/O: no file name ever
/// reaches libavformat, so nothing in a file can make it open another one.
///
/// A class because the I/O context keeps a pointer back to it. Not shared between threads.
@safe package final class InputFile {
  package let state: FileState
  package var size: Int64 { max(0, state.size) }
  private let descriptor: FileDescriptor
  /// The owner of the descriptor, if that is another object.
  private let owner: InputFile?
  private(set) var io: UnsafeMutablePointer<AVIOContext>?
  private var offset: Int64 = 0
  /// Bytes that read as others; see ``readAsBrowsers()``.
  private var replaced: [Int64: UInt8] = [:]
  /// While set, reads inside the file succeed without touching the disk and leave the destination as
  /// it is. Used to walk a sample table for its timestamps alone.
  private var skipsData = false

  /// The first read that failed. libavformat treats it as the end of the file.
  private(set) var readFailure: Errno?
  /// Called before each read, so that tests can change the file meanwhile.
  var onRead: (() -> Void)?

  /// The size of libavformat's read buffer. Larger reads bypass it.
  private static let bufferSize = 32 * 1024

  /// Takes over an open descriptor, which is closed even when this throws.
  package init(adopting descriptor: FileDescriptor, limits: Limits) throws(InspectionError) {
    self.descriptor = descriptor
    owner = nil
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
      defer { try? descriptor.close() }
      throw InspectionError(
        .unreadable, "cannot read the status of the file: \(Errno(rawValue: errno))")
    }
    state = FileState(status)
    guard status.st_mode & S_IFMT == S_IFREG else {
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw InspectionError(.notAFile, "this is not a regular file")
      }
      throw InspectionError(.notAFile, "this is a folder", advice: "name a file in it")
    }
    guard status.st_size > 0 else {
      throw InspectionError(.emptyFile, "the file is empty")
    }
    guard size <= limits.fileBytes else {
      throw InspectionError(
        .tooLarge, "the file has \(size) bytes (limit \(limits.fileBytes))")
    }
  }

  /// A second position in the same open file, for a demuxer beside another one. The file stays open as long as either
  /// lives.
  init(sharing other: InputFile) {
    descriptor = other.descriptor
    owner = other
    state = other.state
  }

  /// Runs `body`. If the file changed meanwhile, discards the result, whether success or failure.
  ///
  /// - Throws: `changed-while-reading`, or the errors of `body`.
  package func whileUnchanged<R>(
    _ body: () throws(InspectionError) -> R
  ) throws(InspectionError) -> R {
    let result: R
    do {
      result = try body()
    } catch {
      try checkForChange()
      throw error
    }
    try checkForChange()
    return result
  }

  private func checkForChange() throws(InspectionError) {
    if let change {
      throw InspectionError(
        .changedWhileReading, "the file changed during the inspection: \(change)")
    }
  }

  /// The change of the file since it was opened, in a sentence; `nil` for none.
  package var change: String? {
    var status = stat()
    guard unsafe fstat(descriptor.rawValue, &status) == 0 else {
      return "its status can no longer be read"
    }
    let now = FileState(status)
    if now == state { return nil }
    if now.size > state.size { return "it grew from \(state.size) to \(now.size) bytes" }
    if now.size < state.size { return "it shrank from \(state.size) to \(now.size) bytes" }
    return "it was written to"
  }

  /// Lends the descriptor to `body`, which must not close it.
  package func withDescriptor<R, E: Error>(_ body: (FileDescriptor) throws(E) -> R) throws(E) -> R {
    defer { extendLifetime(self) }
    return try body(descriptor)
  }

  /// The I/O context for a demuxer, made on first use and owned by this object.
  func attachIO() throws(InspectionError) -> UnsafeMutablePointer<AVIOContext> {
    if let io = unsafe io { return unsafe io }
    let buffer = unsafe av_malloc(Self.bufferSize)
    guard
      let buffer = unsafe buffer,
      let context = unsafe avio_alloc_context(
        buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
        Unmanaged.passUnretained(self).toOpaque(),
        { opaque, bytes, count in
          unsafe InputFile.from(opaque).read(into: bytes, count: count)
        },
        nil,
        { opaque, offset, whence in unsafe InputFile.from(opaque).seek(to: offset, whence: whence) }
      )
    else {
      unsafe av_free(buffer)
      throw InspectionError(.outOfMemory, "out of memory", operation: "open the container")
    }
    unsafe io = unsafe context
    return unsafe context
  }

  deinit {
    if let io = unsafe io {
      unsafe av_free(io.pointee.buffer)
      var context: UnsafeMutablePointer<AVIOContext>? = unsafe io
      unsafe avio_context_free(&context)
    }
    if owner == nil { try? descriptor.close() }
  }

  /// Runs `body` with reads that deliver no data; see ``skipsData``.
  func withoutData<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    skipsData = true
    defer {
      skipsData = false
      if let io = unsafe io { unsafe artwork_io_forget_buffer(io) }
    }
    return try body()
  }

  /// Back to the first byte, for another demuxer.
  func rewind() {
    if let io = unsafe io { unsafe artwork_io_forget_buffer(io) }
    if let io = unsafe io { unsafe avio_seek(io, 0, SEEK_SET) }
  }

  /// Up to `count` bytes at `offset`; fewer at the end of the file, none on an error.
  package func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    onRead?()
    // The count may be a file's claim.
    let most = min(count, Int(clamping: size - offset))
    return unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, used in
      do {
        let target = UnsafeMutableRawBufferPointer(buffer)
        used = try unsafe descriptor.read(fromAbsoluteOffset: offset, into: target)
        unsafe replaceBytes(in: target, from: offset)
      } catch {
        record(error)
      }
    }
  }

  private static func from(_ opaque: UnsafeMutableRawPointer?) -> InputFile {
    guard let opaque = unsafe opaque else {
      preconditionFailure("libavformat lost its I/O context")
    }
    return unsafe Unmanaged<InputFile>.fromOpaque(opaque).takeUnretainedValue()
  }

  private func read(into bytes: UnsafeMutablePointer<UInt8>?, count: Int32) -> Int32 {
    guard let bytes = unsafe bytes, count > 0 else { return 0 }
    guard offset >= 0, offset < size else { return artwork_error_eof() }
    if skipsData {
      let available = Int32(truncatingIfNeeded: min(Int64(count), size - offset))
      offset += Int64(available)
      return available
    }
    onRead?()
    do {
      let most = min(Int64(count), size - offset)
      let target = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(most))
      let got = try unsafe descriptor.read(fromAbsoluteOffset: offset, into: target)
      guard got > 0 else { return artwork_error_eof() }
      unsafe replaceBytes(in: target, from: offset)
      offset += Int64(got)
      return Int32(got)
    } catch {
      record(error)
      return artwork_error_from_errno((error as? Errno)?.rawValue ?? EIO)
    }
  }

  /// Lets the byte at `place` be read as another one.
  func replace(_ place: Int64, by byte: UInt8) { replaced[place] = byte }

  private func replaceBytes(in bytes: UnsafeMutableRawBufferPointer, from offset: Int64) {
    for (place, byte) in replaced where place >= offset && place - offset < bytes.count {
      unsafe bytes[Int(place - offset)] = byte
    }
  }

  private func record(_ error: any Error) {
    readFailure = readFailure ?? (error as? Errno) ?? .ioError
  }

  private func seek(to target: Int64, whence: Int32) -> Int64 {
    let base: Int64
    switch whence & ~AVSEEK_FORCE {
    case artwork_seek_size(): return size
    case SEEK_SET: base = 0
    case SEEK_CUR: base = offset
    case SEEK_END: base = size
    default: return Int64(artwork_error_from_errno(EINVAL))
    }
    let (sum, overflow) = base.addingReportingOverflow(target)
    guard !overflow, sum >= 0 else { return Int64(artwork_error_from_errno(EINVAL)) }
    offset = sum
    return sum
  }
}
