import ArtworkModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a worker replies. The bytes of an answer follow the JSON.
enum WorkerReply<Value: Codable & Sendable>: Codable {
  case answer(Value)
  case refusal(InspectionError)
}

/// Requests and replies of jobs as messages.
extension WorkerExchange {
  private static let longestName: Int64 = 64

  // MARK: The parent

  /// Writes the request; the job's name follows the JSON.
  func write<Job: WorkerJob>(request job: Job) throws {
    try write(.request, json: try JSONEncoder().encode(job), bytes: Array(Job.name.utf8))
  }

  /// Reads the reply to a job.
  ///
  /// - Returns: `nil` for anything but a well-formed reply of at most the length that the job
  ///   allows, with numbers and texts that rules and reports can take.
  func reply<Job: WorkerJob>(
    to job: Job, limits: Limits
  ) -> (reply: WorkerReply<Job.Reply>, bytes: [UInt8])? {
    guard let message = read(.reply, capacity: Self.capacity(for: job, limits)),
      let reply = try? JSONDecoder().decode(WorkerReply<Job.Reply>.self, from: message.json),
      Plausibility.holds(for: reply)
    else { return nil }
    return (reply, message.bytes)
  }

  /// The length that no reply to this job exceeds.
  static func capacity(for job: some WorkerJob, _ limits: Limits) -> Int64 {
    capacity(mostBytes: job.mostBytes(limits))
  }

  // MARK: The worker

  /// Reads the request, which is the parent's own.
  ///
  /// - Returns: `nil` without a request for one of these jobs.
  func request(for jobs: [any WorkerJob.Type] = WorkerJobs.all) -> (any WorkerJob)? {
    guard let message = read(.request, capacity: Self.capacity(mostBytes: Self.longestName)),
      let job = jobs.first(where: { $0.name.utf8.elementsEqual(message.bytes) })
    else { return nil }
    return try? JSONDecoder().decode(job, from: message.json)
  }

  /// Writes the answer to `job` in place of the request.
  func write<Job: WorkerJob>(_ answer: WorkerAnswer<Job.Reply>, to job: Job) throws {
    let json = try JSONEncoder().encode(WorkerReply.answer(answer.value))
    try write(.reply, json: json, bytes: answer.bytes)
  }

  /// Writes why the file is refused in place of the request, for whatever job.
  func write(refusal error: InspectionError, bytes: [UInt8] = []) throws {
    let json = try JSONEncoder().encode(WorkerReply<Never>.refusal(error))
    try write(.reply, json: json, bytes: bytes)
  }
}
