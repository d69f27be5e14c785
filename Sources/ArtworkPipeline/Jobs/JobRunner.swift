/// Runs jobs: ``Inspector`` in this process, ``IsolatedInspector`` each in a worker that its file cannot break out of.
///
/// The one door for work on a file. Calls block the calling thread.
package protocol JobRunner: CandidateInspector {
  /// The limits on a file and its processing.
  var limits: Limits { get }

  /// Processor time of all workers so far; 0 without workers.
  var cpuSeconds: Double { get }

  /// Runs a job on an open file. Does not detect changes of the file meanwhile.
  ///
  /// - Parameters:
  ///   - isCancelled: called periodically; if it returns `true`, a worker is ended, but a job in this process
  ///     continues.
  ///   - progress: called periodically, on the calling thread; `nil` if the progress is not needed.
  /// - Returns: the checked outcome.
  /// - Throws: ``InspectionError``: why the file is refused, or how the worker failed.
  func run<Work: Job>(
    _ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?
  ) throws(InspectionError) -> Work.Outcome
}

/// Inspects one candidate: facts, measurements, and the file of its preview. Every ``JobRunner`` does; a
/// ``CachingInspector`` passes on only files that it does not know.
package protocol CandidateInspector: Sendable {
  /// Identifies everything that results depend on besides the file, the request and the limits. A result of one
  /// variant is never used for another.
  var variant: String { get }

  /// Blocks the calling thread until the candidate is inspected or refused.
  ///
  /// - Throws: ``InspectionError``; the same file gets the same code each time.
  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate

  /// Inspects one candidate, but gives up when `isCancelled` returns `true`. An inspector that cannot be interrupted never
  /// calls it.
  ///
  /// - Throws: ``InspectionError``; `worker-failed` if it gave up.
  func inspect(
    _ candidate: Candidate, _ request: InspectionRequest,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate

  /// Inspects a still beside candidates. Blocks the calling thread.
  ///
  /// - Throws: ``InspectionError``; `not-a-movie` for every other kind of file.
  func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture

  /// Draws the crop of a video that makes another shape of it: the bytes of a JPEG file. Blocks the calling thread.
  ///
  /// - Parameter facts: of the video.
  func drawCrop(
    of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts
  ) throws(InspectionError) -> [UInt8]
}

extension JobRunner {
  package var cpuSeconds: Double { 0 }
}

extension CandidateInspector {
  /// The name of the type.
  package var variant: String { "\(Self.self)" }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request)
  }
}

extension JobRunner {
  /// Runs a job on a candidate.
  ///
  /// - Parameter progress: called periodically, on the calling thread.
  /// - Throws: ``InspectionError``: why the file is refused, how the worker failed, or `changed-while-reading`.
  package func run<Work: Job>(
    _ job: Work, on candidate: Candidate, progress: JobProgress? = nil
  ) throws(InspectionError) -> Work.Outcome {
    try candidate.whileUnchanged(limits: limits) { file throws(InspectionError) in
      try run(job, on: file, isCancelled: { false }, progress: progress)
    }
  }

  /// Runs a job on bytes that have no name.
  package func run<Work: Job>(
    _ job: Work, onBytes bytes: [UInt8]
  ) throws(InspectionError) -> Work.Outcome {
    try run(
      job, on: InputFile(inMemory: bytes, limits: limits), isCancelled: { false }, progress: nil)
  }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest
  ) throws(InspectionError) -> InspectedCandidate {
    try inspect(candidate, request, isCancelled: { false })
  }

  package func inspect(
    _ candidate: Candidate, _ request: InspectionRequest,
    isCancelled: @escaping @Sendable () -> Bool
  ) throws(InspectionError) -> InspectedCandidate {
    try candidate.whileUnchanged(limits: limits) { file throws(InspectionError) in
      try run(InspectJob(request: request), on: file, isCancelled: isCancelled, progress: nil)
    }
  }

  package func inspectStill(_ still: Candidate) throws(InspectionError) -> StillPicture {
    try run(StillJob(), on: still)
  }

  package func drawCrop(
    of candidate: Candidate, as key: ArtworkKey, _ facts: MediaFacts
  ) throws(InspectionError) -> [UInt8] {
    let recipe = Recipe(deriving: key, of: facts, .auto)
    return try run(MakeJob(recipe: recipe, onlyPlans: true), on: candidate).picture
  }
}

extension Inspector: JobRunner {
  package var variant: String { "Inspector" }

  package func run<Work: Job>(
    _ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?
  ) throws(InspectionError) -> Work.Outcome {
    #if DEBUG
      try DecoderFault(askedForBy: file)?.inject()
    #endif
    let quiet: JobProgress = { _, _ in }
    let answer = try withoutActuallyEscaping(progress ?? quiet) {
      progress throws(InspectionError) in
      try job.run(on: file, limits: limits, progress: progress)
    }
    guard let outcome = job.outcome(of: answer) else {
      throw InspectionError(.workerFailed, "the job's answer is malformed")
    }
    return outcome
  }
}

extension InputFile {
  /// A file in memory with these bytes.
  convenience init(inMemory bytes: [UInt8], limits: Limits) throws(InspectionError) {
    let file: FileDescriptor
    do {
      file = try WorkerExchange.makeFile(holding: bytes)
    } catch {
      throw InspectionError(.workerFailed, "cannot create a file in memory: \(error)")
    }
    try self.init(adopting: file, limits: limits)
  }
}
