import ArtworkLottie

import FoundationEssentials

/// Describes a vector animation. The answer's bytes are the summary as JSON: it may list more than a reply can hold.
struct AnimationSummaryJob: WorkerJob {
  static let name = "animation"

  var animation: String?

  struct Reply: Codable, Sendable {}

  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }

  /// 100,000 keypaths of 300 bytes.
  func mostBytes(_ limits: Limits) -> Int64 { 32 << 20 }

  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    let summary = try PictureFile.readAnimation(file, limits: limits, named: animation).summary
    guard let json = try? JSONEncoder().encode(summary), json.count <= mostBytes(limits) else {
      throw InspectionError(.tooLarge, "the description of the animation has more than 32 MiB")
    }
    return WorkerAnswer(value: Reply(), bytes: Array(json))
  }

  func outcome(of answer: WorkerAnswer<Reply>) -> AnimationSummary? {
    guard
      let summary = try? JSONDecoder().decode(AnimationSummary.self, from: Data(answer.bytes)),
      summary.frameRate > Rational(0), summary.width > 0, summary.height > 0,
      summary.frameCount > 0
    else { return nil }
    return summary
  }
}
