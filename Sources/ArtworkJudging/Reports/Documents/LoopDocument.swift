import FoundationEssentials

/// The output of `artworkd loop` for machines; docs/json.md describes it.
package struct LoopDocument: Encodable {
  private var schemaVersion = 1
  private var path: String
  private var answer: LoopReport.Answer
  private var frameCount: Int
  private var startSeconds: Double
  private var durationSeconds: Double
  private var frameRate: Double?
  private var frameRateMode: FrameRateMode
  private var damagedFrames: Int
  private var whole: Part?
  private var candidates: [Part]
  private var crossFade: Fade?
  private var strip: String?
  private var animation: String?

  /// - Parameters:
  ///   - strip, animation: the paths of the pictures.
  package init(
    _ report: LoopReport, _ files: LoopFiles, strip: FilePath? = nil, animation: FilePath? = nil
  ) {
    path = files.clip.string
    answer = report.answer
    frameCount = report.frameCount
    startSeconds = report.startSeconds.toSixDecimals
    durationSeconds = report.durationSeconds.toSixDecimals
    frameRate = report.frameRate?.value
    frameRateMode = report.isVariableRate ? .variable : .constant
    damagedFrames = report.damagedFrames
    whole = report.whole.map { Part($0) }
    candidates = report.candidates.enumerated().map { index, part in
      var shown = Part(part)
      shown.command = files.command("\(index + 1)")
      shown.losslessCommand = part.isLossless ? shown.command : nil
      return shown
    }
    crossFade = report.crossFade.map { fade in
      Fade(
        startFrame: fade.startFrame, endFrame: fade.endFrame,
        startSeconds: fade.startSeconds.toSixDecimals, endSeconds: fade.endSeconds.toSixDecimals,
        fadeFrames: fade.fadeFrames,
        command: files.command("dissolve"))
    }
    self.strip = strip?.string
    self.animation = animation?.string
  }

  private struct Part: Encodable {
    var startFrame: Int
    var endFrame: Int
    var frameCount: Int
    var startSeconds: Double
    var endSeconds: Double
    var durationSeconds: Double
    var motion: Double
    var seam: SeamJudgement
    var lossless: Bool
    var command: String?
    /// ``command``, if it copies packets; `nil` if it encodes.
    var losslessCommand: String?

    init(_ part: TrimCandidate) {
      startFrame = part.startFrame
      endFrame = part.endFrame
      frameCount = part.frameCount
      startSeconds = part.startSeconds.toSixDecimals
      endSeconds = part.endSeconds.toSixDecimals
      durationSeconds = part.durationSeconds.toSixDecimals
      motion = part.motion
      seam = part.seam
      lossless = part.isLossless
    }
  }

  private struct Fade: Encodable {
    var startFrame: Int
    var endFrame: Int
    var startSeconds: Double
    var endSeconds: Double
    var fadeFrames: Int
    var command: String
  }
}

extension Double {
  /// The nearest number with six decimals.
  fileprivate var toSixDecimals: Double { (self * 1e6).rounded() / 1e6 }
}

/// A clip's path, and the names of the files made from it in the current folder.
package struct LoopFiles: Sendable {
  package var clip: FilePath
  /// The options of the search, by which parts are numbered.
  package var options: [String]

  package init(clip: FilePath, options: [String] = []) {
    self.clip = clip
    self.options = options
  }

  /// `<name>.<suffix>`; the name's bytes are kept, since they need not be text.
  package func named(_ suffix: String) -> FilePath {
    var name = FilePath(root: nil, clip.lastComponent.map { [$0] } ?? ["clip"])
    name.extension = nil
    return FilePath(bytes: name.pathBytes + Array(".\(suffix)".utf8))
  }

  package var strip: FilePath { named("loop-strip.png") }
  package var animation: FilePath { named("loop.png") }

  /// The command that writes a part.
  ///
  /// - Parameter part: its number in the list, or `dissolve`.
  package func command(_ part: String) -> String {
    let name = named(part == "dissolve" ? "loop-fade.mp4" : "loop\(part).mp4")
    let words = options + [ShellWord.quoted(clip), "--part", part, "-o", ShellWord.quoted(name)]
    return "artworkd loop " + words.joined(separator: " ")
  }
}
