@testable import ArtworkPipeline

@Suite struct WorkerExchangeTests {
  static let refusal = InspectionError(.truncated, "cut \u{1b}[31m\n\"short\"", operation: "read")
  static let job = InspectJob(request: InspectionRequest(preview: .fitted(PixelSize(width: 1000, height: 1000))))

  /// The exchange after `body`, closed at the end of the test.
  static func with<R>(_ body: (WorkerExchange) throws -> R) throws -> R {
    let file = try WorkerExchange.makeFile()
    defer { try? file.close() }
    return try body(WorkerExchange(file: file))
  }

  /// The parent's reading of the exchange: `nil` for a reply that is malformed.
  static func reply<Work: Job>(to job: Work, in exchange: WorkerExchange) -> Result<JobAnswer<Work.Reply>, InspectionError>? {
    let reply = Result { () throws(InspectionError) in try exchange.answer(to: job, limits: Limits()) }
    if case .failure(WorkerExchange.malformedReply) = reply { return nil }
    return reply
  }

  /// The parent's reading of `bytes`.
  static func reply(_ bytes: [UInt8]) throws -> Result<JobAnswer<InspectJob.Reply>, InspectionError>? {
    try with { exchange in
      try exchange.file.writeAll(bytes)
      return reply(to: job, in: exchange)
    }
  }

  /// Writes a refusal with bytes, which no honest worker does.
  static func refuse(in exchange: WorkerExchange, _ bytes: [UInt8]) throws {
    try exchange.write(.refusal, json: try JSONEncoder().encode(refusal), bytes: bytes)
  }

  /// A refusal and these bytes as they lie in the file.
  static func message(_ bytes: [UInt8]) throws -> [UInt8] {
    try with { exchange in
      try refuse(in: exchange, bytes)
      let size = try exchange.file.seek(offset: 0, from: .end)
      return try unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, used in
        used = try unsafe exchange.file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  @Test func `a reply comes back as it was written, its bytes too`() throws {
    let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try Self.with { exchange in
      try exchange.write(JobAnswer(value: InspectJob.Reply(inspection: .sample()), bytes: bytes))
      let answer = try exchange.answer(to: Self.job, limits: Limits())
      #expect(answer.value.inspection == .sample() && answer.bytes == bytes)
      try exchange.write(refusal: Self.refusal)
      #expect(throws: Self.refusal) { try exchange.answer(to: Self.job, limits: Limits()) }
    }
  }

  @Test func `a request is never taken for a reply, nor a reply for a request`() throws {
    try Self.with { exchange in
      #expect(exchange.request() == nil, "the file is empty")
      try exchange.write(request: Self.job)
      #expect(exchange.request() != nil)
      #expect(Self.reply(to: Self.job, in: exchange) == nil)
      try exchange.write(refusal: Self.refusal)
      #expect(exchange.request() == nil)
      #expect(Self.reply(to: Self.job, in: exchange) != nil)
    }
  }

  @Test func `numbers that JSON does not know are never sent`() throws {
    for number in [Double.infinity, -.infinity, .nan] {
      var inspection = Inspection.sample()
      inspection.facts.durationSeconds = number
      try Self.with { exchange in
        let answer = JobAnswer(value: InspectJob.Reply(inspection: inspection))
        _ = #expect(throws: (any Error).self) { try exchange.write(answer) }
      }
    }
  }

  static func capacity(_ preview: Inspector.PreviewRequest, reportImages: Bool = false) -> Int64 {
    let request = InspectionRequest(preview: preview, reportImages: reportImages)
    return WorkerExchange.capacity(for: InspectJob(request: request), Limits())
  }

  @Test func `the capacity fits the request`() {
    let none = Self.capacity(.none)
    #expect(none < 2 << 20)
    let small = Self.capacity(.fitted(PixelSize(width: 100, height: 100)))
    #expect(small > none && small < 4 << 20)
    let all = Self.capacity(.original)
    #expect(all > 512 << 20 && all < 600 << 20)
    #expect(Self.capacity(.fitted(PixelSize(width: 16384, height: 16384))) == all)
    // Rows of one pixel have as many filter bytes as pixels.
    #expect(Self.capacity(.fitted(PixelSize(width: 1, height: 16384))) > 5 * 16384 + (1 << 20) + 1024)
    #expect(Self.capacity(.none, reportImages: true) == none + Int64(ReportImagesLayout.mostBytes))
    #expect(WorkerExchange.capacity(for: StillJob(), Limits()) == none)
    #expect(WorkerExchange.capacity(for: TrialJob(), Limits()) == none)
  }

  @Test func `a reply that is cut anywhere is none`() throws {
    let whole = try Self.message(Array(repeating: 9, count: 50))
    #expect(try Self.reply(whole) != nil)
    for length in 0..<whole.count { #expect(try Self.reply(Array(whole.prefix(length))) == nil, "cut to \(length) bytes") }
    #expect(try Self.reply(whole + [0]) == nil, "one byte too many")
  }

  @Test func `lengths that lie are refused, whatever they are`() throws {
    let whole = try Self.message([])
    let values: [UInt64] = [0, 1, 0x7fff_ffff, 0x8000_0000, 1 << 33, .max, .max - 23, UInt64(Int64.max), 1 << 63]
    for place in [0, 8, 16] {
      for value in values {
        var bytes = whole
        unsafe withUnsafeBytes(of: value) { raw in unsafe bytes.replaceSubrange(place..<place + 8, with: raw) }
        if bytes != whole { #expect(try Self.reply(bytes) == nil, "\(value) at \(place)") }
      }
    }
  }

  @Test func `noise in a reply is refused, or changes what is said and not how much`() throws {
    let whole = try Self.message(Array(repeating: 3, count: 20))
    var noise = Noise(seed: 11)
    var count = 0
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &noise) {
        bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(in: 0...255, using: &noise)
      }
      guard let read = try Self.reply(bytes) else { continue }
      count += 1
      guard case .failure = read else {
        Issue.record("a refusal becomes an answer")
        return
      }
    }
    // Noise in the bytes and in the text of the refusal cannot be distinguished from a real reply.
    #expect((100..<1000).contains(count), "\(count)")
  }

  @Test func `each job refuses a reply that is longer than its own capacity`() throws {
    func isRead(_ count: Int64, _ job: some Job) throws -> Bool {
      try Self.with { exchange in
        try Self.refuse(in: exchange, Array(repeating: 0, count: Int(count)))
        return Self.reply(to: job, in: exchange) != nil
      }
    }
    let limits = Limits()
    for count in [0, 1000] { #expect(try isRead(Int64(count), StillJob())) }
    #expect(try !isRead(WorkerExchange.capacity(for: StillJob(), limits), StillJob()))
    let seam = InspectJob(request: InspectionRequest(preview: .seam))
    #expect(try !isRead(WorkerExchange.capacity(for: seam, limits), seam))
    #expect(try isRead(seam.mostBytes(limits), seam))
  }

  @Test func `the way a worker ended is read from its wait status`() {
    // Exit code 3; killed by signal 11; killed by signal 11 with a core.
    for (status, ending) in [
      (3 << 8, WorkerExit.Ending.exited(3)), (11, .killed(signal: 11)), (11 | 0x80, .killed(signal: 11)), (0, .exited(0)),
    ] as [(Int32, WorkerExit.Ending)] {
      let end = WorkerExit(status: status, usage: rusage())
      #expect(end.ending == ending)
      #expect(WorkerExit(numbers: end.numbers) == end)
    }
    #expect(WorkerExit(numbers: [0, .max, 0, 0]) == nil)
    #expect(WorkerExit(numbers: [7, 0, 0, 0]) == nil)
    #expect(WorkerExit(numbers: [0]) == nil)
  }
}
