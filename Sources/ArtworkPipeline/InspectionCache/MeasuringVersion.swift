/// Identifies the code that measures. Another build may measure something else.
enum MeasuringVersion {
  /// Identifies this build and its FFmpeg. Derived from the file of the running program, so that it never has to be
  /// changed by hand. `nil` if that file cannot be examined.
  static let current: String? = FileStamp(of: program, beneath: nil).map { stamp in
    "\(stamp.state.device) \(stamp.state.inode) \(stamp.state.size) \(stamp.state.modified.attoseconds)"
      + " ffmpeg \(FFmpegVersion.text)"
  }

  /// The version for results from another machine, on which this program is a different file: a digest of it.
  static let ofContent: String? = FileDigester().digest(of: Candidate(path: program)).map {
    "\($0.hexadecimal) ffmpeg \(FFmpegVersion.text)"
  }

  private static var program: FilePath {
    "/proc/self/exe"
  }
}
