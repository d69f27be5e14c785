/// Commands for ffmpeg 5.1 and later, as arguments and for a shell.
public struct FFmpegCommand: Sendable, Equatable {
  /// The program and its arguments; paths as bytes, since names need not be text.
  package var words: [[UInt8]]

  /// For a POSIX shell, quoted where it has to be. May hold line breaks where a path does.
  public var shellBytes: [UInt8] {
    Array(words.map(ShellWord.quoted(bytes:)).joined(separator: [UInt8(ascii: " ")]))
  }

  /// For people: bytes that are no text show as U+FFFD, and then it does not run.
  public var text: String { String(decoding: shellBytes, as: UTF8.self) }

  package init(
    _ before: [String] = [], input: FilePath, _ options: [String], output: FilePath
  ) {
    words =
      (["ffmpeg"] + before + ["-i"]).map { Array($0.utf8) } + [ShellWord.pathBytes(input)]
      + options.map { Array($0.utf8) } + [ShellWord.pathBytes(output)]
  }

  static let evenSize = "crop=trunc(iw/2)*2:trunc(ih/2)*2"
  /// From RGB to BT.709 that says so.
  static let videoColors = [
    "scale=out_color_matrix=bt709:out_range=tv", "format=yuv444p",
    "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709",
  ]
}
