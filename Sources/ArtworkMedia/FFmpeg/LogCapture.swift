import CFFmpeg
import Glibc
import Synchronization

/// Silences FFmpeg's log and stores each thread's last error line, so that an ``InspectionError`` can quote it, and
/// conditions that FFmpeg reports only in its log.
package enum LogCapture {
  /// Conditions without a status: libav continues, or fails with a status that also means something else.
  struct Notices {
    /// The largest picture that was refused: beyond `max_pixels`, or the range of 32 bits.
    var refusedSize: PixelSize?
    /// A stream beyond `max_streams`.
    var refusedStream = false
    /// An allocation failed and part of an index is missing.
    var lostIndex = false
    /// Samples whose declared size libavformat does not believe; it leaves them out of its index.
    var unbelievedSamples = 0
  }

  private struct Words {
    var lastLine: String?
    var notices = Notices()
  }

  private static let words = Mutex<[UInt: Words]>([:])

  private static let install: Void = {
    av_log_set_level(AV_LOG_ERROR)
    unsafe av_log_set_callback { _, level, format, arguments in
      guard level <= AV_LOG_ERROR, let format = unsafe format, let arguments = unsafe arguments
      else { return }
      unsafe LogCapture.record(format, arguments)
    }
  }()

  /// Runs `body` with a clean slate for this thread; forgets its lines afterwards.
  package static func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    install
    func forget() { words.withLock { _ = $0.removeValue(forKey: threadID) } }
    forget()
    defer { forget() }
    return try body()
  }

  /// FFmpeg's last error line on this thread inside the current scope.
  static var lastLine: String? { words.withLock { $0[threadID]?.lastLine } }

  /// The conditions that FFmpeg logged on this thread inside the current scope.
  static var notices: Notices { words.withLock { $0[threadID]?.notices ?? Notices() } }

  /// Forgets a refused size, so that another decoder starts without it.
  static func forgetRefusedSize() { words.withLock { $0[threadID]?.notices.refusedSize = nil } }

  private static var threadID: UInt {
    UInt(pthread_self())
  }

  private static func record(_ format: UnsafePointer<CChar>, _ arguments: CVaListPointer) {
    let line = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) {
      buffer -> String in
      guard let start = buffer.baseAddress,
        unsafe vsnprintf(start, buffer.count, format, arguments) > 0
      else { return "" }
      return unsafe String(cString: start)
    }
    // A log line may come in pieces and carry control characters from the file.
    let clean = String(
      line.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }.map(Character.init))
    guard clean.contains(where: \.isLetter) else { return }
    words.withLock {
      $0[threadID, default: Words()].lastLine = clean
      $0[threadID, default: Words()].notices.take(clean)
    }
  }
}

extension LogCapture.Notices {
  /// The lines are those of libavutil 57 to 60 (imgutils.c), dav1d 1.0 to 1.5 (obu.c) and libavformat 59 to 62
  /// (options.c, mov.c). Tests trigger all but those of the lost index, for which memory has to run out at the right
  /// moment.
  package mutating func take(_ line: String) {
    if line.hasPrefix("Picture size ") || line.hasPrefix("Frame size ") {
      let numbers = line.split(separator: " ").dropFirst(2).first?.split(separator: "x") ?? []
      let sides = numbers.compactMap { Int32($0) }.filter { $0 > 0 }
      if sides.count == 2 { refusedSize = PixelSize(width: Int(sides[0]), height: Int(sides[1])) }
    }
    // The second is Matroska's message since FFmpeg 7.
    if line.hasPrefix("Number of streams exceeds max_streams")
      || line.hasPrefix("Number of tracks exceeds max_streams")
    {
      refusedStream = true
    }
    if line.hasPrefix("Cannot add index entry") || line.hasPrefix("Cannot add CTTS entry") {
      lostIndex = true
    }
    if line.hasPrefix("Sample size "), line.hasSuffix(" is too large") { unbelievedSamples += 1 }
  }
}
