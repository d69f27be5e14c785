@testable import ArtworkMedia

/// Every value in a file becomes a number or `nil`, without a trap.
@Suite struct WholeNumberTests {
  static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

  @Test(arguments: [.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 0x1p63, -0x1p64])
  func `values outside the range of the type are nil`(value: Double) {
    #expect(wholeNumber(value) == nil)
    #expect(wholeNumber(value, as: Int32.self) == nil)
    #expect(wholeNumber(value, as: Int64.self) == nil)
  }

  @Test(
    arguments: [
      (0, 0), (-0.0, 0), (0.9, 0), (-0.9, 0), (2.5, 2), (-2.5, -2), (0x1p31 - 1, 0x7fff_ffff), (-0x1p31, -0x8000_0000),
      (0x1p31 - 0.5, 0x7fff_ffff), (-0x1p31 - 0.5, -0x8000_0000),
    ] as [(Double, Int32)])
  func `fractions are truncated, and the range includes its ends`(value: Double, expected: Int32) {
    #expect(wholeNumber(value, as: Int32.self) == expected)
  }

  @Test func `64-bit limits are exact where a double can represent them`() {
    #expect(wholeNumber(-0x1p63, as: Int64.self) == .min)
    #expect(wholeNumber(0x1p63 - 1024, as: Int64.self) == Int64.max - 1023)
    #expect(wholeNumber(0x1p32, as: Int32.self) == nil)
    #expect(wholeNumber(-1, as: UInt8.self) == nil && wholeNumber(256, as: UInt8.self) == nil)
    #expect(wholeNumber(255.9, as: UInt8.self) == 255)
  }

  @Test func `sums, differences and products are clamped`() {
    for a in Self.extremes {
      for b in Self.extremes {
        let (left, right) = (Double(a), Double(b))
        for (value, exact) in [
          (a.addingClamped(b), left + right), (a.subtractingClamped(b), left - right),
          (a.multipliedClamped(by: b), left * right),
        ] { #expect(abs(Double(value) - min(max(exact, -0x1p63), 0x1p63)) <= 2048, "\(a) and \(b)") }
      }
    }
  }

  @Test func `rationals of extreme parts are values or nil`() {
    for a in Self.extremes {
      for b in Self.extremes {
        guard let first = Rational(a, b) else { continue }
        #expect(first.denominator > 0)
        for c in Self.extremes {
          guard let second = Rational(b, c) else { continue }
          #expect(first.multiplied(by: second)?.value.isFinite ?? true)
          #expect((first < second) == (second > first))
        }
      }
    }
  }

  @Test func `every declared picture shape has a size`() {
    let aspects = Self.extremes.flatMap { a in Self.extremes.compactMap { Rational(a, $0) } }
    for aspect in aspects where aspect > Rational(0) {
      for side in [1, 8192, Int(Int32.max)] {
        let format = DecodedFormat.sample(width: side, height: side, sampleAspect: aspect)
        let shape = DisplayShape(format: format, crop: nil, orientation: .upright)
        let preview = shape.size.limitedForPreview
        #expect(preview.area <= PixelSize.largestPreview.area)
        #expect(preview.width >= 1 && preview.height >= 1)
      }
    }
  }

  @Test func `packets with extreme timestamps have a span`() throws {
    var table = try PacketTableTests.made("0! 1 2")
    for first in Self.extremes.map(Optional.some) + [nil] {
      for last in Self.extremes.map(Optional.some) + [nil] {
        table.packets[0].pts = first
        table.packets[2].pts = last
        for length in Self.extremes {
          table.packets[2].duration = length
          #expect(table.timeSpan ?? 0 >= 0)
          if let order = table.presentationOrder {
            #expect(table.reorderDepth(of: order) >= 0)
            #expect(!FramePlan(table: table, order: order, numbers: [0, 1, 2], skippedKeys: 0).runs.isEmpty)
          }
        }
      }
    }
  }
}

extension DecodedFormat {
  static func sample(width: Int, height: Int, sampleAspect: Rational) -> DecodedFormat {
    DecodedFormat(
      codec: "h264", pixelFormat: "yuv420p", bitDepth: 8, chroma: "4:2:0", hasAlpha: false, width: width, height: height,
      paddedWidth: width, paddedHeight: height, sampleAspect: sampleAspect, colors: PictureColors(stated: ColorDescription()))
  }
}
