/// Commands for ffmpeg 5.1 and later, as arguments and for a shell. Those here cut what ``LoopReport`` names.
public struct FFmpegCommand: Sendable, Equatable {
  /// The program and its arguments; paths as bytes, since names need not be text.
  package var words: [[UInt8]]

  /// For a POSIX shell, quoted where it has to be. May hold line breaks where a path does.
  public var shellBytes: [UInt8] {
    Array(words.map(ShellWord.quoted(bytes:)).joined(separator: [UInt8(ascii: " ")]))
  }

  /// For people: bytes that are no text show as U+FFFD, and then it does not run.
  public var text: String { String(decoding: shellBytes, as: UTF8.self) }

  /// What libx264 needs to look like the source and play everywhere: visually lossless, 8 bits 4:2:0, header
  /// first.
  private static let encoder = [
    "-c:v", "libx264", "-crf", "18", "-pix_fmt", "yuv420p", "-movflags", "+faststart",
  ]

  package init(
    _ before: [String] = [], input: FilePath, _ options: [String], output: FilePath
  ) {
    words =
      (["ffmpeg"] + before + ["-i"]).map { Array($0.utf8) } + [ShellWord.pathBytes(input)]
      + options.map { Array($0.utf8) } + [ShellWord.pathBytes(output)]
  }

  /// Encodes exactly the frames of `part`, by number, with their times.
  ///
  /// - Parameter encoder: the options that choose codec and format.
  public static func trim(
    _ input: FilePath, _ part: TrimCandidate, of report: LoopReport, to output: FilePath
  ) -> FFmpegCommand {
    trim(input, part, of: report, to: output, encoder: encoder)
  }

  package static func trim(
    _ input: FilePath, _ part: TrimCandidate, of report: LoopReport, to output: FilePath,
    encoder: [String]
  ) -> FFmpegCommand {
    FFmpegCommand(
      input: input,
      [
        "-map", "0:\(report.streamIndex)", "-vf",
        "trim=start_frame=\(part.startFrame):end_frame=\(part.endFrame),setpts=PTS-STARTPTS"
          + durations(report, frames: part.frameCount) + ending(report),
      ] + timing(report) + encoder,
      output: output)
  }

  static let evenSize = "crop=trunc(iw/2)*2:trunc(ih/2)*2"
  /// From RGB to BT.709 that says so.
  static let videoColors = [
    "scale=out_color_matrix=bt709:out_range=tv", "format=yuv444p",
    "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709",
  ]

  /// From 6.1 on, setpts drops how long frames are shown, and an MP4 then ends before its last frame. fps states it anew, and
  /// may repeat the last frame where the times are rounded.
  private static func durations(_ report: LoopReport, frames: Int) -> String {
    guard !report.isVariableRate, let rate = report.frameRate else { return "" }
    return ",fps=\(rate):eof_action=pass,trim=end_frame=\(frames)"
  }

  /// The last filters, which give the encoder what it takes.
  private static func ending(_ report: LoopReport) -> String {
    let filters =
      (report.hasOddSize ? [evenSize] : []) + (report.isRGB ? videoColors : [])
    return filters.map { "," + $0 }.joined()
  }

  /// Frames are passed on as they are. Where the rate varies, the encoder counts in the file's own ticks:
  /// at a mean rate, two frames could fall on one.
  private static func timing(_ report: LoopReport) -> [String] {
    ["-fps_mode", "passthrough"] + (report.isVariableRate ? ["-enc_time_base", "-1"] : [])
  }

  /// Copies the packets of `part`; `nil` where that would not give exactly its frames.
  ///
  /// Seeking lands on a key frame at or before the part: `-copypriorss 0` drops what precedes it, and
  /// `-frames:v` counts packets, which are as many as frames. Times are absolute (`-seek_timestamp`), since
  /// ffmpeg otherwise adds the start of the earliest stream.
  public static func copy(
    _ input: FilePath, _ part: TrimCandidate, of report: LoopReport, to output: FilePath
  ) -> FFmpegCommand? {
    guard part.isLossless else { return nil }
    let isStart = part.startFrame == 0
    return FFmpegCommand(
      isStart
        ? [] : ["-seek_timestamp", "1", "-ss", sixDecimals(roundingDown: part.startSeconds)],
      input: input,
      ["-map", "0:\(report.streamIndex)"] + (isStart ? [] : ["-copypriorss", "0"]) + [
        "-frames:v", "\(part.frameCount)", "-c", "copy", "-movflags", "+faststart",
      ], output: output)
  }

  /// Encodes a loop whose end dissolves into the frames before its start.
  public static func crossFade(
    _ input: FilePath, _ fade: CrossFade, of report: LoopReport, to output: FilePath
  ) -> FFmpegCommand {
    crossFade(input, fade, of: report, to: output, encoder: encoder)
  }

  package static func crossFade(
    _ input: FilePath, _ fade: CrossFade, of report: LoopReport, to output: FilePath,
    encoder: [String]
  ) -> FFmpegCommand {
    // Three parts: what is shown as it is, the frames at its end, and those before its start, which are mixed
    // in more and more. Not xfade, which wants a constant rate, and alters the frames before it, too.
    let mixed = fade.endFrame - fade.fadeFrames
    func part(_ name: String, _ start: Int, _ end: Int) -> String {
      "[\(name)]trim=start_frame=\(start):end_frame=\(end),setpts=PTS-STARTPTS"
    }
    // By time: what blend counts as N has an offset that differs between versions of ffmpeg.
    let step = 1 / (report.frameRate ?? Rational(30)).value
    let length = Double(fade.fadeFrames + 1) * step
    let share = "(T+\(decimal(step, places: 6)))/\(decimal(length, places: 6))"
    let graph = [
      "[0:\(report.streamIndex)]split=3[a][b][c]", part("a", fade.startFrame, mixed) + "[main]",
      part("b", mixed, fade.endFrame) + "[tail]",
      part("c", fade.startFrame - fade.fadeFrames, fade.startFrame) + "[lead]",
      "[tail][lead]blend=all_expr=A+(B-A)*\(share)[mix]",
      "[main][mix]concat" + ending(report) + "[out]",
    ].joined(separator: ";")
    return FFmpegCommand(
      input: input,
      ["-filter_complex", graph, "-map", "[out]"] + timing(report) + encoder, output: output)
  }

  /// Seconds in microseconds, never later than they are.
  private static func sixDecimals(roundingDown seconds: Double) -> String {
    // A time that is a whole number of microseconds must not lose one to the binary fraction.
    fixedDecimal((seconds * 1e6 + 1e-3).rounded(.down) / 1e6, places: 6)
  }
}
