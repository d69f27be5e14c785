import CFFmpeg

/// The light that HDR was made for: the display on which it was graded (SMPTE ST 2086), and the light of its pixels
/// (CTA-861.3).
struct MasteringLight: Sendable, Equatable {
  /// Green, blue, red and white in units of 0.00002, then the brightest and the darkest in 0.0001 cd/m²; `nil` if unknown.
  private var display: [Int64]?
  /// The brightest pixel and the brightest mean of a frame in cd/m²; `nil` if unknown.
  private var levels: [Int64]?

  /// - Returns: `nil` for a frame without either.
  init?(_ frame: borrowing Frame) {
    var light = [Int64](repeating: 0, count: 12)
    let found = unsafe artwork_frame_light(frame.pointer, &light)
    if found == 0 { return nil }
    display = found & 1 != 0 ? Array(light[..<10]) : nil
    levels = found & 2 != 0 ? Array(light[10...]) : nil
  }

  /// The brightest light in cd/m²: that of the pictures, else that of the display; `nil` if neither is known.
  var peak: Float? { Self.peak(levels.map { Int($0[0]) * 10000 }, display.map { Int($0[8]) }) }

  /// - Parameters: in 0.0001 cd/m²; 0 if unknown.
  static func peak(_ pictures: Int?, _ display: Int?) -> Float? {
    [pictures, display].lazy.compactMap(\.self).first { $0 > 0 }.map { Float($0) / 10000 }
  }

  /// Parameters of libx265 that state this light.
  var forX265: String {
    let display = display.map { light in
      ":master-display=G(\(light[0]),\(light[1]))B(\(light[2]),\(light[3]))R(\(light[4]),\(light[5]))"
        + "WP(\(light[6]),\(light[7]))L(\(light[8]),\(light[9]))"
    }
    return (display ?? "") + (levels.map { ":max-cll=\($0[0]),\($0[1])" } ?? "")
  }
}
