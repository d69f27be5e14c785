import TestSupport

@testable import ArtworkLottie

@Suite struct KeypathTests {
  @Test(
    "names, one wildcard for one name, two for any number",
    arguments: [
      ("A.B", "A.B", true), ("A.B", "A", false), ("A", "A.B", false), ("*", "A", true),
      ("*", "A.B", false), ("A.*", "A.B", true), ("**", "A.B.C", true), ("**.C", "A.B.C", true),
      ("**.C", "C", true), ("A.**", "A", true), ("A.**.C", "A.B.B.C", true),
      ("A.**.C", "A.C", true), ("A.**.C", "B.C", false), ("**.B.**", "A.B.C", true),
      ("a", "A", false), ("**.**.C", "A.C", true), ("A.*.C", "A.B.B.C", false),
    ])
  func matching(keypath: String, names: String, expected: Bool) {
    let names = names.split(separator: ".").map(String.init)
    #expect(AnimationKeypath(keypath: keypath).matches(names) == expected)
  }

  @Test("a keypath of many wildcards takes no more than its length times that of the names")
  func manyWildcards() {
    let keypath = String(repeating: "**.a.", count: 2000) + "b"
    #expect(!AnimationKeypath(keypath: keypath).matches(Array(repeating: "a", count: 300)))
  }

  @Test("a dot in a name is written with a backslash")
  func dots() {
    let keypath = AnimationKeypath(keypath: #"Layer 1\.5.Fill\\"#)
    #expect(keypath.keys == ["Layer 1.5", #"Fill\"#])
    #expect(keypath.description == #"Layer 1\.5.Fill\\"#)
  }

  @Test(
    "properties are found by names in any case, and those of transforms without their transform")
  func properties() throws {
    let animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    let found = [
      "Layer 1.Group 1.Fill 1.Color", "**.Fill 1.color", "**.COLOR", "*.*.*.Color",
      "Layer 1.**.Fill 1.Color",
    ]
    for keypath in found {
      #expect(animation.properties(AnimationKeypath(keypath: keypath)).count == 1, "\(keypath)")
    }
    #expect(animation.properties(AnimationKeypath(keypath: "Layer 1.Rotation")).count == 1)
    #expect(
      animation.properties(AnimationKeypath(keypath: "Layer 1.Transform.Rotation")).count == 1)
    #expect(animation.properties(AnimationKeypath(keypath: "**.Rotation")).count == 2)
    #expect(animation.properties(AnimationKeypath(keypath: "Layer 1.Color")).isEmpty)
  }

  @Test("every keypath that is listed leads to one property")
  func listed() throws {
    let animation = try Drawing.animation(
      Drawing.document(
        Drawing.layer(Drawing.square, Drawing.red), Drawing.layer(Drawing.red, name: "B.1")))
    #expect(animation.propertyKeypaths.contains("Layer 1.Group 1.Fill 1.Color"))
    for keypath in animation.propertyKeypaths {
      #expect(animation.properties(AnimationKeypath(keypath: keypath)).count == 1, "\(keypath)")
    }
  }

  @Test(
    "an unknown name is an error that suggests a similar one",
    arguments: [
      ("Layer 1.Group 1.Fil 1.Color", "Layer 1.Group 1.Fill 1.Color"),
      ("**.Fill 2.Color", "**.Fill 1.Color"), ("**.Fill 1.Colour", "**.Fill 1.Color"),
      ("*.Group 1.Rect 1.Sizes", "*.Group 1.Rect 1.Size"),
    ])
  func suggestions(wrong: String, right: String) throws {
    var animation = try Drawing.animation(
      Drawing.document(Drawing.layer(Drawing.square, Drawing.red)))
    let error = #expect(throws: InspectionError.self) {
      try animation.setValue(.number(1), for: AnimationKeypath(keypath: wrong))
    }
    #expect(error?.code == .noMatch)
    #expect(error?.message.contains("did you mean '\(right)'?") == true, "\(error?.message ?? "")")
  }
}
