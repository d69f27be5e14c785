import ArtworkModel
import SystemPackage

extension LoopReport {
  /// The command that cuts out a part: ffmpeg's, or `artworkd import` for a file that ffmpeg does not read.
  func command(_ part: TrimCandidate, _ input: FilePath, to output: FilePath) -> String {
    guard let importSize else {
      return FFmpegCommand.trim(input, part, of: self, to: output).text
    }
    func quoted(_ path: FilePath) -> String {
      String(decoding: ShellWord.quoted(bytes: ShellWord.pathBytes(path)), as: UTF8.self)
    }
    return "artworkd import \(quoted(input)) --from \(part.startFrame) --to \(part.endFrame) "
      + "--size \(importSize) -o \(quoted(output))"
  }
}
