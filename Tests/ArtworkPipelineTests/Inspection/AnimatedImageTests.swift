import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkAnalysis
@testable import ArtworkMedia
@testable import ArtworkModel
@testable import ArtworkPipeline

/// How the frames of a GIF and an APNG become pictures, on a canvas of 4x4 pixels, of which the first row is compared.
@Suite struct AnimatedImageTests {
  private static let (red, green, blue): ([UInt8], [UInt8], [UInt8]) = (
    [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]
  )
  private static let (black, clear): ([UInt8], [UInt8]) = ([0, 0, 0, 255], [0, 0, 0, 0])

  private static func firstRows(_ bytes: [UInt8], as name: String) throws -> [[[UInt8]]] {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url(name))
    let sequence = try PictureSequenceTests.sequence(folder.path(name))
    return try sequence.durations.indices.map { number in
      let picture = try sequence.picture(number)
      let length = picture.channels.rawValue
      return (0..<4).map { x in
        let pixel = Array(picture.bytes[x * length..<(x + 1) * length])
        // What is transparent has no colour.
        return length == 3 ? pixel + [255] : pixel[3] == 0 ? clear : pixel
      }
    }
  }

  private static func little(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

  /// A frame of a GIF: its corner, width, height and disposal (GIF89a, 23), and the number of its colour for each pixel.
  private typealias GIFFrame = (x: Int, width: Int, height: Int, disposal: UInt8, pixels: [UInt8])

  /// A GIF whose colours are black, red, green and blue. With transparency the first is not drawn.
  private static func gif(
    _ frames: [GIFFrame], hasTransparency: Bool, background: UInt8
  ) -> [UInt8] {
    var file = Array("GIF89a".utf8) + [4, 0, 4, 0, 0xf1, background, 0]
    for colour in [black, red, green, blue] { file += colour.prefix(3) }
    for frame in frames {
      file += [0x21, 0xf9, 4, frame.disposal << 2 | (hasTransparency ? 1 : 0), 10, 0, 0, 0]
      file += [0x2c] + little(frame.x) + [0, 0] + little(frame.width) + little(frame.height) + [0]
      // Codes of three bits. Clear (4) before every second pixel, so that they never need more; 5 is the end.
      var codes: [UInt8] = []
      for (number, pixel) in frame.pixels.enumerated() {
        codes += number % 2 == 0 ? [4, pixel] : [pixel]
      }
      var bits: [UInt8] = (codes + [5]).flatMap { code in (0..<3).map { code >> $0 & 1 } }
      bits += Array(repeating: 0, count: (8 - bits.count % 8) % 8)
      let data = stride(from: 0, to: bits.count, by: 8).map { start -> UInt8 in
        (0..<8).reduce(0) { $0 | bits[start + $1] << UInt8($1) }
      }
      file += [2, UInt8(data.count)] + data + [0]
    }
    return file + [0x3b]
  }

  private static let frames: [GIFFrame] = [
    (0, 4, 4, 1, Array(repeating: 1, count: 16)),
    // Replaced by what was there before.
    (2, 2, 2, 3, Array(repeating: 2, count: 4)),
    // Cleared.
    (0, 1, 1, 2, [3]), (3, 1, 1, 1, [2]), (0, 4, 1, 1, [0, 2, 0, 0]),
  ]

  @Test(
    "a GIF's frames are kept, put back or cleared, and drawn over one another", arguments: [0, 3])
  func gif(background: UInt8) throws {
    let file = Self.gif(Self.frames, hasTransparency: true, background: background)
    #expect(
      try Self.firstRows(file, as: "a.gif") == [
        [Self.red, Self.red, Self.red, Self.red], [Self.red, Self.red, Self.green, Self.green],
        [Self.blue, Self.red, Self.red, Self.red], [Self.clear, Self.red, Self.red, Self.green],
        [Self.clear, Self.green, Self.red, Self.green],
      ])
  }

  /// As Pillow 11 draws it; browsers show what was cleared as transparent.
  @Test("without a transparent colour, what is cleared has the background colour")
  func gifBackground() throws {
    let file = Self.gif(Array(Self.frames.prefix(4)), hasTransparency: false, background: 3)
    #expect(
      try Self.firstRows(file, as: "a.gif").last == [Self.blue, Self.red, Self.red, Self.green])
  }

  /// A frame of an APNG: its corner, size, disposal and blending (APNG specification, `fcTL`), and its colour.
  private typealias APNGFrame = (
    x: Int, size: Int, disposal: UInt8, blending: UInt8, pixel: [UInt8]
  )

  private static func apng(_ frames: [APNGFrame]) throws -> [UInt8] {
    func big(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) } }
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      let body = Array(type.utf8) + data
      let sum = body.reduce(~UInt32(0)) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in
          value & 1 == 1 ? 0xedb8_8320 ^ value >> 1 : value >> 1
        }
      }
      return big(data.count) + body + big(Int(~sum))
    }
    var file = PNGFile.signature + chunk("IHDR", big(4) + big(4) + [8, 6, 0, 0, 0])
    file += chunk("acTL", big(frames.count) + big(0))
    var sequence = 0
    for (number, frame) in frames.enumerated() {
      let size = PixelSize(width: frame.size, height: frame.size)
      let pixels = (0..<size.area).flatMap { _ in frame.pixel }
      let still = try PNGEncoder.encode(PixelImage(size: size, channels: .rgba, bytes: pixels))
      file += chunk(
        "fcTL",
        big(sequence) + big(frame.size) + big(frame.size) + big(frame.x) + big(0) + [0, 1, 0, 10]
          + [frame.disposal, frame.blending])
      sequence += 1
      let data = APNGTests.chunks(still).filter { $0.type == "IDAT" }.flatMap(\.data)
      if number == 0 {
        file += chunk("IDAT", data)
      } else {
        file += chunk("fdAT", big(sequence) + data)
        sequence += 1
      }
    }
    return file + chunk("IEND", [])
  }

  @Test("an APNG's frames are kept, put back or cleared, and laid over or put in place")
  func apng() throws {
    let (keep, clearAfter, putBack): (UInt8, UInt8, UInt8) = (0, 1, 2)
    let (inPlace, over): (UInt8, UInt8) = (0, 1)
    let faint: [UInt8] = [0, 0, 255, 128]
    let file = try Self.apng([
      (0, 4, keep, inPlace, Self.red), (2, 2, putBack, inPlace, Self.green),
      (0, 1, clearAfter, over, Self.blue), (1, 1, keep, over, Self.clear),
      (1, 1, keep, inPlace, Self.clear), (2, 2, keep, over, faint), (3, 1, keep, inPlace, faint),
    ])
    let rows = try Self.firstRows(file, as: "a.apng")
    try #require(rows.count == 7)
    #expect(rows[0] == [Self.red, Self.red, Self.red, Self.red])
    #expect(rows[1] == [Self.red, Self.red, Self.green, Self.green])
    #expect(rows[2] == [Self.blue, Self.red, Self.red, Self.red])
    #expect(rows[3] == [Self.clear, Self.red, Self.red, Self.red])
    #expect(rows[4] == [Self.clear, Self.clear, Self.red, Self.red])
    // Half of each.
    for (part, wanted) in zip(rows[5][2], [127, 0, 128, 255]) {
      #expect(abs(Int(part) - wanted) <= 1, "\(rows[5])")
    }
    #expect(rows[6][3] == faint)
  }
}
