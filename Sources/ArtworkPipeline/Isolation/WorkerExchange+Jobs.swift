import FoundationEssentials

/// A request to a worker.
struct WorkerRequest {
  var job: any Job
  /// Whether the file may be drawn by rlottie, whose threads must start before the last layers of the sandbox are set up.
  var startsThreads: Bool
}

/// Requests and replies of jobs as messages.
extension WorkerExchange {
  private static let longestName: Int64 = 64

  // MARK: The parent

  /// Follows the name of a job whose worker starts threads.
  private static let threadMark = "+threads"

  /// Writes the request; the job's name follows the JSON.
  func write<Work: Job>(request job: Work, startsThreads: Bool = false) throws {
    let name = Work.name + (startsThreads ? Self.threadMark : "")
    try write(.request, json: try JSONEncoder().encode(job), bytes: Array(name.utf8))
  }

  /// Reads the answer to a job.
  ///
  /// - Throws: ``InspectionError``: why the worker refuses the file, or ``malformedReply`` for anything but a well-formed
  ///   reply of at most the length that the job allows, with numbers and texts that rules and reports can take.
  func answer<Work: Job>(
    to job: Work, limits: Limits
  ) throws(InspectionError) -> JobAnswer<Work.Reply> {
    let capacity = Self.capacity(for: job, limits)
    if let refusal = read(.refusal, capacity: capacity),
      let error: InspectionError = Self.value(refusal.json)
    {
      throw error
    }
    guard let answer = read(.answer, capacity: capacity),
      let value: Work.Reply = Self.value(answer.json)
    else { throw Self.malformedReply }
    return JobAnswer(value: value, bytes: answer.bytes)
  }

  static let malformedReply = InspectionError(.workerFailed, "the worker's reply is malformed")

  private static func value<Value: Decodable>(_ json: Data) -> Value? {
    guard let value = try? JSONDecoder().decode(Value.self, from: json),
      ReplyValidation.holds(for: value)
    else { return nil }
    return value
  }

  /// The length that no reply to this job exceeds.
  static func capacity(for job: some Job, _ limits: Limits) -> Int64 {
    capacity(mostBytes: job.mostBytes(limits))
  }

  // MARK: The worker

  /// Reads the request, which is the parent's own.
  ///
  /// - Returns: `nil` without a request for one of these jobs.
  func request(for jobs: [any Job.Type] = Jobs.all) -> WorkerRequest? {
    guard
      let message = read(
        .request, capacity: Int64(Self.longestRequest) + Self.capacity(mostBytes: Self.longestName))
    else {
      return nil
    }
    var name = message.bytes[...]
    let startsThreads = name.suffix(Self.threadMark.utf8.count).elementsEqual(Self.threadMark.utf8)
    if startsThreads { name.removeLast(Self.threadMark.utf8.count) }
    guard let type = jobs.first(where: { $0.name.utf8.elementsEqual(name) }),
      let job = try? JSONDecoder().decode(type, from: message.json)
    else { return nil }
    return WorkerRequest(job: job, startsThreads: startsThreads)
  }

  /// Writes the answer to a job in place of the request.
  func write(_ answer: JobAnswer<some Codable & Sendable>) throws {
    try write(.answer, json: try JSONEncoder().encode(answer.value), bytes: answer.bytes)
  }

  /// Writes the reason for a refusal in place of the request, for any job.
  func write(refusal error: InspectionError) throws {
    try write(.refusal, json: try JSONEncoder().encode(error), bytes: [])
  }
}
