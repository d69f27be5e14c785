import TestSupport

@testable import ArtworkLottie
@testable import ArtworkMeasuring
@testable import ArtworkMedia
@testable import ArtworkPipeline

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

  /// A folder with that file, `square.json`.
  static func folder(_ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, text) in files.merging(
      ["square.json": document], uniquingKeysWith: { first, _ in first })
    {
      try Data(text.utf8).write(to: folder.url(name))
    }
    return folder
  }

  /// The pixels of a PNG file, four bytes each.
  static func pixels(_ png: URL) throws -> (width: Int, bytes: [UInt8]) {
    let image = try #require(PNGDecoder.decode([UInt8](Data(contentsOf: png))))
    try #require(image.channels == .rgba)
    return (image.size.width, image.bytes)
  }

  /// The document with an in point of 61 and an out point of 91.
  private static let late = document.replacing(#""ip":0,"op":30"#, with: #""ip":61,"op":91"#)
    .replacing(#""t":0"#, with: #""t":61"#).replacing(#""t":30"#, with: #""t":91"#)

  @Test("frames have the numbers of the animation in preview and import")
  func numbering() throws {
    let folder = try Self.folder(["late.json": Self.late])
    func preview(_ file: String, _ place: String) throws -> (
      status: Int32, pixels: [UInt8], error: String
    ) {
      let result = try BuiltTool.run(
        ["preview", file, "--at", place, "-o", "\(file)-\(place).png"], in: folder.root)
      let made = folder.url("\(file)-\(place).png")
      return (result.status, result.status == 0 ? try Self.pixels(made).bytes : [], result.error)
    }
    for (first, second) in [("0", "61"), ("20", "81"), ("29", "90"), ("50%", "50%")] {
      #expect(try preview("square.json", first).pixels == preview("late.json", second).pixels)
    }
    for place in ["20", "60", "91"] {
      let refused = try preview("late.json", place)
      #expect(refused.status == 2 && refused.error.contains("frames 61 to 90"), "\(refused.error)")
    }
    let last = try preview("late.json", "90").pixels
    for place in ["99%", "100%", "0.99s", "1s"] {
      #expect(try preview("late.json", place).pixels == last, "\(place)")
    }
    let made = try BuiltTool.run(
      ["import", "late.json", "--from", "81", "--to", "86", "-o", "a.mp4"], in: folder.root)
    #expect(made.output.contains("5 frames"), "\(made.output)\(made.error)")
    for from in ["20", "60"] {
      let refused = try BuiltTool.run(
        ["import", "late.json", "--from", from, "-o", "\(from).mp4"], in: folder.root)
      #expect(
        refused.status == 2 && refused.error.contains("begins at frame 61"), "\(refused.error)")
    }
    let all = try BuiltTool.run(
      ["import", "late.json", "--from", "61", "-o", "b.mp4"], in: folder.root)
    #expect(all.output.contains("30 frames"), "\(all.output)\(all.error)")
  }

  @Test(
    "a folder with an animation has a candidate, with facts, findings and a verdict on the loop")
  func check() throws {
    let folder = try Self.folder(["package.json": #"{"name":"x","version":"1","ip":"127.0.0.1"}"#])
    let result = try BuiltTool.run(["check", ".", "--format", "ndjson"], in: folder.root)
    let rows = try result.objects()
    #expect(rows.count == 2, "one candidate and the summary")
    let facts = try #require(rows[0]["facts"] as? [String: Any])
    #expect(facts["container"] as? String == "lottie")
    #expect(facts["codec"] as? String == "lottie")
    #expect(facts["frameCount"] as? Int == 30)
    #expect(facts["durationSeconds"] as? Double == 1)
    #expect(facts["frameRate"] as? Double == 30)
    #expect(facts["hasAlpha"] as? Bool == true)
    #expect(facts["fileBytes"] as? Int == Self.document.utf8.count)
    let places = try #require(facts["unsupported"] as? [[String: Any]])
    #expect(places.map { $0["feature"] as? String } == ["text", "effect"])
    #expect(places[0]["frame"] as? Int == 3)
    let seam = try #require(rows[0]["seam"] as? [String: Any])
    #expect(seam["verdict"] as? String == "seamless")
    let findings = try #require(rows[0]["findings"] as? [[String: Any]])
    let unsupported = findings.filter { $0["rule"] as? String == "lottie-unsupported" }
    #expect(unsupported.map { $0["severity"] as? String } == ["warning", "warning"])
    #expect(findings.contains { $0["rule"] as? String == "container" })
  }

  @Test("a preview is drawn at the size that is asked for")
  func preview() throws {
    let folder = try Self.folder()
    let result = try BuiltTool.run(
      ["preview", "square.json", "--size", "1200x1200"], in: folder.root)
    #expect(result.status == 0, "\(result.error)")
    let (width, bytes) = try Self.pixels(folder.url("square.png"))
    #expect(width == 1200)
    // Sharp at ten times the animation's size.
    let row = 600 * 1200
    #expect(Array(bytes[(row + 299) * 4..<(row + 299) * 4 + 4]) == [0, 0, 0, 0])
    #expect(Array(bytes[(row + 300) * 4..<(row + 300) * 4 + 4]) == [255, 0, 0, 255])
  }

  @Test("values, layers and frames can be chosen")
  func changes() throws {
    let folder = try Self.folder()
    func centre(_ picture: String) throws -> [Int] {
      let image = try #require(
        PNGDecoder.decode(Array(try Data(contentsOf: folder.url(picture)))))
      let (width, channels) = (image.size.width, image.channels == .rgb ? 3 : 4)
      // Inside the square at rest, outside while it stands on a corner.
      let place = (33 * width / 120 + 33 * width / 120 * width) * channels
      return image.bytes[place..<place + 3].map { Int($0) }
    }
    func drawn(_ command: [String]) throws {
      let result = try BuiltTool.run(command, in: folder.root)
      try #require(result.status == 0, "\(result.error)")
    }
    for (number, (options, color)) in [
      ([], [255, 0, 0]), (["--set", "**.Fill 1:color=#00ff80"], [0, 255, 128]),
      (["--set", "Shape.Group.Rect:size=10,10"], [0, 0, 255]),
      (["--hide", "**.Group"], [0, 0, 255]), (["--marker", "middle"], [0, 0, 255]),
    ].enumerated() {
      let (video, picture) = ("\(number).mp4", "\(number).png")
      try drawn(
        ["import", "square.json", "-o", video, "--background", "#0000ff"] + options)
      try drawn(["preview", video, "-o", picture])
      // Encoded with loss.
      #expect(zip(try centre(picture), color).allSatisfy { abs($0 - $1) < 16 }, "\(options)")
    }
    for place in ["15", "50%", "0.5s", "middle"] {
      try drawn(["preview", "square.json", "-o", "at.png", "--at", place])
      #expect(try centre("at.png") == [0, 0, 0], "\(place)")
    }
  }

  @Test("a drawing that takes too much is refused, as one with too many frames is")
  func endless() throws {
    // More dashes than memory or time allow.
    let dashes = #""d":[{"n":"d","v":{"a":0,"k":0.5}},{"n":"g","v":{"a":0,"k":0.5}}]"#
    let endless = Self.document.replacingOccurrences(
      of: #"{"ty":"fl","nm":"Fill 1""#,
      with: #"{"ty":"st","nm":"Stroke","w":{"a":0,"k":4},"lc":1,"lj":1,\#(dashes)"#
    ).replacingOccurrences(
      of: #""s":{"a":0,"k":[60,60]}"#, with: #""s":{"a":0,"k":[90000000,90000000]}"#)
    let long = Self.document.replacingOccurrences(
      of: #""ip":0,"op":30,"w""#, with: #""ip":0,"op":2000000000,"w""#)
    let folder = try Self.folder(["endless.json": endless, "long.json": long])
    for (name, words) in [
      ("endless.json", "more than 1000000 pixels"), ("long.json", "limit 20000"),
    ] {
      let result = try BuiltTool.run(["preview", name, "--limit", "cpu=1s"], in: folder.root)
      #expect(result.status == 2)
      #expect(result.error.contains(words), "\(result.error)")
    }
  }

  @Test("images outside the file come from a folder, and from nowhere else")
  func images() throws {
    let document = #"""
      {"v":"5.5.0","fr":30,"ip":0,"op":2,"w":8,"h":8,
      "assets":[{"id":"i","w":8,"h":8,"u":"pictures/","p":"dot.png","e":0}],
      "layers":[{"ty":2,"nm":"I","refId":"i","ks":{},"ip":0,"op":2,"st":0}]}
      """#
    let folder = try Self.folder(["image.json": document])
    let dot = PixelImage(
      size: PixelSize(width: 8, height: 8), channels: .rgb,
      bytes: Array(repeating: [0, 128, 255], count: 64).flatMap(\.self))
    for place in ["pictures", "others"] {
      try FileManager.default.createDirectory(
        at: folder.url(place), withIntermediateDirectories: true)
      try Data(PNGEncoder.encode(dot)).write(to: folder.url("\(place)/dot.png"))
    }
    func alpha(_ options: [String]) throws -> UInt8 {
      let result = try BuiltTool.run(["preview", "image.json"] + options, in: folder.root)
      try #require(result.status == 0, "\(result.error)")
      return try Self.pixels(folder.url("image.png")).bytes[3]
    }
    #expect(try alpha([]) == 0, "the file beside it is not opened")
    #expect(try alpha(["--images", "others"]) > 250)
    #expect(try alpha(["--images", "."]) == 0, "it has no such picture")
    #expect(
      try BuiltTool.run(["preview", "image.json", "--images", "nowhere"], in: folder.root).status
        == 64)
  }

  @Test("a video has the frames of a marker, drawn at its size, with what was set")
  func importing() throws {
    let folder = try Self.folder()
    let result = try BuiltTool.run(
      [
        "import", "square.json", "--size", "240x240", "-o", "out.mp4", "--marker", "middle",
        "--set", "**.Fill 1:color=#00ff00",
      ], in: folder.root)
    #expect([0, 1].contains(result.status), "\(result.error)")
    let frames = try run(
      "ffmpeg",
      ["-v", "error", "-i", folder.url("out.mp4").path, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
    let bytes = [UInt8](frames.output)
    #expect(bytes.count == 5 * 240 * 240 * 3, "five frames")
    let centre = (120 * 240 + 120) * 3
    for (part, wanted) in zip(bytes[centre..<centre + 3], [0, 255, 0]) {
      #expect(abs(Int(part) - wanted) < 8)
    }
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
    let names = Self.samples
    let result = try BuiltTool.run(
      ["check", "--format", "ndjson", "--no-cache"]
        + names.map { Self.publicFolder.appendingPathComponent($0).path })
    let rows = try result.objects().dropLast()
    #expect(rows.count == names.count)
    for row in rows {
      #expect(row["error"] == nil, "\(row["path"] ?? ""): \(row["error"] ?? "")")
      let facts = try #require(row["facts"] as? [String: Any])
      #expect(facts["container"] as? String == "lottie")
    }
  }
}
