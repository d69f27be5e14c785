import TestSupport

@testable import ArtworkLottie

@Suite struct AnimationTests {
  static func timeline(_ rate: String, _ start: String, _ end: String) throws -> Animation {
    try Drawing.animation(
      #"{"v":"5","fr":\#(rate),"ip":\#(start),"op":\#(end),"w":10,"h":20,"layers":[]}"#)
  }

  /// Rates and ends as Bodymovin writes them in public files.
  @Test(
    "rates and frames are those that rounded numbers stand for",
    arguments: [
      ("29.9700012207031", "0", "60.0000024438501", Rational(30_000, 1001), 60),
      ("23.9759979248047", "0", "239.999979227274", Rational(24_000, 1001), 240),
      ("59.9400024414062", "0", "1", Rational(60_000, 1001), 1),
      ("30.0000305175781", "0", "124.000126139323", Rational(30), 124),
      ("29.9700012207031", "4.00000016292334", "35.0000014255792", Rational(30_000, 1001), 31),
      ("29", "0", "117", Rational(29), 117), ("12.5", "3", "140", Rational(25, 2), 137),
      ("0.5", "0", "2", Rational(1, 2), 2),
    ])
  func timeline(rate: String, start: String, end: String, exact: Rational?, count: Int) throws {
    let animation = try Self.timeline(rate, start, end)
    #expect(animation.frameRate == exact)
    #expect(animation.frameCount == count)
    let seconds = Double(count) / (exact?.value ?? 0)
    #expect(abs(animation.duration - seconds) < 1e-9)
  }

  @Test("frames, progress and seconds turn into each other")
  func conversions() throws {
    let animation = try Self.timeline("24", "24", "72")
    #expect(animation.startFrame == 24)
    #expect(animation.endFrame == 72)
    #expect(animation.duration == 2)
    #expect(animation.time(atFrame: 36) == 0.5)
    #expect(animation.progress(atFrame: 36) == 0.25)
    #expect(animation.frame(atProgress: 0.25) == 36)
    #expect(animation.frame(atTime: 0.5) == 36)
    #expect(animation.progress(atFrame: 72) == 1)
  }

  @Test("markers are found by their names")
  func markers() throws {
    let animation = try Drawing.animation(
      Drawing.document(
        fields: #","markers":[{"tm":2,"cm":"in","dr":3},{"tm":6,"cm":"out","dr":0},{"cm":"no"}]"#))
    #expect(animation.markers.map(\.name) == ["in", "out"])
    #expect(animation.frame(forMarker: "in") == 2)
    #expect(animation.progress(forMarker: "out") == 0.6)
    #expect(animation.frame(forMarker: "In") == nil)
  }

  @Test(
    "a place on the timeline is named in four ways",
    arguments: [
      ("2", 2), ("20%", 2), ("0.1s", 3), ("out", 6), ("1.5", 1), ("9", 9), ("99%", 9), ("100%", 9),
    ])
  func places(text: String, frame: Int) throws {
    var animation = try Drawing.animation(
      Drawing.document(
        fields: #","markers":[{"tm":2,"cm":"in","dr":3},{"tm":6,"cm":"out","dr":0}]"#))
    var edits = AnimationEdits()
    edits.start = AnimationTime(text)
    #expect(try animation.apply(edits) == frame..<10)
  }

  @Test("a frame beyond either end is an error", arguments: ["10", "-5", "1e300", "9s"])
  func beyond(text: String) throws {
    var animation = try Drawing.animation(Drawing.document())
    var edits = AnimationEdits()
    edits.start = AnimationTime(text)
    let error = #expect(throws: InspectionError.self) { try animation.apply(edits) }
    #expect(error?.code == .noMatch)
  }

  @Test("a marker is a part; a point lasts to the next one or to the end")
  func markerParts() throws {
    var animation = try Drawing.animation(
      Drawing.document(
        fields: #","markers":[{"tm":1,"cm":"a"},{"tm":4,"cm":"b","dr":2},{"tm":8,"cm":"c"}]"#))
    for (name, expected) in [("a", 1..<4), ("b", 4..<6), ("c", 8..<10)] {
      var edits = AnimationEdits()
      edits.marker = name
      #expect(try animation.apply(edits) == expected)
    }
    var edits = AnimationEdits()
    edits.marker = "other"
    let error = #expect(throws: InspectionError.self) { try animation.apply(edits) }
    #expect(error?.code == .noMatch)
    #expect(error?.message.contains("known: `a`, `b`, `c`") == true)
  }

  @Test(
    "documents that are no animation are refused with what is missing",
    arguments: [
      ("{}", "not-a-movie"), ("[]", "not-a-movie"), (#"{"layers":[]}"#, "not-a-movie"),
      (#"{"v":"5","fr":0,"ip":0,"op":9,"w":1,"h":1,"layers":[]}"#, "decode-failed"),
      (#"{"v":"5","fr":1e9,"ip":0,"op":9,"w":1,"h":1,"layers":[]}"#, "decode-failed"),
      (#"{"v":"5","fr":9,"ip":9,"op":9,"w":1,"h":1,"layers":[]}"#, "no-frames"),
      (#"{"v":"5","fr":9,"ip":-1e300,"op":1e300,"w":1,"h":1,"layers":[]}"#, "decode-failed"),
      (#"{"v":"5","fr":9,"ip":0,"op":9,"w":0,"h":1,"layers":[]}"#, "decode-failed"),
      (#"{"v":"5","fr":9,"ip":0,"op":9,"w":1,"h":99999,"layers":[]}"#, "decode-failed"),
    ])
  func refused(document: String, code: String) {
    let error = #expect(throws: InspectionError.self) { try Drawing.animation(document) }
    #expect(error?.code.rawValue == code)
  }

  @Test("precompositions that contain themselves or multiply are refused")
  func nesting() throws {
    func showing(_ name: String) -> String {
      #"{"ty":0,"refId":"\#(name)","ks":{},"ip":0,"op":9,"st":0}"#
    }
    let loop = Drawing.document(
      showing("a"),
      assets:
        #"{"id":"a","layers":[\#(showing("b"))]},{"id":"b","layers":[\#(showing("a"))]}"#)
    #expect(throws: InspectionError.self) { try Drawing.animation(loop) }
    // Ten in each of ten: ten billion layers in 5 KB.
    let many = (0..<10).map { level in
      let inside = Array(repeating: showing("\(level + 1)"), count: 10).joined(separator: ",")
      return #"{"id":"\#(level)","layers":[\#(inside)]}"#
    }
    let bomb = Drawing.document(showing("0"), assets: many.joined(separator: ","))
    let error = #expect(throws: InspectionError.self) { try Drawing.animation(bomb) }
    #expect(error?.code == .tooLarge)
  }

  @Test("times that grow beyond all numbers inside precompositions are refused")
  func endlessTimes() throws {
    func showing(_ name: String) -> String {
      #"{"ty":0,"nm":"\#(name)","refId":"\#(name)","ks":{},"ip":0,"op":9,"st":0,"sr":1e200}"#
    }
    let document = Drawing.document(
      showing("a"),
      assets:
        #"{"id":"a","layers":[\#(showing("b"))]},{"id":"b","layers":[{"ty":3,"ks":{},"ip":0,"op":9}]}"#
    )
    let error = #expect(throws: InspectionError.self) { try Drawing.animation(document) }
    #expect(error?.code == .decodeFailed && error?.message.contains("too large") == true)
  }

  @Test("a layer that is its own parent is refused, a chain of parents is not")
  func parents() throws {
    func layer(_ own: Int, _ parent: Int) -> String {
      #"{"ty":3,"ind":\#(own),"parent":\#(parent),"ks":{},"ip":0,"op":9,"st":0}"#
    }
    #expect(throws: InspectionError.self) {
      try Drawing.animation(Drawing.document(layer(1, 2), layer(2, 3), layer(3, 1)))
    }
    let chain = (1..<1000).map { layer($0, $0 + 1) }.joined(separator: ",")
    #expect(throws: Never.self) { try Drawing.animation(Drawing.document(chain)) }
  }
}
