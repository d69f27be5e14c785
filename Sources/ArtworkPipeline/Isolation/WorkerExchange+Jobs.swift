import FoundationEssentials

/// A worker's reply. The bytes of an answer follow the JSON.
enum WorkerReply<Value: Codable & Sendable>: Codable {
  case answer(Value)
  case refusal(InspectionError)
}

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

  /// Reads the reply to a job.
  ///
  /// - Returns: `nil` for anything but a well-formed reply of at most the length that the job
  ///   allows, with numbers and texts that rules and reports can take.
  func reply<Work: Job>(
    to job: Work, limits: Limits
  ) -> (reply: WorkerReply<Work.Reply>, bytes: [UInt8])? {
    guard let message = read(.reply, capacity: Self.capacity(for: job, limits)),
      let reply = try? JSONDecoder().decode(WorkerReply<Work.Reply>.self, from: message.json),
      ReplyValidation.holds(for: reply)
    else { return nil }
    return (reply, message.bytes)
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

  /// Writes the answer to `job` in place of the request.
  func write<Work: Job>(_ answer: JobAnswer<Work.Reply>, to job: Work) throws {
    let json = try JSONEncoder().encode(WorkerReply.answer(answer.value))
    try write(.reply, json: json, bytes: answer.bytes)
  }

  /// Writes the reason for a refusal in place of the request, for any job.
  func write(refusal error: InspectionError, bytes: [UInt8] = []) throws {
    let json = try JSONEncoder().encode(WorkerReply<Never>.refusal(error))
    try write(.reply, json: json, bytes: bytes)
  }
}
