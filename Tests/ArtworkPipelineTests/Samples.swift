@testable import ArtworkModel
@testable import ArtworkPipeline

/// A clip without fault, to be spoiled in one respect by each test.
extension MediaFacts {
  static func sample(_ change: (inout MediaFacts) -> Void = { _ in }) -> MediaFacts {
    var facts = MediaFacts(
      container: "mp4", format: "mov,mp4,m4a,3gp,3g2,mj2", majorBrand: "isom",
      movieHeaderFirst: true,
      codec: "h264", profile: "High", codecTag: "avc1", pixelFormat: "yuv420p", bitDepth: 8,
      chroma: "4:2:0", hasAlpha: false, codedWidth: 1080, codedHeight: 1080, paddedWidth: 1088,
      paddedHeight: 1088, cleanAperture: nil, sampleAspect: .one, rotation: 0, mirrored: false,
      displayWidth: 1080, displayHeight: 1080, displayAspectRatio: .one, displayAspect: 1,
      frameRate: 30, frameRateRatio: Rational(30), frameRateMode: .constant, maxFrameRate: 30,
      minFrameRate: 30, frameCount: 300, discardedFrameCount: 0, durationSeconds: 10,
      startSeconds: 0,
      editList: nil, videoStreamCount: 1, hasAudio: false,
      color: ColorDescription(matrix: "bt709", primaries: "bt709", transfer: "bt709", range: "tv"),
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
    let still = SeamMeasurement.Levels.Level(shift: 0, usualShift: 0, incoherence: 1)
    let right = SeamMeasurement.Motion(x: 0.01, y: 0)
    var seam = SeamMeasurement(
      scope: .everyFrame, window: 5, movingShare: 1, seamStep: 4, headSteps: [4, 4, 4, 4],
      tailSteps: [4, 4, 4, 4], headStepLengths: [1, 1, 1, 1], tailStepLengths: [1, 1, 1, 1],
      headContrast: [40, 40, 40, 40, 40], tailContrast: [40, 40, 40, 40, 40],
      headLuma: [120, 120, 120, 120, 120], tailLuma: [120, 120, 120, 120, 120],
      pace: SeamMeasurement.Pace(
        ownStep: 4, usualStep: 4, calmStep: 4, largestStep: 4.5, largestDifference: 12,
        farthest: 30, stepOverFirst: 7, stepOverLast: 7, stepsNearSeams: 8, stepsLikeSeam: 8),
      holds: SeamMeasurement.Holds(
        stillStep: 0.8, areRegular: false, longestInside: 0, countInside: 0, head: 0, tail: 0,
        headRest: 0, tailRest: 0, stepAfterHeadRest: 4, stepBeforeTailRest: 4),
      contrast: SeamMeasurement.Contrast(usual: 40, plateauShare: 1),
      prediction: SeamMeasurement.Prediction(
        seamSurprise: 0.5, usualSurprise: 1, blockSurprise: 0.3, seamError: 1, usualError: 1,
        texture: 10,
        worstBlock: SeamMeasurement.WorstBlock(
          x: 0.5, y: 0.25, width: 0.125, height: 0.125, surprise: 0.4),
        motionBefore: right, motionAcross: right, motionAfter: right, alignment: 0.9,
        movingBlocks: 60),
      timeline: SeamMeasurement.Timeline(
        gap: 1, gapMisfit: 0.05, heldMisfit: 0.8, loopMisfit: 0.05, mirrorMisfit: 1.5),
      levels: SeamMeasurement.Levels(luma: still, blue: still, red: still, residual: 4),
      sharpness: SeamMeasurement.Sharpness(seamRise: 0.02, largestRise: 0.1, seamGain: 0.05))
    change(&seam)
    return seam
  }
}

extension SeamJudgement {
  static func sample(_ verdict: Verdict = .seamless) -> SeamJudgement {
    SeamJudgement(
      verdict: verdict, score: 1, seamStep: 4, ownStep: 4, sentence: "so it is")
  }
}

extension Inspection {
  static func sample(
    facts: MediaFacts = .sample(), seam: SeamMeasurement? = .sample(), errors: Int = 0,
    missing: Int = 0
  ) -> Inspection {
    Inspection(
      facts: facts, seam: seam,
      decoding: DecodingEffort(
        fallback: nil, packetsDecoded: 6, errorCount: errors, missingFrames: missing),
      previewIsToneMapped: facts.color.isHDR)
  }
}

/// What a rule raises for a spoiled sample.
func findings(
  _ rule: any Rule.Type, key: ArtworkKey = .square, seam: SeamMeasurement? = .sample(),
  errors: Int = 0, missing: Int = 0, _ change: (inout MediaFacts) -> Void = { _ in }
) -> [Finding] {
  let inspection = Inspection.sample(
    facts: .sample(change), seam: seam, errors: errors, missing: missing)
  return Rules.judge(inspection, key: key, profile: .nowPlaying).findings.filter {
    $0.rule == rule.id
  }
}
