import Fixtures
import Foundation
import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkAnalysis
@testable import ArtworkPipeline
@testable import ArtworkRules
@testable import ArtworkSupport

/// The form in which results are kept.
@Suite struct RecordTests {
  private struct Sample: Codable, Equatable {
    enum Kind: String, Codable { case first, second }
    struct Part: Codable, Equatable {
      var name: String
      var share: Float
    }

    var flag = true
    var numbers: [Double] = []
    var small: UInt8 = 255
    var signed: Int16 = -300
    var large = UInt64.max
    var least = Int.min
    var text = ""
    var kind = Kind.second
    var parts: [Part] = []
    var rows: [[Int]] = []
    var data: [UInt8] = [7, 255]
    var some: Part?
    var none: String?
    var real: Double? = -0.0
    var fraction: Rational?
  }

  private static let sample = Sample(
    numbers: [0, -1.5, .infinity, .leastNonzeroMagnitude], text: "Zoë \u{0} 🎞",
    parts: [.init(name: "a", share: 0.25), .init(name: "", share: -3)], rows: [[], [1, 2]],
    some: .init(name: "b", share: 1), fraction: Rational(30000, 1001))

  @Test("what is written is read again: all kinds of numbers, text, lists, and optional values")
  func everyKind() throws {
    for value in [Self.sample, Sample()] {
      let bytes = try RecordEncoder.encode(value)
      #expect(try RecordDecoder.decode(Sample.self, from: bytes[...]) == value)
    }
  }

  @Test("an inspection, a still and an error come back as they were")
  func outcomes() throws {
    for name in ["good-1x1.mp4", "vfr-mixed.mp4", "edit-tail.mp4", "frames-1.mp4", "color-pq.mp4"] {
      let inspection = try Inspector().inspect(Fixture.named(name).path).inspection
      let bytes = try #require(KeptOutcome.inspection(inspection).bytes)
      #expect(KeptOutcome(bytes: bytes) == .inspection(inspection))
    }
    let count = 3 * PictureSignature.side * PictureSignature.side
    let still = StillPicture(
      format: "png", width: 3, height: 4,
      signature: PictureSignature(cells: (0..<count).map { UInt8($0 % 256) }))
    #expect(try KeptOutcome(bytes: #require(KeptOutcome.still(still).bytes)) == .still(still))
    for operation in [nil, "open the container"] {
      let error = InspectionError(.noVideo, "there is no video", operation: operation)
      #expect(
        try KeptOutcome(bytes: #require(KeptOutcome.refusal(error).bytes)) == .refusal(error))
    }
  }

  @Test("bytes that are cut short, left over or changed are an error, and never more than that")
  func damage() throws {
    let bytes = try RecordEncoder.encode(Self.sample)
    for count in bytes.indices {
      #expect(throws: (any Error).self) {
        try RecordDecoder.decode(Sample.self, from: bytes[..<count])
      }
    }
    #expect(throws: (any Error).self) {
      try RecordDecoder.decode(Sample.self, from: (bytes + [0])[...])
    }
    var noise = Noise(seed: 1)
    for _ in 0..<5000 {
      var changed = bytes
      for _ in 0..<1 + Int(noise.next() >> 62) {
        changed[Int(noise.next() >> 33) % changed.count] = UInt8(noise.next() >> 56)
      }
      _ = try? RecordDecoder.decode(Sample.self, from: changed[...])
    }
    #expect(KeptOutcome(bytes: []) == nil)
    #expect(KeptOutcome(bytes: Array("x".utf8)) == nil)
  }

  @Test("an optional element of a list has no form, and is refused")
  func refused() {
    #expect(throws: EncodingError.self) { try RecordEncoder.encode([1, nil] as [Int?]) }
  }
}
