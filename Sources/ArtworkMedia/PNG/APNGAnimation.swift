import CPNG
import Synchronization

/// The pictures of an animated PNG file whose frames FFmpeg does not compose: with 16 bits and transparency, with a frame
/// control before the animation control, or with a first frame smaller than the canvas. libpng reads each frame, with 8 bits
/// as browsers do, and the canvas is composed here (W3C PNG, third edition, 11.3.2.2).
final class APNGAnimation: Sendable {
  private struct Reading {
    /// The picture that comes next.
    var next = 0
    var canvas: [UInt8]
    /// The previous contents of the last frame's region, if they are to be restored.
    var covered: [UInt8]?
  }

  let layout: APNGLayout
  private let bytes: [UInt8]
  private let reading: Mutex<Reading>
  private let isOpaque: Bool

  /// Reads the chunks. Pictures are decoded when they are drawn, one after the other: to draw an earlier one again costs
  /// all up to it.
  ///
  /// - Throws: `truncated` or `decode-failed`; `too-large` or `too-many-frames` before any picture is allocated.
  init(_ bytes: [UInt8], layout: APNGLayout, limits: Limits) throws(InspectionError) {
    guard layout.isComplete else { throw InspectionError(.truncated, "the file ends early") }
    guard !layout.isDamaged else {
      throw InspectionError(.decodeFailed, "a part of the file has another checksum than it states")
    }
    let size = layout.size
    guard Int64(clamping: size.width.multipliedClamped(by: size.height)) <= limits.pixels else {
      throw InspectionError(
        .tooLarge, "the picture has \(size) pixels (limit \(limits.pixels))")
    }
    guard layout.parts.count <= limits.frames else {
      throw InspectionError(.tooManyFrames, "the file has more than \(limits.frames) pictures")
    }
    guard
      layout.parts.allSatisfy({ $0.place.isInside(width: size.width, height: size.height) })
    else { throw InspectionError(.decodeFailed, "a frame leaves the canvas") }
    self.layout = layout
    self.bytes = bytes
    let whole = CleanAperture(x: 0, y: 0, width: size.width, height: size.height)
    isOpaque =
      !layout.hasAlpha && layout.parts.first?.place == whole
      && layout.parts.allSatisfy { $0.disposal == 0 || $0.disposal == 2 && $0.place != whole }
    reading = Mutex(Reading(canvas: Self.blank(size)))
  }

  private static let longestShortDelay = Rational(1, 100) ?? .one

  /// Frame durations in browsers, in seconds; see ``WebPAnimation/durations``.
  var durations: [Rational] {
    layout.parts.map {
      $0.delay <= Self.longestShortDelay ? Rational(1, 10) ?? .one : $0.delay
    }
  }

  /// Frames that last longer than the file states.
  var shortDelays: Int { layout.parts.count { $0.delay <= Self.longestShortDelay } }

  /// The canvas after frame `number`, counted from 0.
  ///
  /// - Throws: `decode-failed`.
  func picture(_ number: Int) throws(InspectionError) -> PixelImage {
    let canvas = reading.withLock { reading -> [UInt8]? in
      if number < reading.next { reading = Reading(canvas: Self.blank(layout.size)) }
      while reading.next <= number {
        guard draw(&reading) else {
          reading = Reading(canvas: Self.blank(layout.size))
          return nil
        }
      }
      return reading.canvas
    }
    guard let canvas else {
      throw InspectionError(.decodeFailed, "picture \(number) is damaged")
    }
    guard isOpaque else { return PixelImage(size: layout.size, channels: .rgba, bytes: canvas) }
    let count = layout.size.area
    let opaque = unsafe [UInt8](unsafeUninitializedCapacity: count * 3) { buffer, used in
      for pixel in 0..<count {
        for channel in 0..<3 { unsafe buffer[pixel * 3 + channel] = canvas[pixel * 4 + channel] }
      }
      used = count * 3
    }
    return PixelImage(size: layout.size, channels: .rgb, bytes: opaque)
  }

  /// Makes the next canvas; false for a damaged frame.
  private func draw(_ reading: inout Reading) -> Bool {
    let part = layout.parts[reading.next]
    if reading.next > 0 {
      let last = layout.parts[reading.next - 1]
      if let covered = reading.covered {
        put(covered, at: last.place, into: &reading.canvas)
      } else if last.disposal != 0 {
        // Clears the region, or restores its contents from before the first frame.
        put(
          [UInt8](repeating: 0, count: last.place.width * last.place.height * 4), at: last.place,
          into: &reading.canvas)
      }
    }
    guard let pixels = pixels(of: part) else { return false }
    reading.covered =
      part.disposal == 2 && reading.next > 0 ? taken(part.place, of: reading.canvas) : nil
    if part.isBlended {
      blend(pixels, at: part.place, into: &reading.canvas)
    } else {
      put(pixels, at: part.place, into: &reading.canvas)
    }
    reading.next += 1
    return true
  }

  /// One frame as a separate PNG file, read by libpng; RGBA.
  private func pixels(of part: APNGLayout.Part) -> [UInt8]? {
    var file = PNGFile.signature
    func add(_ type: String, _ data: some Collection<UInt8>) {
      file += Self.bigEndian(data.count)
      let start = file.count
      file += type.utf8
      file += data
      file += Self.bigEndian(Int(PNGChunks.checksum(file[start...])))
    }
    let (width, height) = (part.place.width, part.place.height)
    add("IHDR", Self.bigEndian(width) + Self.bigEndian(height) + layout.form)
    for chunk in layout.shared { file += bytes[chunk] }
    for range in part.data { add("IDAT", bytes[range]) }
    add("IEND", [])
    let count = width * height * 4
    var isRead = false
    let pixels = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      isRead =
        unsafe artwork_png_read(file, file.count, UInt32(width), UInt32(height), buffer.baseAddress)
        != 0
      used = isRead ? count : 0
    }
    return isRead ? pixels : nil
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func blank(_ size: PixelSize) -> [UInt8] {
    [UInt8](repeating: 0, count: size.width * size.height * 4)
  }

  private func rows(_ place: CleanAperture) -> [Range<Int>] {
    (place.y..<place.y + place.height).map { y in
      let start = (y * layout.size.width + place.x) * 4
      return start..<start + place.width * 4
    }
  }

  private func taken(_ place: CleanAperture, of canvas: [UInt8]) -> [UInt8] {
    rows(place).flatMap { canvas[$0] }
  }

  private func put(_ pixels: [UInt8], at place: CleanAperture, into canvas: inout [UInt8]) {
    var offset = 0
    for row in rows(place) {
      canvas.replaceSubrange(row, with: pixels[offset..<offset + row.count])
      offset += row.count
    }
  }

  /// Straight alpha over straight alpha, as in the example of the specification.
  private func blend(_ pixels: [UInt8], at place: CleanAperture, into canvas: inout [UInt8]) {
    var offset = 0
    for row in rows(place) {
      for start in stride(from: row.lowerBound, to: row.upperBound, by: 4) {
        let above = Int(pixels[offset + 3])
        let below = Int(canvas[start + 3])
        if above == 255 || below == 0 {
          for channel in 0..<4 { canvas[start + channel] = pixels[offset + channel] }
        } else if above > 0 {
          let (top, bottom) = (above * 255, (255 - above) * below)
          let alpha = top + bottom
          for channel in 0..<3 {
            let sum = Int(pixels[offset + channel]) * top + Int(canvas[start + channel]) * bottom
            canvas[start + channel] = UInt8(truncatingIfNeeded: (sum + alpha / 2) / alpha)
          }
          canvas[start + 3] = UInt8(truncatingIfNeeded: (alpha + 127) / 255)
        }
        offset += 4
      }
    }
  }
}
