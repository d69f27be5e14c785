import Foundation
import TestSupport

@testable import ArtworkPipeline

/// Small moving pictures that are known to loop, rendered without a codec.
enum TestScene {
  /// A smooth texture seen from a place, in thumbnail pixels; it repeats after `period` to the right.
  static func texture(
    x: Double, y: Double = 0, brighter: Float = 0, contrast: Double = 1, period: Double = 192,
    sharpness: Float = 2
  ) -> Thumbnail {
    // Waves of whole numbers to a period, so that it comes round.
    let waves: [(Double, Double, Double, Double)] = [
      (3, 5, 0, 30), (7, -4, 1, 24), (11, 3, 2, 20), (-5, 9, 3, 18), (13, -8, 4, 12),
      (2, 14, 5, 16),
    ]
    func value(_ column: Double, _ row: Double) -> Float {
      let sum = waves.reduce(0.0) { sum, wave in
        sum + wave.3 * sin(2 * .pi * (wave.0 * column + wave.1 * row) / period + wave.2)
      }
      return Float(128 + contrast * sum / 2) + brighter
    }
    let luma = (0..<64 * 64).map { value(Double($0 % 64) + x, Double($0 / 64) + y) }
    let chroma = [Float](repeating: 128, count: 32 * 32)
    return Thumbnail(luma: luma, blue: chroma, red: chroma, sharpness: sharpness)
  }

  /// A pan that comes round after `count` frames.
  static func pan(count: Int) -> [Thumbnail] {
    (0..<count).map { texture(x: 192 * Double($0) / Double(count)) }
  }

  static func grain(_ frames: [Thumbnail], amplitude: Float, seed: UInt64 = 1) -> [Thumbnail] {
    var noise = Noise(seed: seed)
    return frames.map { frame in
      var noisy = frame
      for index in noisy.luma.indices {
        noisy.luma[index] += (Float(noise.next() >> 40) / Float(1 << 24) - 0.5) * 2 * amplitude
      }
      return noisy
    }
  }

  static func measure(
    _ frames: [Thumbnail], window: Int? = nil, timestamps: [Int64]? = nil, lastDuration: Int64 = 1,
    medianStep: Int64 = 1
  ) -> SeamMeasurement? {
    var recorder = SeamRecorder()
    for frame in frames { recorder.add(frame) }
    let seen =
      window.map {
        SeamFrames(
          first: Array(frames.prefix($0)), last: frames.suffix($0), count: frames.count)
      } ?? recorder.frames
    return SeamMeasurement(
      seen, timestamps: timestamps ?? frames.indices.map(Int64.init), lastDuration: lastDuration,
      medianStep: medianStep)
  }

  static func verdict(_ frames: [Thumbnail], window: Int? = nil) -> SeamJudgement.Verdict? {
    measure(frames, window: window).map {
      LoopSeamRule.judge($0, thresholds: .standard).verdict
    }
  }
}
