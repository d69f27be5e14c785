/// One operation on one file, in this process or in a worker that can open nothing else. A value of the type is the
/// request; with it are the limits, the run, and the parent's checks of the answer.
///
/// A new job is a type in this folder and its line in ``Jobs/all``: workers know no other jobs. ``JobRunner`` runs it.
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

/// The most bytes that pictures in an answer can have.
enum PictureBytes {
  /// Bytes for a PNG file with this many pixels: four bytes per pixel, and a 16th of a byte for PNG's overhead on
  /// incompressible data. The mebibyte is for narrow pictures, for which the filter byte of each row matters most.
  static func png(pixels: Int) -> Int64 { raw(pixels: pixels) + 1 << 20 }

  /// Bytes for an animated PNG file: those of the pixels as in ``png(pixels:)``, and a kibibyte of chunks per frame.
  static func animation(_ size: PixelSize, frames: Int) -> Int64 {
    raw(pixels: size.area.multipliedClamped(by: frames)) + Int64(frames) << 10
  }

  private static func raw(pixels: Int) -> Int64 { Int64(pixels) * 4 + Int64(pixels) / 16 }
}

/// Tries everything that the sandbox forbids. It does not read its file.
struct TrialJob: Job {
  static let name = "trial"

  func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<SandboxTrial> {
    JobAnswer(value: .perform())
  }

  func outcome(of answer: JobAnswer<SandboxTrial>) -> SandboxTrial? { answer.value }
}

/// Inspects a picture that lies beside candidates.
package struct StillJob: Job {
  package static let name = "still"

  package init() {}

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<StillPicture> {
    JobAnswer(value: try file.readStill(limits: limits))
  }

  package func outcome(of answer: JobAnswer<StillPicture>) -> StillPicture? {
    answer.value.width > 0 && answer.value.height > 0 ? answer.value : nil
  }
}

/// Reads the container and decodes the first frame of a candidate, or draws the first and the last of an animation.
package struct QuickScanJob: Job {
  package static let name = "quick-scan"

  package init() {}

  package struct Reply: Codable, Sendable {
    /// `nil` if only decoding can determine it.
    var facts: MediaFacts?
  }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    if let pictures = try PictureFile.open(file, limits: limits) {
      var facts = try LogCapture.scope { () throws(InspectionError) in try pictures.quickScan() }
      facts.fileBytes = file.size
      return JobAnswer(value: Reply(facts: facts))
    }
    let facts = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.scan()?.facts
    }
    return JobAnswer(value: Reply(facts: facts))
  }

  /// Whether the facts are true is for later workers to find out.
  package func outcome(of answer: JobAnswer<Reply>) -> MediaFacts?? {
    .some(answer.value.facts)
  }
}

/// Reads every packet of a candidate. The answer's bytes are the times of its frames.
package struct PacketsJob: Job {
  package static let name = "packets"

  package init() {}

  package struct Reply: Codable, Sendable {
    /// `nil` if only decoding can determine it.
    var input: String?
    var tickNanoseconds: Int64
  }

  package func mostBytes(_ limits: Limits) -> Int64 { DisplayedFrames.mostBytes(limits) }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let read = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.packets()
    }
    return JobAnswer(
      value: Reply(input: read?.input, tickNanoseconds: read?.displayed.tickNanoseconds ?? 0),
      bytes: read?.displayed.bytes ?? [])
  }

  package func outcome(of answer: JobAnswer<Reply>) -> ReadPackets?? {
    guard let input = answer.value.input else { return .some(nil) }
    return DisplayedFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { ReadPackets(displayed: $0, input: input) }
  }
}

/// Decodes every frame of a candidate. The answer's bytes are their digests and times.
package struct DisplayedFramesJob: Job {
  package static let name = "displayed-frames"

  package init() {}

  package struct Reply: Codable, Sendable {
    var tickNanoseconds: Int64
    var facts: MediaFacts
  }

  package func cpuSeconds(_ limits: Limits) -> Int { limits.cpuSecondsForEverything }

  package func mostBytes(_ limits: Limits) -> Int64 { DisplayedFrames.mostBytes(limits) }

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<Reply> {
    let displayed = try file.withClip(limits: limits) { clip throws(InspectionError) in
      try clip.displayed()
    }
    return JobAnswer(
      value: Reply(tickNanoseconds: displayed.frames.tickNanoseconds, facts: displayed.facts),
      bytes: displayed.frames.bytes)
  }

  package func outcome(of answer: JobAnswer<Reply>) -> DisplayedClip? {
    DisplayedFrames(bytes: answer.bytes, tickNanoseconds: answer.value.tickNanoseconds)
      .map { DisplayedClip(frames: $0, facts: answer.value.facts) }
  }
}
