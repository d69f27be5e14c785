import TestSupport

@testable import ArtworkLottie

/// Layers, mattes and lines that rlottie alone draws otherwise.
@Suite(.enabled(if: AnimationRenderer.isAvailable, Drawing.available))
struct LayerTests {
  // MARK: - Mattes

  /// Rows of 100 pixels, so that the centres of the visible parts distinguish mattes.
  static func band(_ y: Int, fields: String = "") -> String {
    Drawing.layer(
      Drawing.rectangle(position: "[50,\(y)]", size: "[100,20]"), Drawing.red, fields: fields)
  }

  static func column(_ x: Int, fields: String = "") -> String {
    Drawing.layer(
      Drawing.rectangle(position: "[\(x),50]", size: "[20,100]"), Drawing.red, fields: fields)
  }

  @Test("a matte by number is that layer, wherever it is, and is not drawn itself")
  func numberedMatte() throws {
    let document = Drawing.document(
      Self.band(80), Self.column(30, fields: #","ind":7,"td":1"#),
      Self.band(20, fields: #","tt":1,"tp":7"#), Self.band(50, fields: #","tt":1,"tp":7"#))
    let picture = try Picture(document)
    #expect(picture[30, 20][3] > 240 && picture[70, 20][3] == 0)
    #expect(picture[30, 50][3] > 240 && picture[70, 50][3] == 0)
    #expect(picture[30, 80][3] > 240 && picture[70, 80][3] > 240)
    #expect(picture[30, 65][3] == 0, "the matte is seen")
    #expect(try Drawing.animation(document).limitations.isEmpty)
  }

  @Test("a matte that the designer has hidden still cuts")
  func hiddenMatte() throws {
    let picture = try Picture(
      Drawing.document(
        Self.column(30, fields: #","td":1,"hd":true"#), Self.band(20, fields: #","tt":1"#)))
    #expect(picture[30, 20][3] > 240 && picture[70, 20][3] == 0)
  }

  @Test("a matte of a matte cuts both")
  func nestedMatte() throws {
    // The band is seen where the column is, and that where the upper half is.
    let upper = Drawing.layer(
      Drawing.rectangle(position: "[50,25]", size: "[100,50]"), Drawing.red, fields: #","td":1"#)
    let picture = try Picture(
      Drawing.document(
        upper, Self.column(30, fields: #","td":1,"tt":1"#),
        Drawing.layer(
          Drawing.rectangle(position: "[50,50]", size: "[100,100]"), Drawing.red,
          fields: #","tt":1"#)))
    #expect(picture[30, 30][3] > 240)
    #expect(picture[30, 70][3] == 0)
    #expect(picture[70, 30][3] == 0)
  }

  @Test("a solid under a matte is drawn where both are")
  func mattedSolid() throws {
    let solid =
      ##"{"ty":1,"nm":"S","sw":40,"sh":40,"sc":"#00ff00","tt":1,"ks":{},"ip":0,"op":10,"st":0}"##
    let picture = try Picture(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red, fields: #","td":1"#), solid))
    #expect(picture[35, 35][1] > 240 && picture[35, 35][3] > 245)
    #expect(picture[20, 20][3] == 0 && picture[60, 60][3] == 0)
  }

  @Test("white that is half transparent is half as bright a matte")
  func brightness() throws {
    let matte = Drawing.layer(
      Drawing.square, Drawing.fill("[1,1,1,1]"), transform: #"{"o":{"a":0,"k":50}}"#,
      fields: #","td":1"#)
    let wide = Drawing.rectangle(position: "[50,50]", size: "[100,100]")
    func picture(_ mode: Int) throws -> Picture {
      try Picture(
        Drawing.document(matte, Drawing.layer(wide, Drawing.red, fields: #","tt":\#(mode)"#)))
    }
    let (bright, dark) = (try picture(3), try picture(4))
    #expect(abs(Int(bright[50, 50][3]) - 127) < 4 && bright[10, 10][3] == 0)
    #expect(abs(Int(dark[50, 50][3]) - 128) < 4 && dark[10, 10][3] > 240)
  }

  // MARK: - Masks and lines

  @Test("a mask of no mode hides nothing, and the next counts as the first")
  func idleMask() throws {
    func document(_ masks: String) -> String {
      Drawing.document(
        Drawing.layer(
          Drawing.square, Drawing.red, fields: #","hasMask":true,"masksProperties":[\#(masks)]"#))
    }
    let idle = #"{"mode":"n",\#(LimitationTests.mask())}"#
    #expect(try Picture(document(idle)) == Picture(Drawing.document(LimitationTests.square)))
    let inverted = #"{"mode":"a",\#(LimitationTests.mask(inverted: true))}"#
    #expect(try Picture(document(idle + "," + inverted)) == Picture(document(inverted)))
    #expect(try Drawing.animation(document(idle + "," + inverted)).limitations.isEmpty)
  }

  /// A line of 80 pixels at half height with these dashes.
  static func line(_ dashes: String, width: Int = 4, cap: Int = 1) throws -> [Bool] {
    let path =
      #"{"ty":"sh","ks":{"a":0,"k":{"c":false,"v":[[10,50],[90,50]],"i":[[0,0],[0,0]],"o":[[0,0],[0,0]]}}}"#
    let stroke =
      #"{"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":\#(width)},"lc":\#(cap),"lj":1,"ml":4,"d":[\#(dashes)]}"#
    let picture = try Picture(Drawing.document(Drawing.layer(path, stroke)))
    return (0..<100).map { picture[$0, 50][3] > 127 }
  }

  @Test("a line that is scaled to nothing in one direction is not drawn")
  func flattened() throws {
    let stroke =
      #"{"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":20},"lc":1,"lj":1,"ml":4}"#
    func layer(_ scale: String) -> String {
      Drawing.document(
        Drawing.layer(Drawing.square, stroke, transform: #"{"s":\#(scale),"p":{"a":0,"k":[0,0]}}"#))
    }
    #expect(try !Picture(layer(#"{"a":0,"k":[50,50]}"#)).isEmpty)
    #expect(try Picture(layer(#"{"a":0,"k":[0,100]}"#)).isEmpty)
    // While it is: from frame 4 on.
    let moving = layer(
      #"{"a":1,"k":[{"t":0,"s":[100,100],"h":1},{"t":4,"s":[100,0],"h":1},{"t":8,"s":[100,100]}]}"#)
    for (frame, isEmpty) in [(0, false), (3, false), (4, true), (7, true), (8, false)] {
      #expect(try Picture(moving, frame: frame).isEmpty == isEmpty, "\(frame)")
    }
  }

  @Test("dots keep their distance in small pictures, however long the line is")
  func smallDots() throws {
    let stroke =
      #"{"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":16},"lc":2,"lj":1,"ml":4,"d":[{"n":"d","v":{"a":0,"k":0}},{"n":"g","v":{"a":0,"k":40}},{"n":"o","v":{"a":0,"k":0}}]}"#
    let line =
      #"{"ty":"sh","ks":{"a":0,"k":{"i":[[0,0],[0,0]],"o":[[0,0],[0,0]],"v":[[20,400],[780,400]],"c":false}}}"#
    let document = Drawing.document(Drawing.layer(line, stroke))
      .replacing(#""w":100,"h":100"#, with: #""w":800,"h":800"#)
    let side = 200
    let picture = try Picture(
      Drawing.animation(document), size: PixelSize(width: side, height: side))
    let starts = (1..<side).filter {
      picture[$0, side / 2][3] > 128 && picture[$0 - 1, side / 2][3] <= 128
    }
    #expect(starts.count == 20 || starts.count == 19)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { (9...11).contains($1 - $0) }, "\(starts)")
  }

  @Test("dashes of no length with round ends are dots")
  func dots() throws {
    let dots = try Self.line(
      #"{"n":"d","v":{"a":0,"k":0}},{"n":"g","v":{"a":0,"k":20}},{"n":"o","v":{"a":0,"k":0}}"#,
      width: 8, cap: 2)
    // Middles at 10, 30, 50, 70 and 90.
    #expect([10, 30, 50, 70].allSatisfy { dots[$0] })
    #expect([20, 40, 60, 80].allSatisfy { !dots[$0] })
  }

  @Test(
    "a pattern without an offset starts with its first dash",
    arguments: [
      (#"{"n":"d","v":{"a":0,"k":10}}"#, 10),
      (#"{"n":"d","v":{"a":0,"k":10}},{"n":"o","v":{"a":0,"k":0}}"#, 10),
      (#"{"n":"d","v":{"a":0,"k":10}},{"n":"g","v":{"a":0,"k":30}}"#, 30),
    ])
  func patterns(dashes: String, gap: Int) throws {
    let line = try Self.line(dashes)
    #expect(line[15])
    #expect(!line[20 + gap / 2])
    #expect(line[20 + gap + 5])
  }

  @Test("an offset without dashes leaves the line whole")
  func offsetAlone() throws {
    let line = try Self.line(#"{"n":"o","v":{"a":0,"k":5}}"#)
    #expect(!line[12..<88].contains(false))
  }

  @Test("an offset of many patterns is that of what is left over")
  func offset() throws {
    func pattern(_ offset: Int) throws -> [Bool] {
      try Self.line(
        #"{"n":"d","v":{"a":0,"k":10}},{"n":"g","v":{"a":0,"k":10}},{"n":"o","v":{"a":0,"k":\#(offset)}}"#
      )
    }
    #expect(try pattern(205) == pattern(5))
    #expect(try pattern(-15) == pattern(5))
    #expect(try pattern(5)[12] && !pattern(5)[20])
  }

  @Test(
    "a gradient that starts where it ends has its last colour, as in browsers",
    arguments: [("gf", 1, 50), ("gf", 2, 50), ("gs", 1, 30), ("gs", 2, 30)])
  func oneColour(type: String, kind: Int, x: Int) throws {
    let gradient =
      #"{"ty":"\#(type)","t":\#(kind),"s":{"a":0,"k":[50,50]},"e":{"a":0,"k":[50,50]},"o":{"a":0,"k":100},"w":{"a":0,"k":8},"lc":1,"lj":1,"g":{"p":2,"k":{"a":0,"k":[0,1,0,0,1,0,0,1]}}}"#
    let picture = try Picture(Drawing.document(Drawing.layer(Drawing.square, gradient)))
    #expect(picture[x, 50] == [0, 0, 255, 255])
  }

  @Test("opacities of a gradient lie where they state, not where its colours are")
  func gradient() throws {
    // Red throughout; opaque to the middle, then away.
    let fill =
      #"{"ty":"gf","o":{"a":0,"k":100},"r":1,"t":1,"s":{"a":0,"k":[0,50]},"e":{"a":0,"k":[100,50]},"g":{"p":3,"k":{"a":0,"k":[0,1,0,0, 0.2,1,0,0, 1,1,0,0, 0,1, 0.5,1, 0.6,0, 1,0]}}}"#
    let picture = try Picture(
      Drawing.document(
        Drawing.layer(Drawing.rectangle(position: "[50,50]", size: "[100,100]"), fill)))
    #expect(picture[5, 50][3] > 245 && picture[45, 50][3] > 245)
    #expect(picture[65, 50][3] < 10 && picture[90, 50][3] < 10)
    #expect(abs(Int(picture[55, 50][3]) - 127) < 30)
  }

  @Test("a gradient that claims more colours than there are numbers is refused, and traps nobody")
  func gradientCount() throws {
    let fill =
      #"{"ty":"gf","o":{"a":0,"k":100},"r":1,"t":1,"s":{"a":0,"k":[0,50]},"e":{"a":0,"k":[100,50]},"g":{"p":4611686018427387904,"k":{"a":0,"k":[0,1,0,0, 1,1,0,0, 0,1]}}}"#
    let layer = Drawing.layer(Drawing.rectangle(position: "[50,50]", size: "[100,100]"), fill)
    #expect(throws: (any Error).self) { try Picture(Drawing.document(layer)) }
  }

  @Test("a frame is the same whatever was drawn before, also with a trim in a trim")
  func trims() throws {
    func trim(_ end: String) -> String {
      #"{"ty":"tm","s":{"a":0,"k":0},"e":\#(end),"o":{"a":0,"k":0},"m":1}"#
    }
    let stroke =
      #"{"ty":"st","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":4},"lc":1,"lj":1,"ml":4}"#
    let growing = #"{"a":1,"k":[{"t":0,"s":[0]},{"t":5,"s":[100]}]}"#
    let layer = #"""
      {"ty":4,"ip":0,"op":10,"st":0,"ks":{},"shapes":[{"ty":"gr","it":[\#(Drawing.square),\#
      \#(trim(#"{"a":0,"k":50}"#)),\#(stroke),{"ty":"tr"}]},\#(trim(growing))]}
      """#
    let animation = try Drawing.animation(Drawing.document(layer))
    let renderer = try AnimationRenderer(animation)
    let size = animation.size
    for frame in 0..<8 { _ = renderer.draw(frame: frame, size: size) }
    #expect(try renderer.draw(frame: 8, size: size) == Picture(animation, frame: 8).bytes)
  }

  // MARK: - Time remaps

  /// The middle's x of a square that moves from 10 at frame 0 to 90 at frame 160, at frames of a layer that is remapped.
  static func places(_ remap: String, fields: String = "") throws -> [Double] {
    let inner = Drawing.layer(
      Drawing.rectangle(position: "[0,50]", size: "[10,10]"), Drawing.red,
      transform: #"{"p":{"a":1,"k":[{"t":0,"s":[10,0]},{"t":160,"s":[90,0]}]}}"#,
      frames: 200)
    let outer =
      #"{"ty":0,"refId":"c","w":100,"h":100,"ip":0,"op":10,"st":0,"ks":{},"tm":\#(remap)\#(fields)}"#
    let document = Drawing.document(outer, assets: #"{"id":"c","layers":[\#(inner)]}"#)
    return try [0, 5, 9].map { try Picture(document, frame: $0).centre?.x ?? -1 }
  }

  @Test(
    "a time remap stands, runs beyond the end of the animation, and runs back",
    arguments: [
      // 2 s of 30 frames are frame 60, of 160 frames from 10 to 90.
      (#"{"a":0,"k":2}"#, [40.0, 40, 40]),
      (#"{"a":1,"k":[{"t":0,"s":[2]}]}"#, [40, 40, 40]),
      (#"{"a":1,"k":[{"t":0,"s":[0]},{"t":10,"s":[5]}]}"#, [10, 47.5, 77.5]),
      (#"{"a":1,"k":[{"t":0,"s":[5]},{"t":10,"s":[0]}]}"#, [85, 47.5, 17.5]),
    ])
  func remaps(remap: String, expected: [Double]) throws {
    for (place, wanted) in zip(try Self.places(remap), expected) {
      #expect(abs(place - wanted) < 1, "\(place), not \(wanted)")
    }
  }

  @Test("an inverted matte that is not there hides nothing")
  func absentMatte() throws {
    let hole = Drawing.layer(
      Drawing.rectangle(position: "[50,50]", size: "[10,10]"), Drawing.red,
      fields: #","td":1"#, frames: 5)
    let document = Drawing.document(
      hole, Drawing.layer(Drawing.square, Drawing.red, fields: #","tt":2"#))
    for (frame, middle) in [(2, 0), (7, 251)] {
      let picture = try Picture(document, frame: frame)
      // rlottie gives a matted layer an alpha of 251 at most.
      #expect(abs(Int(picture[50, 50][3]) - middle) <= 4, "frame \(frame)")
      #expect(picture[35, 35][0] == 255 && picture[35, 35][3] > 245, "frame \(frame)")
    }
  }

  @Test("colours of a gradient do not pale with its opacity")
  func fadingGradient() throws {
    let gradient =
      #"{"ty":"gf","t":1,"s":{"a":0,"k":[0,50]},"e":{"a":0,"k":[100,50]},"o":{"a":0,"k":100},"g":{"p":2,"k":{"a":0,"k":[0,1,0,0,1,0,0,1,0,1,1,0]}}}"#
    let all = Drawing.rectangle(position: "[50,50]", size: "[100,100]")
    let pixel = try Picture(Drawing.document(Drawing.layer(all, gradient)))[75, 50]
    // Three quarters of the way from red to blue, a quarter opaque.
    for (value, wanted) in zip(pixel, [64, 0, 191, 64]) { #expect(abs(Int(value) - wanted) <= 12) }
  }
}
