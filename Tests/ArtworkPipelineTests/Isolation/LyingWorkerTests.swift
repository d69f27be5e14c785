@testable import ArtworkJudging
@testable import ArtworkPipeline

/// A worker that was taken over may send any inspection that can be decoded. None may end the parent, and
/// none may end the report of the other files.
@Suite struct LyingWorkerTests {
  static let sample: Inspection = {
    var sample = Inspection.sample()
    sample.facts.cleanAperture = CleanAperture(x: 1, y: 2, width: 3, height: 4)
    sample.facts.editList = [EditSegment(durationSeconds: 1, mediaSeconds: 2)]
    sample.facts.frameRateMode = .variable
    sample.decoding.fallback = .noKeyFrame
    return sample
  }()

  /// The paths in a JSON value and the values there.
  static func leaves(_ value: Any, _ path: [String] = []) -> [[String]] {
    if let object = value as? [String: Any] { return object.sorted { $0.key < $1.key }.flatMap { leaves($1, path + [$0]) } }
    if let list = value as? [Any] { return [path] + list.indices.flatMap { leaves(list[$0], path + ["\($0)"]) } }
    return [path]
  }

  static func setting(_ value: Any, _ path: ArraySlice<String>, to lie: Any) -> Any {
    guard let first = path.first else { return lie }
    if var object = value as? [String: Any] {
      object[first] = setting(object[first] ?? lie, path.dropFirst(), to: lie)
      return object
    }
    if var list = value as? [Any], let index = Int(first) {
      list[index] = setting(list[index], path.dropFirst(), to: lie)
      return list
    }
    return lie
  }

  static var lies: [Any] {
    [
      Int64.max, Int64.min, Int64.min + 1, Int64.max - 1, 1 << 53, -(1 << 53), (1 << 53) + 1, 0, -1, 1, 2, 1e300, -1e300, 1e19,
      Double.leastNonzeroMagnitude, "", "hevc", "h264", "\u{1b}[2J\n\u{202e}", String(repeating: "x", count: 5000), true,
      [0, 1], [Int64.max, 1], [1, Int64.max], [-1, 3], [Int](), [[Int]](), Array(repeating: 1.5, count: 2000), NSNull(),
    ]
  }

  /// A reply with this JSON, as it lies in the exchange file.
  static func message(_ json: some Collection<UInt8>, _ tag: WorkerExchange.Tag = .answer) -> [UInt8] {
    let header = [tag.rawValue, UInt64(json.count), 0]
    return unsafe header.withUnsafeBytes { unsafe Array($0) } + Array(json)
  }

  /// The parent's processing of a reply.
  static func use(_ object: Any) throws -> Bool {
    let json = try JSONSerialization.data(withJSONObject: ["inspection": object])
    guard let answer = try WorkerExchangeTests.reply(message(json))?.get(),
      let inspected = InspectJob(request: InspectionRequest()).outcome(of: answer)
    else { return false }
    try report(inspected.inspection)
    plan(inspected.inspection)
    return true
  }

  /// The calculations of `repair --unsafe` on an inspection before another worker opens the file.
  static func plan(_ inspection: Inspection) {
    let facts = inspection.facts
    for profile in Profile.all {
      let report = CandidateReport(judging: inspection, of: "x.mp4", for: [profile])
      let edits = report.findings.compactMap(\.edit) + [ClipEdit(ignoresPixelAspect: true)]
      for edit in edits + [edits.reduce(ClipEdit()) { $0.merged(with: $1) }] {
        _ = Recipe(encoding: facts, for: [profile], edit)?.changes(of: facts, new: nil)
      }
      _ = Recipe(copying: facts, for: [profile], repairing: [.metadata])?.mostBytes(Limits())
    }
  }

  static func report(_ inspection: Inspection) throws {
    var reports: [CandidateReport] = []
    for key in ArtworkKey.allCases + [ArtworkKey(nearestTo: inspection.facts.displayAspectRatio)] {
      let (seam, findings) = Rules.judge(inspection, key: key, profile: .nowPlaying)
      reports.append(CandidateReport(path: "x.mp4", key: key, inspection: inspection, seam: seam, findings: findings))
    }
    let summary = Summary(reports, seconds: 1)
    let report = CheckReport(results: reports, summary: summary, profiles: [.nowPlaying])
    for format in [ReportFormat.text, .full, .concise] {
      let text = TextReport.render(format, report, SampleReport.setting)
      #expect(!text.contains("\u{1b}"))
      #expect(text.utf8.count < 100_000)
    }
    for report in reports { #expect(try JSONReport.line(report).last == "\n") }
    _ = try JSONReport.document(reports, summary: summary)
  }

  static func object() throws -> Any { try JSONSerialization.jsonObject(with: JSONEncoder().encode(sample)) }

  @Test func `one lie at any place is refused or reported`() throws {
    let object = try Self.object()
    #expect(try Self.use(object))
    var accepted = 0
    let places = Nightly.some(16, of: Self.leaves(object))
    for path in places { for lie in Self.lies where try Self.use(Self.setting(object, path[...], to: lie)) { accepted += 1 } }
    #expect(accepted > places.count, "most places take most values of their kind")
  }

  @Test func `many lies at once are refused or reported`() throws {
    let object = try Self.object()
    let paths = Self.leaves(object).filter { path in
      Self.value(object, path[...]) is NSNumber || path.last == "displayAspectRatio"
    }
    var noise = Noise(seed: 5)
    var accepted = 0
    for lie in Self.lies where try Self.use(Self.setAll(object, paths, to: [lie], &noise)) { accepted += 1 }
    let numbers: [Any] = [
      0, 1, -1, 1 << 53, -(1 << 53), 3, 7, 1 << 31, 1 << 32, 90, 180, [1, Int64.max], [Int64.max, 3], [0, 1],
    ]
    for _ in 0..<(Nightly.isOn ? 4000 : 2000) where try Self.use(Self.setAll(object, paths, to: numbers, &noise)) {
      accepted += 1
    }
    #expect(accepted > 20)
  }

  static func value(_ object: Any, _ path: ArraySlice<String>) -> Any? {
    guard let first = path.first else { return object }
    if let object = object as? [String: Any] { return object[first].flatMap { value($0, path.dropFirst()) } }
    if let list = object as? [Any], let index = Int(first) { return value(list[index], path.dropFirst()) }
    return nil
  }

  /// Rationals take pairs and everything else single numbers, or nothing would ever be decoded.
  static func setAll(_ object: Any, _ paths: [[String]], to lies: [Any], _ noise: inout Noise) -> Any {
    var result = object
    for path in paths where Bool.random(using: &noise) {
      let isPair = value(object, path[...]) is [Any]
      let isFlag = Self.isFlag(path.last ?? "")
      let fitting = lies.filter { ($0 is [Any]) == isPair }
      guard !isFlag, let lie = fitting.randomElement(using: &noise) else { continue }
      result = setting(result, path[...], to: lie)
    }
    return result
  }

  static func isFlag(_ name: String) -> Bool {
    ["hasAlpha", "mirrored", "hasAudio", "movieHeaderFirst", "endsEarly", "previewIsToneMapped"].contains(name)
  }

  @Test func `JSON that is nested, long or absurd is refused`() throws {
    func reply(_ json: String, _ tag: WorkerExchange.Tag = .answer) throws -> Bool {
      try WorkerExchangeTests.reply(Self.message(json.utf8, tag)) != nil
    }
    let most = 1 << 20
    #expect(try !reply(String(repeating: "[", count: most)))
    #expect(try !reply(String(repeating: "{\"a\":", count: most / 5)))
    #expect(try !reply(String(repeating: "9", count: most)))
    #expect(try !reply("{\"code\":" + String(repeating: "9", count: most - 30) + "}", .refusal))
    #expect(try !reply("\"" + String(repeating: "\\u0000", count: most / 6 - 2) + "\""))
    #expect(try !reply("{\"code\":1e999}", .refusal))
    #expect(try !reply("{\"inspection\":1e999}"))
    #expect(try !reply("{}"))
    #expect(try !reply("null"))
  }

  @Test func `rules count with what an inspection in this process could never hold`() {
    for number in [Int.max, .min, 0, -1] {
      var inspection = Inspection.sample()
      inspection.facts.displayWidth = number
      inspection.facts.displayHeight = number
      inspection.facts.displayAspectRatio = Rational(Int64.max)
      inspection.facts.frameCount = number
      inspection.facts.discardedFrameCount = number
      inspection.facts.bitDepth = number
      inspection.decoding.missingFrames = Int.max
      inspection.decoding.errorCount = number
      for key in ArtworkKey.allCases { #expect(!Rules.judge(inspection, key: key, profile: .nowPlaying).findings.isEmpty) }
    }
  }
}
