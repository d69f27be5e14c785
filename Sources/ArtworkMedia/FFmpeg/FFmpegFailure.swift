import CFFmpeg
import Glibc

extension InspectionError {
  /// The failure of an FFmpeg call with `status`, described by FFmpeg's own message and its last log line.
  package init(_ code: Code, status: Int32, operation: String) {
    let reason = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) {
      buffer -> String in
      guard let start = buffer.baseAddress, unsafe av_strerror(status, start, buffer.count) == 0
      else {
        return "error \(status)"
      }
      return unsafe String(cString: start)
    }
    let detail = LogCapture.lastLine.map { ": \($0)" } ?? ""
    self.init(
      status == artwork_error_no_memory() ? .outOfMemory : code,
      reason.lowercased() + detail, operation: operation)
  }
}

/// Whether memory is available. libavformat also reports "out of memory" for damaged tables, and drops an index for
/// either reason: this distinguishes the two.
///
/// - Parameter entries: of an index, 24 bytes each, for which libavformat holds the old and the new array
///   when it grows.
func hasMemory(forIndexOf entries: Int64) -> Bool {
  // At least as much as any header needs.
  let length = max(64 << 20, Int(clamping: entries.multipliedClamped(by: 64)))
  // The optimiser removes a malloc that is only freed, and assumes that it succeeds.
  guard
    let block = unsafe mmap(
      nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
    unsafe block != MAP_FAILED
  else { return false }
  unsafe munmap(block, length)
  return true
}

/// The libraries that were loaded, not those that this was built with.
package enum FFmpegVersion {
  /// The versions, for example `5.1.9-0+deb12u1 59.27.100 59.37.100 6.7.100`, including the builder's patch level.
  package static var text: String {
    let name = unsafe av_version_info().map { unsafe String(cString: $0) } ?? "unknown"
    let parts = [avformat_version(), avcodec_version(), swscale_version()].map {
      "\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)"
    }
    return ([name] + parts).joined(separator: " ")
  }
}

/// The decoders of libavcodec that may see a file, by ``VideoCodec``.
enum AllowedDecoders {
  static let codecs: [AVCodecID] = VideoCodec.all.filter(\.isDecoded).compactMap {
    unsafe avcodec_descriptor_get_by_name($0.name)?.pointee.id
  }

  static func contains(_ codec: AVCodecID) -> Bool { codecs.contains(codec) }

  /// The decoders' own names, in the format of the `codec_whitelist` of libavformat and libavcodec. No audio decoder
  /// is among them: analysis decodes no audio.
  static let names: String =
    codecs
    .compactMap { unsafe avcodec_find_decoder($0).map { unsafe String(cString: $0.pointee.name) } }
    .joined(separator: ",")
}
