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
  /// A loop whose own steps and whose seam are 4 code values, with even contrast.
  static func sample(_ change: (inout SeamMeasurement) -> Void = { _ in }) -> SeamMeasurement {
    var seam = SeamMeasurement(
      seamStep: 4, headSteps: [4, 4], tailSteps: [4, 4], headStepLengths: [1, 1],
      tailStepLengths: [1, 1], headContrast: [40, 40, 40], tailContrast: [40, 40, 40],
      headLuma: [120, 120, 120], tailLuma: [120, 120, 120])
    change(&seam)
    return seam
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
