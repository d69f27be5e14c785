/// Inspects each file in a worker: a separate process that can open no files, has no network, and has a budget of
/// time and memory. A file that breaks the decoder costs only its own result.
///
/// Per file, it costs a `fork` and the decoder set-up more than a long-lived process would. Peak memory is one worker
/// per concurrent call.
package struct IsolatedInspector: Sendable {
  package let limits: Limits
  /// How many workers share a processor, at least 1; the time that a worker may take grows with it.
  package var workersPerProcessor = 1
  let zygote: WorkerZygote

  /// Prepares for workers. Call this first thing in `main`: the process must not have a second
  /// thread yet.
  ///
  /// - Throws: `worker-failed` if it has, or if the system cannot start a process.
  package init(limits: Limits = Limits()) throws(InspectionError) {
    self.limits = limits
    zygote = try WorkerZygote.start(limits: limits)
  }

  /// The layers of the sandbox around every worker.
  package var sandbox: Sandbox { zygote.sandbox }

  /// Ends all workers and waits for them; calls that are under way and later ones throw
  /// `worker-failed`. Also happens when the last copy of this value is released.
  package func stop() { zygote.stop() }

  /// Has a worker try everything that the sandbox forbids.
  package func tryOut() throws(InspectionError) -> SandboxTrial {
    // Every worker needs a file. This one is not read, but it begins like an animation, so that the worker also has
    // threads.
    let file: FileDescriptor
    do {
      file = try WorkerExchange.makeFile(holding: Array("{}".utf8))
    } catch {
      throw WorkerZygote.failure("cannot create a file in memory: \(error)")
    }
    return try run(
      TrialJob(), on: InputFile(adopting: file, limits: limits), isCancelled: { false },
      progress: nil)
  }
}
