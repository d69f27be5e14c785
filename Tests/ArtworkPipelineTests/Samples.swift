@testable import ArtworkJudging
@testable import ArtworkMeasuring
@testable import ArtworkModel
@testable import ArtworkPipeline

/// A clip without fault, to be spoiled in one respect by each test.
extension MediaFacts {
  static func sample(_ change: (inout MediaFacts) -> Void = { _ in }) -> MediaFacts {
    var facts = MediaFacts(
      container: "mp4", format: "mov,mp4,m4a,3gp,3g2,mj2", majorBrand: "isom", movieHeaderFirst: true, codec: "h264",
      profile: "High", codecTag: "avc1", pixelFormat: "yuv420p", bitDepth: 8, chroma: "4:2:0", hasAlpha: false,
      codedWidth: 1080, codedHeight: 1080, paddedWidth: 1088, paddedHeight: 1088, cleanAperture: nil, sampleAspect: .one,
      rotation: 0, mirrored: false, displayWidth: 1080, displayHeight: 1080, displayAspectRatio: .one, displayAspect: 1,
      frameRate: 30, frameRateRatio: Rational(30), frameRateMode: .constant, maxFrameRate: 30, minFrameRate: 30,
      frameCount: 300, discardedFrameCount: 0, durationSeconds: 10, startSeconds: 0, editList: nil, videoStreamCount: 1,
      hasAudio: false, color: ColorDescription(matrix: "bt709", primaries: "bt709", transfer: "bt709", range: "tv"),
      fileBytes: 1_000_000)
    change(&facts)
    return facts
  }

  mutating func setDisplay(_ width: Int, _ height: Int) {
    (displayWidth, displayHeight) = (width, height)
    displayAspectRatio = Rational(Int64(width), Int64(height)) ?? .one
    displayAspect = displayAspectRatio.value
  }

  mutating func setRate(_ numerator: Int64, _ denominator: Int64) {
    frameRateRatio = Rational(numerator, denominator)
    frameRate = frameRateRatio?.value
    (maxFrameRate, minFrameRate) = (frameRate, frameRate)
  }
}

extension SeamMeasurement {
  /// A loop of which every frame was seen, whose own steps and whose seam are 4 code values, and whose motion goes
  /// on.
  static func sample(_ change: (inout SeamMeasurement) -> Void = { _ in }) -> SeamMeasurement {
    let still = Levels.Level(shift: 0, usualShift: 0)
    let steps = Array(repeating: 4.0, count: 7)
    let contrast = Array(repeating: 40.0, count: 8)
    let luma = Array(repeating: 120.0, count: 8)
    var seam = SeamMeasurement(
      scope: .everyFrame, window: 8, hold: 1, seamStep: 4, ownStep: 4, headSteps: steps, tailSteps: steps,
      headContrast: contrast, tailContrast: contrast, headLuma: luma, tailLuma: luma,
      motion: Motion(seam: 12, usual: 12, live: 12, largest: 13, inside: nil),
      prediction: Prediction(
        surprise: 0.9, smallSurprise: 0.95, worstBlock: WorstBlock(x: 0.5, y: 0.25, width: 0.1875, height: 0.1875, ratio: 0.9)),
      content: Content(unexplained: 0.05, likeness: 0.9, colours: 1), levels: Levels(luma: still, blue: still, red: still),
      dimness: nil, rests: [],
      repeats: Repeats(replayed: 0, stepRatio: 1, straightness: 0.9, stepBeside: 12, repeatElsewhere: nil),
      sharpness: Sharpness(rise: 0.02, usualRise: 0.05),
      timeline: Timeline(gap: 1, gapMisfit: 0.05, loopMisfit: 0.05, mirrorMisfit: 1.5))
    change(&seam)
    return seam
  }

  /// The prediction error near the seam, over a quarter of the picture and over small parts.
  mutating func surprise(_ surprise: Double, small: Double = 0.9, excess: Double = 9) {
    prediction?.surprise = surprise
    prediction?.smallSurprise = small
    prediction?.excess = SeamMeasurement.Excess(surprise: excess, smallSurprise: 0.9)
  }
}

extension SeamJudgement {
  static func sample(_ verdict: Verdict = .seamless) -> SeamJudgement {
    SeamJudgement(verdict: verdict, score: 1, seamStep: 4, ownStep: 4, sentence: "so it is")
  }
}

extension Inspection {
  static func sample(facts: MediaFacts = .sample(), seam: SeamMeasurement? = .sample(), errors: Int = 0, missing: Int = 0)
    -> Inspection
  {
    Inspection(
      facts: facts, seam: seam,
      decoding: DecodingEffort(fallback: nil, packetsDecoded: 6, errorCount: errors, missingFrames: missing),
      previewIsToneMapped: facts.color.isHDR)
  }
}

/// The findings of a rule for a modified sample.
func findings(
  _ rule: any Rule.Type, key: ArtworkKey = .square, seam: SeamMeasurement? = .sample(), errors: Int = 0, missing: Int = 0,
  _ change: (inout MediaFacts) -> Void = { _ in }
) -> [Finding] {
  let inspection = Inspection.sample(facts: .sample(change), seam: seam, errors: errors, missing: missing)
  return Rules.judge(inspection, key: key, profile: .nowPlaying).findings.filter { $0.rule == rule.id }
}

/// The findings of a rule in an inspection.
func findings(of inspection: Inspection, _ rule: String, key: ArtworkKey = .square, _ profile: Profile = .nowPlaying)
  -> [Finding]
{ Rules.judge(inspection, key: key, profile: profile).findings.filter { $0.rule == rule } }
