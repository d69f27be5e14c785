import TestSupport

@testable import ArtworkLottie

@Suite(.enabled(if: AnimationRenderer.isAvailable, Drawing.available))
struct RendererTests {
  @Test("pixels are R, G, B and straight alpha")
  func pixels() throws {
    let layer = Drawing.layer(
      Drawing.square, Drawing.fill("[1,0.5,0.2,1]"), transform: #"{"o":{"a":0,"k":50}}"#)
    let picture = try Picture(Drawing.document(layer))
    #expect(picture[0, 0] == [0, 0, 0, 0])
    let (pixel, expected) = (picture[50, 50], [255, 128, 51, 128])
    for (part, wanted) in zip(pixel, expected) { #expect(abs(Int(part) - wanted) <= 2, "\(pixel)") }
  }

  @Test("another size is drawn, not scaled, and another shape is fitted into the middle")
  func sizes() throws {
    let animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    let large = try Picture(animation, size: PixelSize(width: 1000, height: 1000))
    // A scaled edge would be soft.
    #expect(large[299, 500] == [0, 0, 0, 0])
    #expect(large[300, 500] == [255, 0, 0, 255])
    let wide = try Picture(animation, size: PixelSize(width: 200, height: 100))
    #expect(wide[79, 50] == [0, 0, 0, 0])
    #expect(wide[80, 50] == [255, 0, 0, 255])
  }

  @Test("frames are counted from the start of the timeline, and the last one is drawn")
  func frames() throws {
    let square = Drawing.layer(Drawing.square, Drawing.red, frames: 72)
    let document =
      #"{"v":"5","fr":24,"ip":62.0000001,"op":72.0000001,"w":100,"h":100,"layers":[\#(square)]}"#
    let animation = try Drawing.animation(document)
    #expect(animation.frameCount == 10)
    for frame in 0..<10 { #expect(try !Picture(animation, frame: frame).isEmpty, "\(frame)") }
    // The layer ends with the frame before.
    let short = document.replacingOccurrences(of: #""op":72,"st""#, with: #""op":71,"st""#)
    #expect(try Picture(Drawing.animation(short), frame: 9).isEmpty)
    #expect(try !Picture(Drawing.animation(short), frame: 8).isEmpty)
  }

  @Test("the same frame is the same picture, in any order and from any renderer")
  func repeatable() throws {
    let document = Drawing.document(
      Drawing.layer(
        Drawing.square, Drawing.red, transform: #"{"r":\#(Drawing.moving("[0]", "[90]"))}"#))
    let renderer = try AnimationRenderer(Drawing.animation(document))
    let size = PixelSize(width: 64, height: 64)
    let forwards = (0..<10).map { renderer.draw(frame: $0, size: size) }
    let backwards = (0..<10).reversed().map { renderer.draw(frame: $0, size: size) }
    #expect(forwards == backwards.reversed())
    #expect(Set(forwards).count > 5)
  }

  static func masked(_ mode: String, inverted: Bool) -> String {
    Drawing.layer(
      Drawing.square, Drawing.red,
      fields:
        #","hasMask":true,"masksProperties":[{"mode":"\#(mode)",\#(LimitationTests.mask(inverted: inverted))}]"#
    )
  }

  static func polystar(_ rotation: String) -> String {
    let shape =
      #""pt":{"a":0,"k":5},"p":{"a":0,"k":[50,50]},"r":\#(rotation),"ir":{"a":0,"k":20},"is":{"a":0,"k":0},"or":{"a":0,"k":45},"os":{"a":0,"k":0}"#
    return Drawing.layer(#"{"ty":"sr","sy":1,"nm":"S",\#(shape)}"#, Drawing.red)
  }

  @Test("one shape under a matte is drawn", arguments: [1, 2])
  func matte(mode: Int) throws {
    // The matte is from 30 to 70, the shape from 40 to 80: both, or only the shape.
    let shape = Drawing.layer(
      Drawing.rectangle(position: "[60,60]", size: "[40,40]"), Drawing.red,
      fields: #","tt":\#(mode)"#)
    let picture = try Picture(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red, fields: #","td":1"#), shape))
    #expect(picture[35, 35][3] == 0)
    #expect((picture[50, 50][3] > 250) == (mode == 1))
    #expect((picture[75, 75][3] > 250) == (mode == 2))
  }

  @Test("a polystar turns as far as it states")
  func polystars() throws {
    // A rotation of 36 degrees turns a five-pointed star upside down, and two of them restore it.
    let (star, turned, twice) = (
      try Picture(Drawing.document(Self.polystar(#"{"a":0,"k":0}"#))),
      try Picture(Drawing.document(Self.polystar(#"{"a":0,"k":36}"#))),
      try Picture(Drawing.document(Self.polystar(#"{"a":0,"k":72}"#)))
    )
    #expect(star[50, 11][3] > 128 && star[50, 88][3] == 0)
    #expect(turned[50, 11][3] == 0 && turned[50, 88][3] > 128)
    #expect(twice[50, 11][3] > 128 && twice[50, 88][3] == 0)
  }

  @Test(
    "documents that are not as Bodymovin writes them are drawn as those that are",
    arguments: [
      // Types last, positions before that they are two, no word on dimensions or masks.
      (
        #"{"ks":{"p":{"x":{"a":0,"k":9},"y":{"a":0,"k":4},"s":true},"r":{"a":0,"k":30}},"ip":0,"op":10,"st":0,"shapes":[{"it":[{"nm":"R","p":{"a":0,"k":[50,50]},"s":{"a":0,"k":[40,40]},"r":{"a":0,"k":0},"ty":"rc"},{"c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"ty":"fl"},{"p":{"a":0,"k":[3,0]},"ty":"tr"}],"ty":"gr"}],"ty":4}"#,
        #"{"ty":4,"ddd":0,"ks":{"p":{"s":true,"x":{"a":0,"k":9},"y":{"a":0,"k":4}},"r":{"a":0,"k":30}},"ip":0,"op":10,"st":0,"shapes":[{"ty":"gr","it":[{"ty":"rc","p":{"a":0,"k":[50,50]},"s":{"a":0,"k":[40,40]},"r":{"a":0,"k":0}},{"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr","p":{"a":0,"k":[3,0]}}]}]}"#
      ),
      (
        Drawing.layer(
          Drawing.square, Drawing.red,
          fields: #","masksProperties":[{"mode":"a",\#(LimitationTests.mask())}]"#),
        Drawing.layer(
          Drawing.square, Drawing.red,
          fields: #","hasMask":true,"masksProperties":[{"mode":"a",\#(LimitationTests.mask())}]"#)
      ),
      // Inverted masks.
      (masked("a", inverted: true), masked("s", inverted: false)),
      (masked("s", inverted: true), masked("i", inverted: false)),
      // A solid without a colour is black.
      (
        #"{"ty":1,"ks":{},"sw":100,"sh":100,"sc":"","ip":0,"op":10,"st":0}"#,
        ##"{"ty":1,"ddd":0,"ks":{},"sw":100,"sh":100,"sc":"#000000","ip":0,"op":10,"st":0}"##
      ),
    ])
  func unusual(layer: String, usual: String) throws {
    let wanted = try AnimationRenderer.drawingUnchanged(Drawing.document(usual))
    #expect(try Picture(Drawing.document(layer)).bytes == wanted)
    #expect(try AnimationRenderer.drawingUnchanged(Drawing.document(layer)) != wanted)
  }

  /// Debian's 0.1; another version may draw edges in another way.
  @Test("frames of our own drawings are, byte for byte, those of rlottie 0.1", arguments: digests)
  func pinned(drawing: String, frame: Int, digest: UInt64) throws {
    let document = try #require(Self.drawings[drawing])
    let bytes = try Picture(Drawing.animation(document), frame: frame).bytes
    #expect(Self.digest(bytes) == digest, "\(drawing) at \(frame): \(Self.digest(bytes))")
  }

  static let digests: [(String, Int, UInt64)] = [
    ("square", 0, 15_604_076_207_742_296_485), ("turning", 5, 17_445_401_252_405_260_246),
    ("gradient", 0, 3_903_478_948_436_137_025), ("picture", 0, 3_558_434_035_164_444_709),
  ]

  static let drawings: [String: String] = [
    "square": Drawing.document(Drawing.layer(Drawing.square, Drawing.red)),
    "turning": Drawing.document(
      Drawing.layer(
        #"{"ty":"el","nm":"E","p":{"a":0,"k":[50,50]},"s":{"a":0,"k":[60,30]}}"#, Drawing.red,
        transform:
          #"{"a":{"a":0,"k":[50,50]},"p":{"a":0,"k":[50,50]},"r":\#(Drawing.moving("[0]", "[90]"))}"#
      )),
    "gradient": Drawing.document(
      Drawing.layer(
        Drawing.square,
        #"{"ty":"gf","nm":"G","o":{"a":0,"k":100},"t":1,"s":{"a":0,"k":[30,30]},"e":{"a":0,"k":[70,70]},"g":{"p":2,"k":{"a":0,"k":[0,1,0,0,1,0,0,1]}}}"#
      )),
    "picture": Drawing.document(
      #"{"ty":2,"nm":"I","refId":"i","ks":{"s":{"k":[800,800]}},"ip":0,"op":10,"st":0}"#,
      assets:
        #"{"id":"i","w":8,"h":8,"e":1,"u":"","p":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEElEQVR42mNgaPiPHQ0tCQAqM1/BgkfPGQAAAABJRU5ErkJggg=="}"#
    ),
  ]

  /// FNV-1a, 64 bits.
  static func digest(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
  }
}
