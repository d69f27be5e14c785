@testable import ArtworkPipeline

/// A job that is not in the list: all that a job needs is in this declaration.
private struct CountJob: Job {
  static let name = "count"

  var byte: UInt8

  func mostBytes(_ limits: Limits) -> Int64 { 16 }

  func run(on file: InputFile, limits: Limits, progress: @escaping JobProgress) throws(InspectionError) -> JobAnswer<Int> {
    let bytes = file.bytes(at: 0, count: Int(file.size))
    guard !bytes.isEmpty else { throw InspectionError(.unreadable, "nothing can be read") }
    return JobAnswer(value: bytes.count { $0 == byte }, bytes: Array(bytes.prefix(16)))
  }

  func outcome(of answer: JobAnswer<Int>) -> Int? { answer.value >= 0 ? answer.value : nil }
}

@Suite struct JobTests {
  /// An open file with these bytes.
  static func file(_ bytes: [UInt8]) throws -> InputFile {
    let file = try WorkerExchange.makeFile()
    try file.writeAll(toAbsoluteOffset: 0, bytes)
    return try InputFile(adopting: file, limits: Limits())
  }

  /// The worker's view of a request from the parent.
  static func sent(_ job: some Job, known: [any Job.Type] = Jobs.all) throws -> (any Job)? {
    try WorkerExchangeTests.with { exchange in
      try exchange.write(request: job)
      return exchange.request(for: known)?.job
    }
  }

  @Test func `a job needs one declaration and its place in the list`() throws {
    let job = CountJob(byte: 7)
    #expect(try Self.sent(job) == nil, "the worker does not know it")
    try WorkerExchangeTests.with { exchange in
      try exchange.write(request: job)
      let known = Jobs.all + [CountJob.self]
      // The worker.
      let request = try #require(exchange.request(for: known)).job
      try Worker.answer(request, on: Self.file([7, 1, 7]), limits: Limits(), exchange)
      // The parent.
      let answer = try exchange.answer(to: job, limits: Limits())
      #expect(answer.bytes == [7, 1, 7])
      #expect(job.outcome(of: answer) == 2)
      #expect(job.outcome(of: JobAnswer(value: -1)) == nil)
    }
  }

  @Test func `a new job has the same guards as the others`() throws {
    let job = CountJob(byte: 7)
    try WorkerExchangeTests.with { exchange in
      try exchange.write(JobAnswer(value: 1 << 53))
      #expect(WorkerExchangeTests.reply(to: job, in: exchange) != nil)
      try exchange.write(JobAnswer(value: 1 << 53 + 1))
      #expect(WorkerExchangeTests.reply(to: job, in: exchange) == nil, "not a plausible number")
      // The JSON leaves room in the capacity, but not for so much.
      try exchange.write(JobAnswer(value: 1, bytes: Array(repeating: 0, count: 2 << 20)))
      #expect(WorkerExchangeTests.reply(to: job, in: exchange) == nil, "too long")
    }
  }

  @Test func `every job that Jobs/ declares is in the list, and names are unique`() throws {
    let folder = Checkout.root.appending(path: "Sources/ArtworkPipeline/Jobs")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let declared = try files.flatMap {
      try String(contentsOf: $0, encoding: .utf8).matches(of: /struct (\w+): Job\b/).map { "\($0.output.1)" }
    }
    #expect(declared.sorted() == Jobs.all.map { "\($0)" }.sorted())
    #expect(Set(Jobs.all.map { $0.name }).count == Jobs.all.count)
    for job in Jobs.all { #expect((1...64).contains(job.name.utf8.count)) }
  }

  @Test(arguments: [
    InspectionRequest(), InspectionRequest(everyFrame: true), InspectionRequest(preview: .original, reportImages: true),
    InspectionRequest(preview: .original, previewFormat: .webp),
    InspectionRequest(preview: .fitted(PixelSize(width: 7, height: 16384))),
  ])
  func `requests for inspections arrive as they were sent`(request: InspectionRequest) throws {
    let job = try #require(try Self.sent(InspectJob(request: request)))
    #expect((job as? InspectJob)?.request == request)
  }

  @Test(arguments: [TrimRequest(), TrimRequest(shortest: 0.25, below: 12.5, count: 20)], [true, false])
  func `requests for loops arrive as they were sent`(request: TrimRequest, withPictures: Bool) throws {
    let sent = LoopJob(request: request, withPictures: withPictures)
    let job = try #require(try Self.sent(sent) as? LoopJob)
    #expect(job.request == request)
    #expect(job.withPictures == withPictures)
  }

  @Test func `requests without parameters arrive as they were sent`() throws {
    #expect(try Self.sent(StillJob()) is StillJob)
    #expect(try Self.sent(TrialJob()) is TrialJob)
  }

  @Test(arguments: [
    ("loop", #"{"request":{"shortest":-1,"below":1,"count":5},"withPictures":false}"#),
    ("loop", #"{"request":{"shortest":1,"below":0,"count":5},"withPictures":false}"#),
    ("loop", #"{"request":{"shortest":1,"below":1,"count":0},"withPictures":false}"#),
    ("loop", #"{"request":{"shortest":1,"below":1,"count":21},"withPictures":false}"#),
    ("loop", #"{"request":{"shortest":NaN,"below":1,"count":5},"withPictures":false}"#),
    ("loop", #"{"request":{"shortest":1,"below":1e999,"count":5},"withPictures":false}"#),
    ("loop", #"{"request":{"shortest":1,"below":1,"count":5}}"#), ("loop", "{}"), ("loop", ""),
    ("inspect", JobTests.inspection(#"{"fitted":{"_0":{"width":0,"height":5}}}"#)),
    ("inspect", JobTests.inspection(#"{"fitted":{"_0":{"width":5,"height":-1}}}"#)),
    ("inspect", JobTests.inspection(#"{"fitted":{}}"#)), ("inspect", JobTests.inspection("{}")),
    ("inspect", JobTests.inspection(#"{"original":{}}"#, as: "tiff")), ("nothing", "{}"), ("", "{}"), ("Seam", "{}"),
    ("seam\0", "{}"), (String(repeating: "seam", count: 1000), "{}"),
  ])
  func `a malformed request is refused`(name: String, json: String) throws {
    try WorkerExchangeTests.with { exchange in
      try exchange.write(.request, json: Data(json.utf8), bytes: Array(name.utf8))
      #expect(exchange.request() == nil)
    }
  }

  static func inspection(_ preview: String, as format: String = "png") -> String {
    #"{"request":{"onlyPreview":false,"everyFrame":true,"settlesDoubts":false,"countsFlashes":false,"reportImages":false,"#
      + #""still":false,"previewFormat":"\#(format)","preview":\#(preview)}}"#
  }

  @Test func `the requests that the test above spoils are understood as they are`() throws {
    let requests = [
      ("loop", #"{"request":{"shortest":1,"below":1,"count":5},"withPictures":false}"#),
      ("inspect", Self.inspection(#"{"fitted":{"_0":{"width":5,"height":5}}}"#)),
      ("inspect", Self.inspection(#"{"original":{}}"#, as: "webp")), ("still", "{}"),
    ]
    for (name, json) in requests {
      try WorkerExchangeTests.with { exchange in
        try exchange.write(.request, json: Data(json.utf8), bytes: Array(name.utf8))
        #expect(exchange.request() != nil, "\(name)")
      }
    }
  }

  @Test func `numbers that JSON does not know are never sent`() throws {
    let request = TrimRequest(shortest: 1, below: .infinity)
    #expect(throws: (any Error).self) { try Self.sent(LoopJob(request: request, withPictures: false)) }
  }

  @Test func `an answer in another form than the request asks for is not believed`() throws {
    let file = { try InputFile.open(Fixture.named("good-1x1.mp4").path, limits: Limits()) }
    let request = InspectionRequest(preview: .original, reportImages: true)
    let answer = try InspectJob(request: request).run(on: try file(), limits: Limits(), progress: { _, _ in })
    func isBelieved(_ request: InspectionRequest, _ answer: JobAnswer<InspectJob.Reply>) -> Bool {
      InspectJob(request: request).outcome(of: answer) != nil
    }
    #expect(isBelieved(request, answer))
    #expect(!isBelieved(InspectionRequest(preview: .original), answer))
    #expect(!isBelieved(InspectionRequest(reportImages: true), answer))
    var cut = answer
    cut.bytes.removeLast()
    #expect(!isBelieved(request, cut))
    cut.bytes = []
    #expect(!isBelieved(request, cut))
    let plain = try InspectJob(request: InspectionRequest()).run(on: try file(), limits: Limits(), progress: { _, _ in })
    #expect(isBelieved(InspectionRequest(), plain))
    #expect(!isBelieved(request, plain))

    let signature = try #require(answer.value.inspection.firstFrame)
    for (width, height, isGood) in [(1, 1, true), (0, 1, false), (1, -1, false)] {
      let still = StillPicture(format: "png", width: width, height: height, signature: signature)
      #expect((StillJob().outcome(of: JobAnswer(value: still)) != nil) == isGood)
    }
  }

  @Test func `pictures that were not asked for, or not well formed, are no answer to a search for loops`() throws {
    let png = try PNGEncoder.encode(PixelImage(size: PixelSize(width: 1, height: 1), channels: .rgb, bytes: [1, 2, 3]))
    func isBelieved(_ bytes: [UInt8], strip: Int, withPictures: Bool = true) -> Bool {
      LoopJob(request: TrimRequest(), withPictures: withPictures).outcome(
        of: JobAnswer(value: LoopJob.Reply(report: IsolatedLoopTests.report(), stripBytes: strip), bytes: bytes)) != nil
    }
    #expect(isBelieved([], strip: 0))
    #expect(isBelieved([], strip: 0, withPictures: false))
    #expect(isBelieved(png, strip: png.count))
    #expect(!isBelieved(png, strip: png.count, withPictures: false))
    #expect(!isBelieved(png, strip: png.count - 1))
    #expect(!isBelieved(png, strip: png.count + 1))
    #expect(!isBelieved(png, strip: -1))
    #expect(!isBelieved(png, strip: 0), "a still picture is no animation")
  }
}
