import CFFmpeg
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keeps FFmpeg quiet and remembers its last error line for each thread, so that an
/// ``InspectionError`` can say what FFmpeg said.
enum LogCapture {
  private static let lines = Mutex<[UInt: String]>([:])

  private static let install: Void = {
    av_log_set_level(AV_LOG_ERROR)
    av_log_set_callback { _, level, format, arguments in
      guard level <= AV_LOG_ERROR, let format, let arguments else { return }
      LogCapture.record(format, arguments)
    }
  }()

  /// Runs `body` with a clean slate for this thread; forgets its lines afterwards.
  static func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    install
    defer { lines.withLock { _ = $0.removeValue(forKey: threadID) } }
    return try body()
  }

  /// FFmpeg's last error line on this thread inside the current scope.
  static var lastLine: String? { lines.withLock { $0[threadID] } }

  private static var threadID: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }

  private static func record(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) {
    let line = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer -> String in
      guard let start = buffer.baseAddress, vsnprintf(start, buffer.count, format, arguments) > 0
      else { return "" }
      return String(cString: start)
    }
    // A log line may come in pieces and carry control characters from the file.
    let clean = String(
      line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
    guard clean.contains(where: \.isLetter) else { return }
    lines.withLock { $0[threadID] = clean }
  }
}
