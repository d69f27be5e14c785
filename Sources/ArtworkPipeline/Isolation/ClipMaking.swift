import Dispatch
import Synchronization

/// The steps of a copy on open files: what ``ClipMaker`` is made of.
private protocol ClipMaking: ClipMaker {
  var limits: Limits { get }

  func glance(at input: InputFile) throws(InspectionError) -> MediaFacts?
  func copy(_ input: InputFile, _ request: CopyRequest) throws(InspectionError) -> CopiedPackets
  func packets(in input: InputFile) throws(InspectionError) -> ReadPackets?
  func shown(in input: InputFile) throws(InspectionError) -> ShownClip
  func encoded(
    _ input: InputFile, _ request: EncodeRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> [UInt8]
  func derived(
    from input: InputFile, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip
  func inspection(
    of input: InputFile, _ request: InspectionRequest
  ) throws(InspectionError) -> Inspection
}

extension ClipMaking {
  fileprivate func makeGlance(at candidate: Candidate) throws(InspectionError) -> MediaFacts? {
    try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try glance(at: input)
    }
  }

  fileprivate func makeCopy(
    _ candidate: Candidate, _ request: CopyRequest, _ inspecting: InspectionRequest?
  ) throws(InspectionError) -> CopiedClip {
    let copied = try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try copy(input, request)
    }
    if let inspecting, let clip = try inspected(copied, inspecting) { return clip }
    let movie = copied.movie
    let before = Mutex<Result<ShownClip, InspectionError>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue(label: "artworkd.copy.source").async {
      let result = Result { () throws(InspectionError) in
        try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
          try shown(in: input)
        }
      }
      before.withLock { $0 = result }
      isDone.signal()
    }
    // Even where this fails, the other thread ends before its result goes.
    let after = Result { () throws(InspectionError) in
      try shown(in: InputFile(inMemory: movie, limits: limits))
    }
    isDone.wait()
    guard let source = try before.withLock({ $0 })?.get() else {
      throw InspectionError(.workerFailed, "a thread ended without its result")
    }
    let result = try after.get()
    return CopiedClip(
      movie: movie, before: source.frames, after: result.frames, facts: result.facts)
  }

  /// Reads and decodes a copy; `nil` where it is not sure to have the packets of its source, or is not sound.
  private func inspected(
    _ copied: CopiedPackets, _ request: InspectionRequest
  ) throws(InspectionError) -> CopiedClip? {
    guard let input = copied.input,
      let read = try packets(in: InputFile(inMemory: copied.movie, limits: limits)),
      read.input == input
    else { return nil }
    var everyFrame = request
    everyFrame.everyFrame = true
    let found = try inspection(
      of: InputFile(inMemory: copied.movie, limits: limits), everyFrame)
    guard found.decoding.fallback == .requested, !found.decoding.isCutShort,
      found.decoding.errorCount == 0,
      found.facts.frameCount == copied.shown.frames.count
    else { return nil }
    return CopiedClip(
      movie: copied.movie, before: copied.shown, after: read.shown, facts: found.facts,
      inspection: found)
  }

  fileprivate func makeEncoded(
    _ candidate: Candidate, _ request: EncodeRequest, inspecting: InspectionRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> EncodedClip {
    let movie = try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try encoded(input, request, progress: progress)
    }
    return EncodedClip(
      movie: movie,
      inspection: try inspection(of: InputFile(inMemory: movie, limits: limits), inspecting))
  }

  fileprivate func makeDerived(
    _ candidate: Candidate, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip {
    var made = try candidate.whileUnchanged(limits: limits) { input throws(InspectionError) in
      try derived(from: input, request, progress: progress)
    }
    if !made.movie.isEmpty {
      let movie = try InputFile(inMemory: made.movie, limits: limits)
      made.inspection = try inspection(of: movie, InspectionRequest(settlesDoubts: true))
    }
    return made
  }
}

extension Inspector: ClipMaking {
  package func encode(
    _ candidate: Candidate, _ request: EncodeRequest, inspecting: InspectionRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> EncodedClip {
    try makeEncoded(candidate, request, inspecting: inspecting, progress: progress)
  }

  package func derive(
    _ candidate: Candidate, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip {
    try makeDerived(candidate, request, progress: progress)
  }

  fileprivate func derived(
    from input: InputFile, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip {
    let made = try derive(input, request, progress: progress)
    return DerivedClip(report: made.report, movie: made.bytes)
  }

  fileprivate func encoded(
    _ input: InputFile, _ request: EncodeRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> [UInt8] {
    try encode(input, request, progress: progress)
  }

  package func glance(at candidate: Candidate) throws(InspectionError) -> MediaFacts? {
    try makeGlance(at: candidate)
  }

  package func copy(
    _ candidate: Candidate, _ request: CopyRequest, inspecting: InspectionRequest?
  ) throws(InspectionError) -> CopiedClip {
    try makeCopy(candidate, request, inspecting)
  }

  fileprivate func inspection(
    of input: InputFile, _ request: InspectionRequest
  ) throws(InspectionError) -> Inspection {
    try inspect(input, request).inspection
  }
}

extension IsolatedInspector: ClipMaking {
  package func encode(
    _ candidate: Candidate, _ request: EncodeRequest, inspecting: InspectionRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> EncodedClip {
    try makeEncoded(candidate, request, inspecting: inspecting, progress: progress)
  }

  package func derive(
    _ candidate: Candidate, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip {
    try makeDerived(candidate, request, progress: progress)
  }

  fileprivate func derived(
    from input: InputFile, _ request: DeriveRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> DerivedClip {
    try perform(DeriveJob(request: request), on: input, progress: progress).outcome
  }

  fileprivate func encoded(
    _ input: InputFile, _ request: EncodeRequest,
    progress: @escaping (_ done: Int, _ count: Int) -> Void
  ) throws(InspectionError) -> [UInt8] {
    try perform(EncodeJob(request: request), on: input, progress: progress).outcome
  }

  package func glance(at candidate: Candidate) throws(InspectionError) -> MediaFacts? {
    try makeGlance(at: candidate)
  }

  package func copy(
    _ candidate: Candidate, _ request: CopyRequest, inspecting: InspectionRequest?
  ) throws(InspectionError) -> CopiedClip {
    try makeCopy(candidate, request, inspecting)
  }

  fileprivate func glance(at input: InputFile) throws(InspectionError) -> MediaFacts? {
    try perform(GlanceJob(), on: input).outcome
  }

  fileprivate func copy(
    _ input: InputFile, _ request: CopyRequest
  ) throws(InspectionError) -> CopiedPackets {
    try perform(CopyJob(request: request), on: input).outcome
  }

  fileprivate func packets(in input: InputFile) throws(InspectionError) -> ReadPackets? {
    try perform(PacketsJob(), on: input).outcome
  }

  fileprivate func shown(in input: InputFile) throws(InspectionError) -> ShownClip {
    try perform(ShownFramesJob(), on: input).outcome
  }

  fileprivate func inspection(
    of input: InputFile, _ request: InspectionRequest
  ) throws(InspectionError) -> Inspection {
    try perform(InspectJob(request: request), on: input).outcome.inspection
  }
}

extension InputFile {
  /// A file in memory with these bytes.
  fileprivate convenience init(inMemory bytes: [UInt8], limits: Limits) throws(InspectionError) {
    let file: FileDescriptor
    do {
      file = try WorkerExchange.makeFile()
      _ = try file.writeAll(bytes)
    } catch {
      throw InspectionError(.workerFailed, "cannot create a file in memory: \(error)")
    }
    try self.init(adopting: file, limits: limits)
  }
}
