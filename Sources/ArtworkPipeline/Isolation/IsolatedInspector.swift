/// Inspects each file in a worker: a process of its own that can open nothing, talk to nobody, and
/// has a budget of time and memory. A file that breaks the decoder costs only its own result.
///
/// A file costs about as much more as a `fork` and the set-up of decoders that a process would
/// otherwise keep. Peak memory is one worker for each call at a time.
package struct IsolatedInspector: Sendable {
  package let limits: Limits
  /// How many workers share a processor, at least 1; the time that a worker may take grows with it.
  package var workersPerProcessor = 1
  let nursery: Nursery

  /// Prepares for workers. Call this first thing in `main`: the process must not have a second
  /// thread yet.
  ///
  /// - Throws: `worker-failed` when it has, or when the system cannot start a process.
  package init(limits: Limits = Limits()) throws(InspectionError) {
    self.limits = limits
    nursery = try Nursery.start(limits: limits)
  }

  /// The walls around every worker.
  package var sandbox: Sandbox { nursery.sandbox }

  /// Ends all workers and waits for them; calls that are under way and later ones throw
  /// `worker-failed`. Also happens when the last copy of this value is released.
  package func stop() { nursery.stop() }

  /// Has a worker try what the sandbox forbids.
  package func tryOut() throws(InspectionError) -> SandboxTrial {
    // Every worker has a file. Nobody reads this one, but it looks like an animation, so that the worker also has threads.
    let file: FileDescriptor
    do {
      file = try WorkerExchange.makeFile(holding: Array("{}".utf8))
    } catch {
      throw Nursery.failure("cannot create a file in memory: \(error)")
    }
    return try run(
      TrialJob(), on: InputFile(adopting: file, limits: limits), isWanted: { true }, progress: nil
    ).outcome
  }
}
