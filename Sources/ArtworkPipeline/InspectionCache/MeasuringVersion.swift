import SystemPackage

#if canImport(Darwin)
  import Darwin
#endif

/// The code that measures: an inspection that other code made may say something else.
enum MeasuringVersion {
  /// Which build this is, and which FFmpeg it found. Derived from the file of the running program, so that nobody
  /// has to remember to change it. `nil` where that file cannot be seen.
  static let current: String? = FileStamp(of: program, beneath: nil).map { stamp in
    "\(stamp.state.device) \(stamp.state.inode) \(stamp.state.size) \(stamp.state.modified.attoseconds)"
      + " ffmpeg \(FFmpegVersion.text)"
  }

  private static var program: FilePath {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      var name = [CChar](repeating: 0, count: Int(size) + 1)
      return _NSGetExecutablePath(&name, &size) == 0 ? FilePath(platformString: name) : ""
    #else
      return "/proc/self/exe"
    #endif
  }
}
