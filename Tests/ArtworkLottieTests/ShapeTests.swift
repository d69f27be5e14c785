import TestSupport

@testable import ArtworkLottie

/// Shapes that rlottie alone draws otherwise than browsers.
@Suite(.enabled(if: AnimationRenderer.isAvailable, Drawing.available))
struct ShapeTests {
  private static func polygon(_ fields: String = "") -> String {
    """
    {"ty":"sr","sy":2,"d":1,"pt":{"a":0,"k":3},"p":{"a":0,"k":[50,50]},"r":{"a":0,"k":0},"or":{"a":0,"k":40},\
    "os":{"a":0,"k":0}\(fields)}
    """
  }

  private static func stroke(_ width: Int) -> String {
    """
    {"ty":"st","nm":"Stroke 1","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":\(width)},"lc":1,"lj":1,"ml":10}
    """
  }

  // A triangle of radius 40 around (50, 50): corners at (50, 10), (84.6, 70) and (15.4, 70).
  @Test("the lower side of a triangle is level")
  func levelTriangle() throws {
    let picture = try Picture(Drawing.document(Drawing.layer(Self.polygon(), Drawing.red)))
    #expect(picture[20, 68][3] > 240 && picture[80, 68][3] > 240)
    #expect(picture[20, 71][3] == 0 && picture[80, 71][3] == 0)
    #expect(picture[50, 13][3] > 240 && picture[50, 8][3] == 0)
  }

  @Test("an outline is closed at the first corner of a polygon")
  func closedOutline() throws {
    let picture = try Picture(Drawing.document(Drawing.layer(Self.polygon(), Self.stroke(10))))
    // The outer edges of lines of width 10 meet at (50, 0), 10 above the corner: half a width by the sine of 30 degrees.
    #expect(picture[50, 3][3] > 240)
  }

  @Test("a polygon that grows is drawn at each size")
  func growingPolygon() throws {
    let growing = Self.polygon().replacing(
      #""or":{"a":0,"k":40}"#, with: #""or":\#(Drawing.moving("[0]", "[40]"))"#)
    let document = Drawing.document(Drawing.layer(growing, Drawing.red))
    // Half of the radius at half of the time: the lower side is at 60 instead of 70.
    let half = try Picture(document, frame: 5)
    #expect(half[50, 58][3] > 240 && half[50, 63][3] == 0)
  }

  @Test("the number of copies changes over time, and copies move by the offset")
  func repeater() throws {
    func repeater(_ copies: String, _ offset: String) -> String {
      """
      {"ty":"rp","c":\(copies),"o":\(offset),"m":1,"tr":{"ty":"tr","p":{"a":0,"k":[20,0]},"a":{"a":0,"k":[0,0]},\
      "s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"so":{"a":0,"k":100},"eo":{"a":0,"k":100}}}
      """
    }
    let square = Drawing.rectangle(position: "[10,50]", size: "[10,10]")
    func picture(_ repeater: String, _ frame: Int) throws -> Picture {
      try Picture(Drawing.document(Drawing.layer(square, Drawing.red, repeater)), frame: frame)
    }
    let growing = #"{"a":1,"k":[{"t":0,"s":[1],"h":1},{"t":5,"s":[3],"h":1}]}"#
    for (frame, seen) in [(0, [10]), (6, [10, 30, 50])] {
      let picture = try picture(repeater(growing, #"{"a":0,"k":0}"#), frame)
      let columns = stride(from: 10, through: 90, by: 20).filter { picture[$0, 50][3] > 240 }
      #expect(columns == seen)
    }
    let shifting = #"{"a":1,"k":[{"t":0,"s":[0],"h":1},{"t":5,"s":[2],"h":1}]}"#
    let picture = try picture(repeater(#"{"a":0,"k":2}"#, shifting), 6)
    #expect(stride(from: 10, through: 90, by: 20).filter { picture[$0, 50][3] > 240 } == [50, 70])
  }

  @Test("a layer that begins just after a frame is not in it")
  func fractionalStart() throws {
    let layer = Drawing.layer(Drawing.square, Drawing.red)
      .replacing(#""ip":0"#, with: #""ip":5.0000002"#)
    let document = Drawing.document(layer)
    #expect(try Picture(document, frame: 5)[50, 50][3] == 0)
    #expect(try Picture(document, frame: 6)[50, 50][3] > 240)
    // Where the animation begins there, too, the layer is in its first frame.
    let shifted = document.replacing(#""fr":30,"ip":0"#, with: #""fr":30,"ip":5.0000002"#)
    #expect(try Picture(shifted, frame: 0)[50, 50][3] > 240)
  }
}
