/// Something that a worker does with one file. A value of the type is the request; beside it are
/// the limits, the run in the worker, and what the parent checks of the answer.
///
/// A new job is one file in `Jobs/` and its line in ``WorkerJobs``.
protocol WorkerJob: Codable, Sendable {
  /// What the worker answers, apart from plain bytes such as pictures.
  associatedtype Reply: Codable & Sendable
  /// What the parent makes of an answer that it has checked.
  associatedtype Outcome: Sendable

  /// Names the job in a request; no two jobs share a name.
  static var name: String { get }

  /// Seconds of processor time that the worker may use.
  func cpuSeconds(_ limits: Limits) -> Int

  /// Whether the walls let its libraries start threads; processes never.
  var mayStartThreads: Bool { get }

  /// The largest number of plain bytes in an answer.
  func mostBytes(_ limits: Limits) -> Int64

  /// Does the work. Called in the worker, inside all its walls.
  ///
  /// - Throws: why the file is refused; the parent throws the same.
  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply>

  /// Checks the answer of a worker that may lie. Called in the parent, for numbers and texts that
  /// ``Plausibility`` has passed; nothing else is known of them.
  ///
  /// - Returns: `nil` for an answer that no honest worker gives to this request.
  func outcome(of answer: WorkerAnswer<Reply>) -> Outcome?
}

extension WorkerJob {
  var mayStartThreads: Bool { false }
}

/// A job that takes long enough for the parent to ask how far it is.
protocol LongJob: WorkerJob {
  /// The same as ``WorkerJob/run(on:limits:)``.
  ///
  /// - Parameter progress: to be told how many parts of how many are done; cheap.
  func run(
    on file: InputFile, limits: Limits,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> WorkerAnswer<Reply>
}

extension LongJob {
  func run(on file: InputFile, limits: Limits) throws(InspectionError) -> WorkerAnswer<Reply> {
    try run(on: file, limits: limits) { _, _ in }
  }
}

/// A job whose answer's bytes are a movie that it has encoded.
protocol EncodingJob: LongJob {
  var codec: MovieCodec { get }
}

extension EncodingJob {
  func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEncoding }

  /// libx265 starts one at least.
  var mayStartThreads: Bool { codec == .hevc }

  func mostBytes(_ limits: Limits) -> Int64 { Int64(ImportedMovie.mostBytes) }
}

/// What a worker answers: a value, which travels as JSON, and plain bytes.
struct WorkerAnswer<Value: Codable & Sendable>: Sendable {
  var value: Value
  var bytes: [UInt8] = []
}
