import TestSupport

@testable import ArtworkLottie

@Suite(.enabled(if: AnimationRenderer.isAvailable, Drawing.available))
struct ValueTests {
  /// A square that lies around the layer's position.
  static func moved(_ position: String, fields: String = "") -> String {
    Drawing.layer(
      Drawing.rectangle(position: "[0,0]", size: "[8,8]"), Drawing.red,
      transform: #"{"p":\#(position)}"#, fields: fields)
  }

  /// rlottie is the reference: where the square lies in its picture. Along a curve it is a third of a pixel off itself.
  @Test(
    "a position is where the renderer draws it, on lines, curves and steps",
    arguments: [
      Drawing.moving("[20,30]", "[80,60]"),
      Drawing.moving("[20,80]", "[80,80]", fields: #","to":[0,-40],"ti":[0,-40]"#),
      Drawing.moving("[20,80]", "[80,20]", fields: #","to":[60,0],"ti":[0,0]"#),
      Drawing.moving("[20,30]", "[80,60]", fields: #","h":1"#),
      #"{"s":true,"x":\#(Drawing.moving("[20]", "[80]")),"y":{"a":0,"k":40}}"#,
      #"{"a":0,"k":[25,75,0]}"#,
    ])
  func positions(property: String) throws {
    let animation = try Drawing.animation(Drawing.document(Self.moved(property)))
    for frame in 0..<animation.frameCount {
      let value = animation.value(
        for: AnimationKeypath(keypath: "Layer 1.Transform.Position"), atFrame: Double(frame))
      guard case .point(let x, let y) = value else {
        Issue.record("no position at frame \(frame)")
        continue
      }
      let drawn = try #require(Picture(animation, frame: frame).centre)
      #expect(
        abs(drawn.x - x) < 0.4 && abs(drawn.y - y) < 0.4, "frame \(frame): \(x),\(y); \(drawn)")
    }
  }

  @Test("inside a precomposition, frames are those of its own timeline")
  func precomposition() throws {
    let inner = Self.moved(Drawing.moving("[20,30]", "[80,60]"))
    let document = Drawing.document(
      #"{"ty":0,"nm":"Outer","refId":"p","ks":{},"w":100,"h":100,"ip":0,"op":10,"st":3}"#,
      assets: #"{"id":"p","layers":[\#(inner)]}"#)
    let animation = try Drawing.animation(document)
    let keypath = AnimationKeypath(keypath: "Outer.Layer 1.Position")
    for frame in 4..<10 {
      guard case .point(let x, _) = animation.value(for: keypath, atFrame: Double(frame)) else {
        Issue.record("no position")
        continue
      }
      let drawn = try #require(Picture(animation, frame: frame).centre)
      #expect(abs(drawn.x - x) < 0.2, "frame \(frame)")
    }
  }

  @Test(
    "a value that is set is drawn and read",
    arguments: [
      ("**.Fill 1.Color", "#00ff00", [0, 255, 0, 255]), ("**.Fill 1.Opacity", "0", [0, 0, 0, 0]),
      ("Layer 1.Opacity", "0", [0, 0, 0, 0]), ("Layer 1.Position", "60,0", [0, 0, 0, 0]),
      ("**.Group 1.Scale", "0", [0, 0, 0, 0]), ("**.Rect 1.Size", "0,0", [0, 0, 0, 0]),
      ("**.Rect 1.Position", "90,90", [0, 0, 0, 0]),
      ("Layer 1.Anchor Point", "50,0", [0, 0, 0, 0]),
      ("Layer 1.Rotation", "180", [0, 0, 0, 0]),
    ])
  func setting(keypath: String, value: String, pixel: [UInt8]) throws {
    var animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    let before = animation
    #expect(try Picture(animation)[50, 50] == [255, 0, 0, 255])
    let keypath = AnimationKeypath(keypath: keypath)
    try animation.setValue(text: value, for: keypath)
    #expect(try Picture(animation)[50, 50] == pixel)
    #expect(
      animation.value(for: keypath)?.description
        == (value == "0" && "\(keypath)".contains("Scale") ? "0,0" : value))
    #expect(try Picture(before)[50, 50] == [255, 0, 0, 255], "the original is as it was")
  }

  @Test("a value for each frame is drawn at its frame")
  func provider() throws {
    var animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    try animation.setValue(for: AnimationKeypath(keypath: "**.Color")) { frame in
      frame < 5 ? .color(red: 0, green: 0, blue: 1) : .color(red: 0, green: 1, blue: 0)
    }
    #expect(try Picture(animation, frame: 4)[50, 50] == [0, 0, 255, 255])
    #expect(try Picture(animation, frame: 5)[50, 50] == [0, 255, 0, 255])
    #expect(try Picture(animation, frame: 9)[50, 50] == [0, 255, 0, 255])
  }

  @Test("the ends of a trimmed line and the width of a stroke can be set")
  func strokes() throws {
    let line =
      #"{"ty":"sh","nm":"P","ks":{"a":0,"k":{"c":false,"v":[[10,50],[90,50]],"i":[[0,0],[0,0]],"o":[[0,0],[0,0]]}}}"#
    let stroke =
      #"{"ty":"st","nm":"Stroke 1","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":4},"lc":1,"lj":1}"#
    let trim =
      #"{"ty":"tm","nm":"Trim","s":{"a":0,"k":0},"e":{"a":0,"k":100},"o":{"a":0,"k":0},"m":1}"#
    var animation = try Drawing.animation(Drawing.document(Drawing.layer(line, stroke, trim)))
    #expect(try Picture(animation)[80, 50][3] == 255)
    #expect(try Picture(animation)[80, 57][3] == 0)
    try animation.setValue(.number(20), for: AnimationKeypath(keypath: "**.strokeWidth"))
    #expect(try Picture(animation)[80, 57][3] == 255)
    try animation.setValue(.number(50), for: AnimationKeypath(keypath: "**.Trim.End"))
    #expect(try Picture(animation)[80, 50][3] == 0)
    #expect(try Picture(animation)[30, 50][3] == 255)
  }

  @Test(
    "a value of another shape is refused",
    arguments: [
      ("**.Color", "12"), ("**.Color", "#12"), ("**.Color", "red"), ("**.Position", "1"),
      ("**.Opacity", "1,2"), ("**.Opacity", "nan"), ("**.Opacity", ""), ("**.Position", "1,2,3"),
    ])
  func misfits(keypath: String, value: String) throws {
    var animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    let error = #expect(throws: InspectionError.self) {
      try animation.setValue(text: value, for: AnimationKeypath(keypath: keypath))
    }
    #expect(error?.code == .noMatch)
  }

  @Test(
    "what is hidden is not drawn, and shown again it is",
    arguments: ["Layer 1", "**.Group 1", "**.Fill 1", "**.Rect 1"])
  func hiding(keypath: String) throws {
    var animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    let whole = try Picture(animation)
    try animation.setEnabled(false, for: AnimationKeypath(keypath: keypath))
    #expect(try Picture(animation).isEmpty)
    try animation.setEnabled(true, for: AnimationKeypath(keypath: keypath))
    #expect(try Picture(animation) == whole)
  }

  @Test("numbers of old exporters, to 255, are the same colours")
  func oldColors() {
    #expect(AnimationValue([255, 51, 0, 255], shape: .color)?.description == "#ff3300")
    #expect(AnimationValue([1, 0.2, 0, 1], shape: .color)?.description == "#ff3300")
  }
}
