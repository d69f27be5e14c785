import TestSupport

@testable import ArtworkLottie

/// Small animations for tests.
enum Drawing {
  static let available: Comment = "this build draws no Lottie: see artworkd doctor"

  /// A document of 100x100 pixels at 30 fps.
  static func document(
    _ layers: String..., assets: String = "", fields: String = "", frames: Int = 10
  ) -> String {
    """
    {"v":"5.5.0","fr":30,"ip":0,"op":\(frames),"w":100,"h":100,"assets":[\(assets)],\
    "layers":[\(layers.joined(separator: ","))]\(fields)}
    """
  }

  /// A shape layer with one group, `Group 1`, which holds `items` and a transform.
  static func layer(
    _ items: String..., name: String = "Layer 1", transform: String = "{}", fields: String = "",
    frames: Int = 10
  ) -> String {
    """
    {"ty":4,"nm":"\(name)","ip":0,"op":\(frames),"st":0,"ks":\(transform)\(fields),"shapes":[\
    {"ty":"gr","nm":"Group 1","it":[\(items.joined(separator: ",")),{"ty":"tr"}]}]}
    """
  }

  /// A square from 30 to 70.
  static let square = rectangle(position: "[50,50]", size: "[40,40]")
  static let red = fill("[1,0,0,1]")

  static func rectangle(position: String, size: String) -> String {
    """
    {"ty":"rc","nm":"Rect 1","p":{"a":0,"k":\(position)},"s":{"a":0,"k":\(size)},"r":{"a":0,"k":0}}
    """
  }

  static func fill(_ color: String, name: String = "Fill 1", fields: String = "") -> String {
    #"{"ty":"fl","nm":"\#(name)","c":{"a":0,"k":\#(color)},"o":{"a":0,"k":100}\#(fields)}"#
  }

  /// A value that moves on a straight line from frame 0 to `end`.
  static func moving(_ from: String, _ to: String, end: Int = 10, fields: String = "") -> String {
    """
    {"a":1,"k":[{"t":0,"s":\(from),"o":{"x":[0.333],"y":[0]},"i":{"x":[0.667],"y":[1]}\(fields)},\
    {"t":\(end),"s":\(to)}]}
    """
  }

  static func animation(_ document: String) throws -> Animation {
    try Animation(json: Array(document.utf8))
  }
}

/// A picture that was drawn.
struct Picture: Equatable {
  var size: PixelSize
  var bytes: [UInt8]

  init(_ animation: Animation, frame: Int = 0, size: PixelSize? = nil) throws {
    self.size = size ?? animation.size
    bytes = try AnimationRenderer(animation).draw(frame: frame, size: self.size)
  }

  init(_ document: String, frame: Int = 0) throws {
    try self.init(Drawing.animation(document), frame: frame)
  }

  /// R, G, B and alpha.
  subscript(x: Int, y: Int) -> [UInt8] {
    let place = (y * size.width + x) * 4
    return Array(bytes[place..<place + 4])
  }

  /// The centre of everything that is opaque, in pixels; `nil` for an empty picture.
  var centre: (x: Double, y: Double)? {
    var (sum, x, y) = (0.0, 0.0, 0.0)
    for place in stride(from: 3, to: bytes.count, by: 4) where bytes[place] > 0 {
      let (weight, pixel) = (Double(bytes[place]), place / 4)
      sum += weight
      x += weight * (Double(pixel % size.width) + 0.5)
      y += weight * (Double(pixel / size.width) + 0.5)
    }
    return sum == 0 ? nil : (x / sum, y / sum)
  }

  var isEmpty: Bool { centre == nil }
}

extension AnimationRenderer {
  /// The first frame of a document of 100x100 pixels rendered by rlottie without our rewriting.
  static func drawingUnchanged(_ document: String) throws -> [UInt8] {
    try AnimationRenderer(document: Array(document.utf8), frameCount: 1)
      .draw(frame: 0, size: PixelSize(width: 100, height: 100))
  }
}
