import CFFmpeg

extension InspectionError {
  /// An FFmpeg call that failed with `status`, told with FFmpeg's own words and its last log line.
  init(_ code: Code, status: Int32, operation: String) {
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
