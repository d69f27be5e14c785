import TestSupport

@testable import ArtworkLottie

@Suite struct AnimationFileTests {
  static func bytes(_ text: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: text)))
  }

  @Test("an archive gives its first animation, or the one that is named")
  func archive() throws {
    let bytes = try Self.bytes(LottieSamples.archive)
    let first = try AnimationFile(bytes)
    #expect(first.form == .dotLottie)
    #expect(first.animation.frameCount == 10)
    #expect(try AnimationFile(bytes, animation: "two").animation.frameCount == 20)
    let error = #expect(throws: InspectionError.self) {
      try AnimationFile(bytes, animation: "tow")
    }
    #expect(error?.code == .noMatch)
    #expect(error?.message.contains("did you mean `two`?") == true)
  }

  /// An archive of documents whose square is red, named `a`, and green, named `b`; the colour is a slot.
  private static func archive(_ manifest: String, theme: String = "{}") throws -> [UInt8] {
    let folder = try TemporaryFolder()
    func document(_ color: String) -> String {
      let fill = #"{"ty":"fl","nm":"F","c":{"a":0,"k":\#(color),"sid":"ball"},"o":{"a":0,"k":100}}"#
      return Drawing.document(Drawing.layer(Drawing.square, fill))
    }
    let files = [
      ("manifest.json", manifest), ("a/a.json", document("[1,0,0,1]")),
      ("a/b.json", document("[0,1,0,1]")), ("t/blue.json", theme),
    ]
    let made = try folder.run(
      "/usr/bin/python3 -c",
      [
        "import sys, zipfile\nz = zipfile.ZipFile('x', 'w')\nfor n, t in zip(sys.argv[1::2], "
          + "sys.argv[2::2]): z.writestr(n, t)\nz.close()"
      ] + files.flatMap { [$0.0, $0.1] })
    try #require(made.status == 0, "\(made.error)")
    return Array(try folder.data("x"))
  }

  @Test(
    "an archive begins with the animation and the theme that players begin with",
    .enabled(if: AnimationRenderer.isAvailable, Drawing.available),
    arguments: [
      (#"{"animations":[{"id":"a"},{"id":"b"}]}"#, [255, 0, 0]),
      (#"{"initial":{"animation":"b"},"animations":[{"id":"a"},{"id":"b"}]}"#, [0, 255, 0]),
      (#"{"activeAnimationId":"b","animations":[{"id":"a"},{"id":"b"}]}"#, [0, 255, 0]),
      (#"{"animations":[{"id":"a","initialTheme":"blue"}]}"#, [0, 0, 255]),
    ] as [(String, [UInt8])])
  func beginnings(manifest: String, color: [UInt8]) throws {
    let theme =
      #"{"rules":[{"id":"ball","type":"Color","value":[0,0,1]},{"id":"ball","type":"Color","value":[1,1,1],"animations":["b"]}]}"#
    let animation = try AnimationFile(Self.archive(manifest, theme: theme)).animation
    #expect(animation.limitations.isEmpty)
    #expect(try Picture(animation)[50, 50] == color + [255])
  }

  @Test(
    "keyframes of a theme move the value",
    .enabled(if: AnimationRenderer.isAvailable, Drawing.available))
  func movingTheme() throws {
    let theme =
      #"{"rules":[{"id":"ball","type":"Color","keyframes":[{"frame":0,"value":[0,0,1],"hold":true},{"frame":5,"value":[0,1,1]}]}]}"#
    let manifest = #"{"animations":[{"id":"a","initialTheme":"blue"}]}"#
    let animation = try AnimationFile(Self.archive(manifest, theme: theme)).animation
    #expect(try Picture(animation, frame: 4)[50, 50] == [0, 0, 255, 255])
    #expect(try Picture(animation, frame: 6)[50, 50] == [0, 255, 255, 255])
  }

  @Test("rules of a theme that are not read, and state machines, are named")
  func archiveLimits() throws {
    let manifest =
      #"{"initial":{"stateMachine":"hover"},"animations":[{"id":"a","initialTheme":"blue"}]}"#
    let theme = #"{"rules":[{"id":"sky","type":"Gradient","value":[]}]}"#
    let found = try AnimationFile(Self.archive(manifest, theme: theme)).animation.limitations
    #expect(found.map(\.feature) == [.theme, .stateMachine])
    #expect(found.map(\.detail) == ["blue: sky", "hover"])
  }

  @Test(
    "pictures of an archive are drawn",
    .enabled(if: AnimationRenderer.isAvailable, Drawing.available))
  func pictures() throws {
    let animation = try AnimationFile(Self.bytes(LottieSamples.archive)).animation
    #expect(animation.externalImages.isEmpty)
    #expect(animation.limitations.isEmpty)
    // rlottie draws opaque pictures with an alpha of 253.
    #expect(try Picture(animation)[40, 40] == [0, 128, 255, 253])
  }

  @Test("a compressed document is unpacked")
  func packed() throws {
    let file = try AnimationFile(Self.bytes(LottieSamples.packed))
    #expect(file.form == .tgs)
    #expect(file.animation.frameCount == 10)
    #expect(file.animation.externalImages == ["/images/dot.png"])
  }

  @Test(
    "a file that is cut short is refused; one with a changed byte too, unless it shows the same or lacks a picture"
  )
  func damage() throws {
    for source in [try Self.bytes(LottieSamples.archive), try Self.bytes(LottieSamples.packed)] {
      let whole = try AnimationFile(source).animation
      var harmless = 0
      for place in source.indices {
        #expect(throws: InspectionError.self, "cut to \(place) bytes") {
          try AnimationFile(Array(source[..<place]))
        }
        var changed = source
        changed[place] ^= 0xff
        guard let animation = try? AnimationFile(changed).animation else { continue }
        if animation.document == whole.document {
          // Times of files and the like mean nothing to us.
          harmless += 1
        } else {
          // Another name in the directory of an archive, which no checksum covers.
          #expect(animation.externalImages.count > whole.externalImages.count, "byte \(place)")
        }
      }
      #expect(harmless > 0 && harmless < source.count / 2, "\(harmless) of \(source.count)")
    }
  }

  @Test("what an archive claims to unpack to is checked before it is unpacked")
  func claims() throws {
    var bytes = try Self.bytes(LottieSamples.archive)
    let entry = try #require(bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4b, 1, 2]) })
    bytes.replaceSubrange(entry + 24..<entry + 28, with: [0xff, 0xff, 0xff, 0x7f])
    let error = #expect(throws: InspectionError.self) { try AnimationFile(bytes) }
    #expect(error?.code == .tooLarge)
    var packed = try Self.bytes(LottieSamples.packed)
    packed.replaceSubrange(packed.count - 4..<packed.count, with: [0xff, 0xff, 0xff, 0x7f])
    let other = #expect(throws: InspectionError.self) { try AnimationFile(packed) }
    #expect(other?.code == .tooLarge)
  }

  @Test("an archive without a manifest is no animation")
  func others() {
    let empty: [UInt8] = [0x50, 0x4b, 5, 6] + Array(repeating: 0, count: 18)
    for bytes in [empty, Array("PK\u{3}\u{4}".utf8) + empty, [0x1f, 0x8b], []] {
      #expect(throws: InspectionError.self) { try AnimationFile(bytes) }
    }
  }
}
