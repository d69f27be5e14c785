import CFFmpeg
import Glibc

extension InspectionError {
  /// The failure of an FFmpeg call with `status`, described by FFmpeg's own message and its last log line.
  package init(_ code: Code, status: Int32, operation: String) {
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer -> String in
      guard let start = buffer.baseAddress, av_strerror(status, start, buffer.count) == 0 else {
        return "error \(status)"
      }
      return String(cString: start)
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
    let block = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
    block != MAP_FAILED
  else { return false }
  munmap(block, length)
  return true
}
