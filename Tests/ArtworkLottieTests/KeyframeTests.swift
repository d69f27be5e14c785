import TestSupport

@testable import ArtworkLottie

/// Properties over time as the format defines them. Expected positions follow from the document alone, for a square
/// of 20 pixels.
@Suite(.enabled(if: AnimationRenderer.isAvailable, Drawing.available))
struct KeyframeTests {
  static let easing = #","i":{"x":[0.833],"y":[0.833]},"o":{"x":[0.167],"y":[0.167]}"#

  /// A square of 20 pixels whose middle is where the layer's position is.
  static func document(position: String) -> String {
    Drawing.document(
      Drawing.layer(
        Drawing.rectangle(position: "[0,0]", size: "[20,20]"), Drawing.red,
        transform: #"{"p":\#(position)}"#))
  }

  static func keyframes(_ frames: String...) -> String {
    #"{"a":1,"k":[\#(frames.joined(separator: ","))]}"#
  }

  struct Moving: Sendable, CustomTestStringConvertible {
    var name: String
    var position: String
    /// The middle's x at frames 0, 5 and 9.
    var places: [Double]

    var testDescription: String { name }
  }

  static let moving: [Moving] = [
    // From 20 at frame 0 to 70 at frame 5, and on from there.
    Moving(
      name: "the last keyframe has easing",
      position: keyframes(#"{"t":0,"s":[20,50]\#(easing)}"#, #"{"t":5,"s":[70,50]\#(easing)}"#),
      places: [20, 70, 70]),
    Moving(
      name: "the last keyframe has one handle",
      position: keyframes(
        #"{"t":0,"s":[20,50]\#(easing)}"#, #"{"t":5,"s":[70,50],"i":{"x":0.8,"y":0.8}}"#),
      places: [20, 70, 70]),
    Moving(
      name: "keyframes without easing lie on a straight line",
      position: keyframes(
        #"{"t":0,"s":[20,50]}"#, #"{"t":5,"s":[70,50]}"#, #"{"t":10,"s":[20,50]}"#),
      places: [20, 70, 30]),
    Moving(
      name: "easing is null",
      position: keyframes(#"{"t":0,"s":[20,50],"i":null,"o":null}"#, #"{"t":10,"s":[70,50]}"#),
      places: [20, 45, 65]),
    Moving(
      name: "a value that holds is said with true",
      position: keyframes(#"{"t":0,"s":[20,50],"h":true}"#, #"{"t":6,"s":[70,50]}"#),
      places: [20, 20, 70]),
    Moving(
      name: "there is one keyframe", position: keyframes(#"{"t":0,"s":[70,50]\#(easing)}"#),
      places: [70, 70, 70]),
    Moving(
      name: "the end stands beside the start",
      position: keyframes(#"{"t":0,"s":[20,50],"e":[70,50]\#(easing)}"#, #"{"t":5}"#),
      places: [20, 70, 70]),
    // x: of a cubic with both handles at (1, 0), 0.9 % of the way after half the time and 15.4 % after nine tenths.
    Moving(
      name: "each number has a curve of its own",
      position: keyframes(
        #"{"t":0,"s":[20,20],"o":{"x":[1,0.167],"y":[0,0.167]},"i":{"x":[1,0.833],"y":[0,0.833]}}"#,
        #"{"t":10,"s":[70,70]}"#),
      places: [20, 20.4, 27.7]),
    Moving(
      name: "two curves of one name differ",
      position: keyframes(
        #"{"t":0,"s":[20,50],"n":"A"\#(easing)}"#,
        #"{"t":5,"s":[70,50],"n":"A","i":{"x":1,"y":0},"o":{"x":1,"y":0}}"#,
        #"{"t":10,"s":[20,50]}"#),
      places: [20, 70, 66.4]),
  ]

  @Test("it moves as the keyframes state", arguments: moving)
  func moves(case moving: Moving) throws {
    let document = Self.document(position: moving.position)
    for (frame, place) in zip([0, 5, 9], moving.places) {
      let centre = try #require(try Picture(document, frame: frame).centre, "frame \(frame)")
      #expect(abs(centre.x - place) < 1, "frame \(frame): \(centre.x), not \(place)")
    }
  }

  @Test("opacities that are numbers and not lists are read")
  func numbers() throws {
    let opacity = #"{"a":1,"k":[{"t":0,"s":0,"i":null,"o":null,"h":1},{"t":5,"s":100}]}"#
    let fill = #"{"ty":"fl","c":{"a":0,"k":[1,0,0,1]},"o":\#(opacity)}"#
    let document = Drawing.document(Drawing.layer(Drawing.square, fill))
    #expect(try Picture(document, frame: 4).isEmpty)
    #expect(try Picture(document, frame: 5)[50, 50] == [255, 0, 0, 255])
  }

  @Test("sizes with a fraction, fields that are null and switches that are numbers are read")
  func types() throws {
    let inner = Drawing.layer(Drawing.square, Drawing.red, fields: #","hd":0,"parent":null"#)
    let outer =
      #"{"ty":0,"refId":"c","w":100.4,"h":99.6,"ind":1.0,"hd":false,"ip":0,"op":10,"st":0,"ks":{}}"#
    let document = Drawing.document(
      outer, assets: #"{"id":"c","nm":null,"w":100.4,"layers":[\#(inner)]}"#)
    #expect(try Picture(document)[50, 50] == [255, 0, 0, 255])
  }

  @Test(
    "a colour whose easing leads beyond white stays white, in fills, strokes and gradients",
    arguments: [
      #"{"ty":"fl","c":\#(leap("[1,1,1,1]", "[1,0.6,0.6,1]")),"o":{"a":0,"k":100}}"#,
      #"{"ty":"st","c":\#(leap("[1,1,1,1]", "[1,0.6,0.6,1]")),"o":{"a":0,"k":100},"w":{"a":0,"k":60}}"#,
      #"{"ty":"gf","t":1,"s":{"a":0,"k":[30,50]},"e":{"a":0,"k":[70,50]},"o":{"a":0,"k":100},"g":{"p":2,"k":\#(leap("[0,1,1,1,1,1,1,1]", "[0,1,0.6,0.6,1,1,0.6,0.6]"))}}"#,
    ])
  func leaps(paint: String) throws {
    let document = Drawing.document(Drawing.layer(Drawing.square, paint))
    for frame in 0..<10 {
      let pixel = try Picture(document, frame: frame)[32, 50]
      // White, and towards the end as dark as 0.6.
      #expect(pixel.allSatisfy { $0 >= 150 }, "frame \(frame): \(pixel)")
    }
  }

  /// A change from one value to another that first leads the other way.
  private static func leap(_ from: String, _ to: String) -> String {
    #"{"a":1,"k":[{"t":0,"s":\#(from),"o":{"x":0.3,"y":-1.543},"i":{"x":0.7,"y":1}},{"t":10,"s":\#(to)}]}"#
  }
}
