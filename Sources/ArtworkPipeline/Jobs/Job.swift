/// One operation on one file, in this process or in a worker that can open nothing else. A value of the type is the
/// request; with it are the limits, the run, and the parent's checks of the answer.
///
/// A new job is one file in this folder and its line in ``Jobs/all``: workers know no other jobs. ``JobRunner`` runs it.
package protocol Job: Codable, Sendable {
  /// The result of a run, apart from plain bytes such as pictures.
  associatedtype Reply: Codable & Sendable
  /// The result of a checked answer.
  associatedtype Outcome: Sendable

  /// Names the job in a request to a worker; no two jobs share a name.
  static var name: String { get }

  /// Seconds of processor time that a worker may use.
  func cpuSeconds(_ limits: Limits) -> Int

  /// Whether the sandbox of a worker lets its libraries start threads; processes never.
  var mayStartThreads: Bool { get }

  /// The largest number of plain bytes in an answer.
  func mostBytes(_ limits: Limits) -> Int64

  /// Does the work, in a worker inside all layers of its sandbox.
  ///
  /// - Parameter progress: takes how many parts of how many are done; cheap.
  /// - Throws: why the file is refused; the parent throws that error again.
  func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply>

  /// Checks the answer of a worker that may lie. ``ReplyValidation`` has already accepted its numbers and texts; nothing
  /// else is known about them.
  ///
  /// - Returns: `nil` for an answer that no honest worker gives to this request.
  func outcome(of answer: JobAnswer<Reply>) -> Outcome?
}

/// Takes how far a job is.
package typealias JobProgress = (_ done: Int, _ count: Int) -> Void

extension Job {
  package var mayStartThreads: Bool { false }
  package func mostBytes(_ limits: Limits) -> Int64 { 0 }
  package func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSeconds }
}

/// The answer of a job: a value, encoded as JSON, and plain bytes.
package struct JobAnswer<Value: Codable & Sendable>: Sendable {
  package var value: Value
  package var bytes: [UInt8] = []
}

/// The answer of a job that returns only bytes.
package struct NoValue: Codable, Sendable {}

enum Jobs {
  /// The jobs that a worker knows.
  static let all: [any Job.Type] = [
    AnimationSummaryJob.self,
    AnimationValueJob.self,
    QuickScanJob.self,
    InspectJob.self,
    LoopJob.self,
    MakeJob.self,
    PacketsJob.self,
    DisplayedFramesJob.self,
    StillJob.self,
    TrialJob.self,
  ]
}
