import TestSupport

@testable import ArtworkLottie

/// The features that rlottie omits, measured: a document with the feature and one without it give the same picture.
@Suite struct LimitationTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var feature: Limitation.Feature
    var name: String
    var with: String
    var without: String

    var testDescription: String { name }
  }

  static let square = Drawing.layer(Drawing.square, Drawing.red)

  /// A layer with more fields, beside the same layer without.
  static func fields(_ feature: Limitation.Feature, _ name: String, _ fields: String) -> Sample {
    Sample(
      feature: feature, name: name,
      with: Drawing.document(Drawing.layer(Drawing.square, Drawing.red, fields: "," + fields)),
      without: Drawing.document(square))
  }

  /// A group with one more item.
  static func item(_ feature: Limitation.Feature, _ name: String, _ item: String) -> Sample {
    Sample(
      feature: feature, name: name,
      with: Drawing.document(Drawing.layer(Drawing.square, item, Drawing.red)),
      without: Drawing.document(square))
  }

  static func layer(_ feature: Limitation.Feature, _ name: String, _ layer: String) -> Sample {
    Sample(
      feature: feature, name: name, with: Drawing.document(layer, square),
      without: Drawing.document(square))
  }

  /// A layer with this transform, beside the same layer without.
  static func transform(_ feature: Limitation.Feature, _ name: String, _ transform: String)
    -> Sample
  {
    Sample(
      feature: feature, name: name,
      with: Drawing.document(Drawing.layer(Drawing.square, Drawing.red, transform: transform)),
      without: Drawing.document(square))
  }

  static func mask(inverted: Bool = false) -> String {
    #""nm":"M","inv":\#(inverted),"pt":{"a":0,"k":{"c":true,"v":[[40,40],[60,40],[60,60],[40,60]],"i":[[0,0],[0,0],[0,0],[0,0]],"o":[[0,0],[0,0],[0,0],[0,0]]}},"o":{"a":0,"k":100}"#
  }

  static func masked(_ fields: String) -> String {
    Drawing.document(
      Drawing.layer(
        Drawing.square, Drawing.red,
        fields: #","hasMask":true,"masksProperties":[{"mode":"a",\#(mask())\#(fields)}]"#))
  }

  static func secondMask(isInverted: Bool) -> String {
    let masks = #"{"mode":"a",\#(mask())},{"mode":"a",\#(mask(inverted: isInverted))}"#
    return Drawing.document(
      Drawing.layer(
        Drawing.square, Drawing.red, fields: #","hasMask":true,"masksProperties":[\#(masks)]"#))
  }

  static let samples: [Sample] = [
    layer(
      .text, "a text layer",
      #"{"ty":5,"nm":"T","ks":{},"ip":0,"op":10,"st":0,"t":{"d":{"k":[{"s":{"t":"Hi","f":"F","s":40,"fc":[0,0,0]},"t":0}]}}}"#
    ),
    layer(
      .layer, "a camera", #"{"ty":13,"nm":"C","ks":{"p":{"k":[9,9,-50]}},"ip":0,"op":10,"st":0}"#),
    layer(.layer, "sound", #"{"ty":6,"nm":"S","ks":{},"ip":0,"op":10,"st":0}"#),
    fields(
      .effect, "a blur",
      #""ef":[{"ty":29,"nm":"Gaussian Blur","en":1,"ef":[{"ty":0,"v":{"a":0,"k":30}}]}]"#),
    fields(.effect, "a drop shadow", #""ef":[{"ty":25,"nm":"Shadow","ef":[]}]"#),
    fields(.layerStyle, "a stroke style", #""sy":[{"ty":0,"nm":"Stroke","s":{"k":9}}]"#),
    fields(.blendMode, "multiply", #""bm":1"#),
    item(.mergePaths, "merged paths", #"{"ty":"mm","nm":"Merge","mm":3}"#),
    item(.modifier, "pucker", #"{"ty":"pb","nm":"Pucker","a":{"a":0,"k":60}}"#),
    item(
      .modifier, "offset",
      #"{"ty":"op","nm":"Offset","a":{"a":0,"k":10},"lj":1,"ml":{"a":0,"k":4}}"#),
    item(.modifier, "twist", #"{"ty":"tw","nm":"Twist","a":{"a":0,"k":90},"c":{"a":0,"k":[0,0]}}"#),
    item(
      .modifier, "zig zag",
      #"{"ty":"zz","nm":"Zig","s":{"a":0,"k":9},"r":{"a":0,"k":3},"pt":{"a":0,"k":1}}"#),
    Sample(
      feature: .expression, name: "an expression",
      with: Drawing.document(
        Drawing.layer(
          Drawing.square, Drawing.red, transform: #"{"p":{"a":0,"k":[5,5],"x":"wiggle(9,50)"}}"#)),
      without: Drawing.document(
        Drawing.layer(Drawing.square, Drawing.red, transform: #"{"p":{"a":0,"k":[5,5]}}"#))),
    transform(.skew, "skew", #"{"sk":{"a":0,"k":30},"sa":{"a":0,"k":0}}"#),
    transform(.depth, "orientation", #"{"or":{"a":0,"k":[40,20,0]}}"#),
    Sample(
      feature: .mask, name: "a mask that grows", with: masked(#","x":{"a":0,"k":8}"#),
      without: masked("")),
    Sample(
      feature: .mask, name: "a soft mask", with: masked(#","f":{"a":0,"k":[8,8]}"#),
      without: masked("")),
    Sample(
      feature: .mask, name: "an inverted mask that is added",
      with: secondMask(isInverted: true), without: secondMask(isInverted: false)),
    transform(
      .depth, "a turn in depth of a flat layer", #"{"rx":{"a":0,"k":40},"rz":{"a":0,"k":0}}"#),
    Sample(
      feature: .image, name: "an image outside the file",
      with: Drawing.document(
        #"{"ty":2,"nm":"I","refId":"i","ks":{},"ip":0,"op":10,"st":0}"#, square,
        assets: #"{"id":"i","w":50,"h":50,"u":"images/","p":"img.png","e":0}"#),
      without: Drawing.document(square)),
    // A lossless WebP picture of one pixel.
    Sample(
      feature: .image, name: "an image in WebP",
      with: Drawing.document(
        #"{"ty":2,"nm":"I","refId":"i","ks":{},"ip":0,"op":10,"st":0}"#, square,
        assets:
          #"{"id":"i","w":50,"h":50,"u":"","p":"data:image/webp;base64,UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==","e":1}"#
      ),
      without: Drawing.document(square)),
  ]

  @Test("it is named with its layer, and what lacks it is not", arguments: samples)
  func named(sample: Sample) throws {
    let found = try Drawing.animation(sample.with).limitations
    #expect(found.map(\.feature) == [sample.feature])
    #expect(found.first?.frame == 0)
    #expect(try Drawing.animation(sample.without).limitations.isEmpty)
  }

  @Test(
    "the renderer draws it as if it were not there",
    .enabled(if: AnimationRenderer.isAvailable, Drawing.available), arguments: samples)
  func ignored(sample: Sample) throws {
    #expect(try Picture(sample.with) == Picture(sample.without))
    #expect(try !Picture(sample.with).isEmpty)
  }

  @Test("every feature is measured")
  func complete() {
    // Those of archives are tested with them, and strokes below.
    let others: Set<Limitation.Feature> = [.theme, .stateMachine, .stretchedStroke]
    #expect(
      Set(Self.samples.map(\.feature)) == Set(Limitation.Feature.allCases).subtracting(others))
  }

  @Test(
    "strokes that are stretched visibly are named, and drawn with one width",
    .enabled(if: AnimationRenderer.isAvailable, Drawing.available))
  func stretchedStroke() throws {
    /// A square of 40 units around the middle with a black line, in a group of this scale.
    func document(scale: String, width: Int) -> String {
      let line =
        #"{"ty":"st","nm":"S","c":{"a":0,"k":[0,0,0,1]},"o":{"a":0,"k":100},"w":{"a":0,"k":\#(width)}}"#
      return Drawing.document(
        Drawing.layer(
          Drawing.rectangle(position: "[0,0]", size: "[40,40]"), line,
          transform: #"{"p":{"a":0,"k":[50,50]},"s":{"a":0,"k":\#(scale)}}"#))
    }
    let found = try Drawing.animation(document(scale: "[200,100]", width: 8)).limitations
    #expect(found.map(\.feature) == [.stretchedStroke])
    for (scale, width) in [("[200,200]", 8), ("[-100,100]", 8), ("[110,100]", 8), ("[200,100]", 2)] {
      #expect(try Drawing.animation(document(scale: scale, width: width)).limitations.isEmpty)
    }
    // Players draw 16 pixels across the left side, and 8 across the upper one.
    let drawn = try Picture(document(scale: "[200,100]", width: 8))
    let left = (0..<50).count { drawn[$0, 50][3] > 127 }
    let top = (0..<50).count { drawn[50, $0][3] > 127 }
    #expect(abs(left - top) <= 1, "\(left) \(top)")
  }

  /// Features that change the rendering, and are not listed.
  @Test(
    "what is supported is drawn and not named",
    .enabled(if: AnimationRenderer.isAvailable, Drawing.available),
    arguments: [
      masked(""),
      Drawing.document(
        Drawing.layer(
          Drawing.square,
          #"{"ty":"tm","nm":"T","s":{"a":0,"k":0},"e":{"a":0,"k":40},"o":{"a":0,"k":0},"m":1}"#,
          Drawing.red)),
      Drawing.document(
        Drawing.layer(Drawing.square, Drawing.red, transform: #"{"r":{"a":0,"k":30}}"#)),
      Drawing.document(
        Drawing.layer(
          Drawing.square, Drawing.red,
          #"{"ty":"rp","nm":"R","c":{"a":0,"k":3},"o":{"a":0,"k":0},"tr":{"p":{"a":0,"k":[20,0]},"s":{"a":0,"k":[100,100]},"r":{"a":0,"k":0},"a":{"a":0,"k":[0,0]},"so":{"a":0,"k":100},"eo":{"a":0,"k":100}}}"#
        )),
    ])
  func supported(document: String) throws {
    #expect(try Drawing.animation(document).limitations.isEmpty)
    #expect(try Picture(document) != Picture(Drawing.document(Self.square)))
  }

  @Test("controls of expressions, hidden layers and layers outside the timeline do not count")
  func silent() throws {
    let text = #""ty":5,"nm":"T","ks":{},"st":0"#
    let document = Drawing.document(
      Drawing.layer(
        Drawing.square, Drawing.red,
        fields: #","ef":[{"ty":5,"nm":"Slider","ef":[{"ty":0,"v":{"a":0,"k":1}}]}]"#),
      "{\(text),\"ip\":0,\"op\":10,\"hd\":true}", "{\(text),\"ip\":20,\"op\":30}")
    #expect(try Drawing.animation(document).limitations.isEmpty)
  }

  @Test("what has the name of a hidden layer counts, what is inside it does not")
  func namesakes() throws {
    let text = #"{"ty":5,"nm":"T","ks":{},"ip":0,"op":10,"st":0}"#
    func showing(_ fields: String) -> String {
      #"{"ty":0,"nm":"Outer","refId":"p","ks":{},"w":100,"h":100,"ip":0,"op":10,"st":0\#(fields)}"#
    }
    func limitations(_ layers: String) throws -> [Limitation] {
      try Drawing.animation(
        Drawing.document(layers, assets: #"{"id":"p","layers":[\#(text)]}"#)
      ).limitations
    }
    #expect(try limitations(showing(#","hd":true"#)).isEmpty)
    #expect(
      try limitations(showing(#","hd":true"#) + "," + showing("")) == [
        Limitation(feature: .text, layer: "Outer.T", frame: 0)
      ])
  }

  @Test("the frame is the first of the composition that may show it, also inside a precomposition")
  func frames() throws {
    let text = #"{"ty":5,"nm":"T","ks":{},"ip":2,"op":10,"st":0}"#
    let document = Drawing.document(
      #"{"ty":0,"nm":"Outer","refId":"p","ks":{},"w":100,"h":100,"ip":0,"op":10,"st":3}"#,
      assets: #"{"id":"p","layers":[\#(text)]}"#)
    #expect(
      try Drawing.animation(document).limitations == [
        Limitation(feature: .text, layer: "Outer.T", frame: 5)
      ])
  }

  @Test("a time remap may show what its own times would not")
  func remapped() throws {
    let text = #"{"ty":5,"nm":"T","ks":{},"ip":20,"op":30,"st":0}"#
    func limitations(_ fields: String) throws -> [Limitation] {
      let outer = #"{"ty":0,"nm":"Outer","refId":"p","ks":{},"w":100,"h":100,"ip":4,"op":10,"st":0"#
      return try Drawing.animation(
        Drawing.document(outer + fields + "}", assets: #"{"id":"p","layers":[\#(text)]}"#)
      ).limitations
    }
    #expect(try limitations("").isEmpty)
    #expect(
      try limitations(#","tm":{"a":0,"k":0.8}"#) == [
        Limitation(feature: .text, layer: "Outer.T", frame: 4)
      ])
  }
}
