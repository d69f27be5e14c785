extension LoopReport {
  /// The command that cuts out a part: ffmpeg's, or `artworkd import` for a file that ffmpeg does not read.
  package func command(_ part: TrimCandidate, _ input: FilePath, to output: FilePath) -> String {
    guard let importSize else {
      return FFmpegCommand.trim(input, part, of: self, to: output).text
    }
    return
      "artworkd import \(ShellWord.quoted(input)) --from \(part.startFrame) --to \(part.endFrame) "
      + "--size \(importSize) -o \(ShellWord.quoted(output))"
  }
}
