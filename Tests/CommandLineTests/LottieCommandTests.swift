import TestSupport

@testable import ArtworkLottie

@Suite(.enabled(if: AnimationRenderer.isAvailable, "this build draws no Lottie"))
struct LottieCommandTests {
  /// A red square that rotates by 90 degrees in 30 frames at 30 fps, so that it looks as at the start, with a blurred
  /// text beside it and a marker.
  static let document = #"""
    {"v":"5.5.0","fr":30,"ip":0,"op":30,"w":120,"h":120,"nm":"Square","assets":[],
    "markers":[{"tm":15,"cm":"middle","dr":5}],"fonts":{"list":[{"fName":"Arial"}]},
    "layers":[{"ty":5,"nm":"Title","ks":{},"ip":3,"op":30,"st":0,"ef":[{"ty":29,"nm":"Blur"}],
    "t":{"d":{"k":[{"s":{"t":"Hi"},"t":0}]}}},
    {"ty":4,"nm":"Shape","ip":0,"op":30,"st":0,"ks":{"a":{"a":0,"k":[60,60]},"p":{"a":0,"k":[60,60]},
    "r":{"a":1,"k":[{"t":0,"s":[0],"o":{"x":[0],"y":[0]},"i":{"x":[1],"y":[1]}},{"t":30,"s":[90]}]}},
    "shapes":[{"ty":"gr","nm":"Group","it":[
    {"ty":"rc","nm":"Rect","p":{"a":0,"k":[60,60]},"s":{"a":0,"k":[60,60]},"r":{"a":0,"k":0}},
    {"ty":"fl","nm":"Fill 1","c":{"a":0,"k":[1,0,0,1]},"o":{"a":0,"k":100}},{"ty":"tr"}]}]}]}
    """#

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.document, to: "square.json")
  }

  private func picture(_ png: String) throws -> PixelImage {
    try #require(PNGDecoder.decode([UInt8](folder.data(png))))
  }

  @Test("frames have the numbers of the animation in preview and import")
  func numbering() throws {
    // An in point of 61 and an out point of 91.
    try folder.write(
      Self.document.replacing(#""ip":0,"op":30"#, with: #""ip":61,"op":91"#)
        .replacing(#""t":0"#, with: #""t":61"#).replacing(#""t":30"#, with: #""t":91"#),
      to: "late.json")
    func preview(_ file: String, _ place: String) throws -> [UInt8] {
      let result = try folder.artworkd("preview \(file) --at \(place) -o \(file)-\(place).png")
      try #require(result.status == 0, "\(result.error)")
      return try picture("\(file)-\(place).png").bytes
    }
    for (first, second) in Nightly.some(2, of: [("0", "61"), ("20", "81"), ("29", "90"), ("50%", "50%")]) {
      #expect(try preview("square.json", first) == preview("late.json", second))
    }
    let last = try preview("late.json", "90")
    for place in Nightly.some(2, of: ["99%", "100%", "0.99s", "1s"]) {
      #expect(try preview("late.json", place) == last, "\(place)")
    }
    for (line, message) in [
      ("preview late.json --at 20", "frames 61 to 90"),
      ("preview late.json --at 60", "frames 61 to 90"),
      ("preview late.json --at 91", "frames 61 to 90"),
      ("import late.json --from 20 -o x.mp4", "begins at frame 61"),
      ("import late.json --from 60 -o x.mp4", "begins at frame 61"),
    ] {
      let refused = try folder.artworkd(line)
      #expect(refused.status == 2 && refused.error.contains(message), "\(refused.error)")
    }
    for (part, frames) in [("--from 81 --to 86", 5), ("--from 61", 30)] {
      let made = try folder.artworkd("import late.json \(part) -o \(frames).mp4")
      #expect(made.output.contains("\(frames) frames"), "\(made.output)\(made.error)")
    }
  }

  @Test(
    "a folder with an animation has a candidate, with facts, findings and a verdict on the loop")
  func check() throws {
    try folder.write(#"{"name":"x","version":"1","ip":"127.0.0.1"}"#, to: "package.json")
    let rows = try folder.artworkd("check . --format ndjson").rows
    #expect(rows.count == 2, "one candidate and the summary")
    let facts = try #require(rows[0]["facts"])
    #expect(facts["container"] == "lottie" && facts["codec"] == "lottie")
    #expect(facts["frameCount"] == 30 && facts["durationSeconds"] == 1 && facts["frameRate"] == 30)
    #expect(facts["hasAlpha"] == true)
    #expect(facts["fileBytes"]?.int == Self.document.utf8.count)
    #expect(facts.at("unsupported.*.feature") == ["text", "effect"])
    #expect(facts.at("unsupported.0.frame") == 3)
    #expect(rows[0].at("seam.verdict") == "seamless")
    let findings = try #require(rows[0]["findings"]).items
    let unsupported = findings.filter { $0["rule"] == "lottie-unsupported" }
    #expect(unsupported.map { $0["severity"] } == ["warning", "warning"])
    #expect(findings.contains { $0["rule"] == "container" })
  }

  @Test("a preview is drawn at the size that is asked for")
  func preview() throws {
    let result = try folder.artworkd("preview square.json --size 1200x1200")
    #expect(result.status == 0, "\(result.error)")
    let drawn = try picture("square.png")
    #expect(drawn.size.width == 1200 && drawn.channels == .rgba)
    // Sharp at ten times the animation's size.
    let row = 600 * 1200
    #expect(Array(drawn.bytes[(row + 299) * 4..<(row + 300) * 4]) == [0, 0, 0, 0])
    #expect(Array(drawn.bytes[(row + 300) * 4..<(row + 301) * 4]) == [255, 0, 0, 255])
  }

  @Test("values, layers and frames can be chosen")
  func changes() throws {
    func centre(_ name: String) throws -> [Int] {
      let image = try picture(name)
      let (width, channels) = (image.size.width, image.channels == .rgb ? 3 : 4)
      // Inside the square at rest, outside while it stands on a corner.
      let place = (33 * width / 120 + 33 * width / 120 * width) * channels
      return image.bytes[place..<place + 3].map { Int($0) }
    }
    @discardableResult func drawn(_ line: String, _ more: [String] = []) throws -> String {
      let result = try folder.artworkd(line, more)
      try #require(result.status == 0, "\(result.error)")
      return result.output
    }
    for (number, (options, frames, color)) in [
      ([], 30, [255, 0, 0]), (["--set", "**.Fill 1:color=#00ff80"], 30, [0, 255, 128]),
      (["--set", "Shape.Group.Rect:size=10,10"], 30, [0, 0, 255]),
      (["--hide", "**.Group"], 30, [0, 0, 255]), (["--marker", "middle"], 5, [0, 0, 255]),
    ].enumerated() {
      let made = try drawn("import square.json -o \(number).mp4 --background #0000ff", options)
      #expect(made.contains(": \(frames) frames"), "\(options): \(made)")
      try drawn("preview \(number).mp4 -o \(number).png")
      // Encoded with loss.
      #expect(
        zip(try centre("\(number).png"), color).allSatisfy { abs($0 - $1) < 16 }, "\(options)")
    }
    for place in Nightly.some(2, of: ["15", "50%", "0.5s", "middle"]) {
      try drawn("preview square.json -o at.png --at \(place)")
      #expect(try centre("at.png") == [0, 0, 0], "\(place)")
    }
  }

  @Test("a drawing that takes too much is refused, as one with too many frames is")
  func endless() throws {
    // More dashes than memory or time allow.
    let dashes = #""d":[{"n":"d","v":{"a":0,"k":0.5}},{"n":"g","v":{"a":0,"k":0.5}}]"#
    let endless = Self.document
      .replacing(
        #"{"ty":"fl","nm":"Fill 1""#,
        with: #"{"ty":"st","nm":"Stroke","w":{"a":0,"k":4},"lc":1,"lj":1,\#(dashes)"#
      )
      .replacing(#""s":{"a":0,"k":[60,60]}"#, with: #""s":{"a":0,"k":[90000000,90000000]}"#)
    let long = Self.document.replacing(
      #""ip":0,"op":30,"w""#, with: #""ip":0,"op":2000000000,"w""#)
    for (document, words) in [(endless, "more than 1000000 pixels"), (long, "limit 20000")] {
      try folder.write(document, to: "large.json")
      let result = try folder.artworkd("preview large.json --limit cpu=1s")
      #expect(result.status == 2 && result.error.contains(words), "\(result.error)")
    }
  }

  @Test("images outside the file come from a folder, and from nowhere else")
  func images() throws {
    try folder.write(
      #"""
      {"v":"5.5.0","fr":30,"ip":0,"op":2,"w":8,"h":8,
      "assets":[{"id":"i","w":8,"h":8,"u":"pictures/","p":"dot.png","e":0}],
      "layers":[{"ty":2,"nm":"I","refId":"i","ks":{},"ip":0,"op":2,"st":0}]}
      """#, to: "image.json")
    let dot = PixelImage(
      size: PixelSize(width: 8, height: 8), channels: .rgb,
      bytes: Array(repeating: [0, 128, 255], count: 64).flatMap(\.self))
    for place in ["pictures", "others"] {
      try folder.write(PNGEncoder.encode(dot), to: "\(place)/dot.png")
    }
    func alpha(_ options: String = "") throws -> UInt8 {
      let result = try folder.artworkd("preview image.json \(options)")
      try #require(result.status == 0, "\(result.error)")
      return try picture("image.png").bytes[3]
    }
    #expect(try alpha() == 0, "the file beside it is not opened")
    #expect(try alpha("--images others") > 250)
    #expect(try alpha("--images .") == 0, "it has no such picture")
    #expect(try folder.artworkd("preview image.json --images nowhere").status == 64)
  }

  // MARK: - Public files

  static let publicFolder = Checkout.root.deletingLastPathComponent()
    .appendingPathComponent("shared/lottie")
  static let publicFiles: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: publicFolder.path)) ?? []
    if names.isEmpty {
      FileHandle.standardError.write(
        Data("SKIPPED: no public animations at ../shared/lottie, their tests do not run\n".utf8))
    }
    return names.filter { $0.hasSuffix(".json") }.sorted()
  }()

  /// All of them at night; by day some that are small.
  static let samples =
    Nightly.isOn
    ? publicFiles
    : publicFiles.filter { ["done.json", "maps.json", "mask.json", "settings.json"].contains($0) }

  @Test(
    "each public file is inspected, and drawn unless all of it is outside the file",
    .enabled(if: !publicFiles.isEmpty, "../shared/lottie is not there"))
  func publicAnimations() throws {
    let rows = try BuiltTool.run(
      "check --format ndjson --no-cache",
      Self.samples.map { Self.publicFolder.appendingPathComponent($0).path }
    ).rows.dropLast()
    #expect(rows.count == Self.samples.count)
    for row in rows {
      #expect(row["error"] == nil && row.at("facts.container") == "lottie", "\(row)")
    }
  }
}
