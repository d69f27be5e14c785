import Dispatch
import Synchronization

/// An operation on a file, in progress on its own thread: its progress, and its result.
///
/// The work starts immediately. ``cancel()`` ends it, and so does cancelling a task that waits for ``value``.
///
/// ```swift
/// let work = pipeline.animate("cover.jpg", Motion(.drift), as: .square)
/// for await step in work.progress { print(step.done, "of", step.count) }
/// let video = try await work.value
/// ```
public struct Work<Value: Sendable>: Sendable {
  /// How far work is: parts that are done, of how many. A part is a frame, or a file of a folder.
  public struct Step: Sendable, Equatable {
    public var done: Int
    public var count: Int
  }

  /// The latest steps; ends with the work. A slow reader misses steps and holds nothing up. For one reader.
  public let progress: AsyncStream<Step>
  private let task: Task<Value, any Error>

  init(
    _ body:
      @escaping @Sendable (
        _ progress: @escaping @Sendable (_ done: Int, _ count: Int) -> Void,
        _ isCancelled: @escaping @Sendable () -> Bool
      ) async throws -> Value
  ) {
    let (steps, step) = AsyncStream<Step>.makeStream(bufferingPolicy: .bufferingNewest(1))
    progress = steps
    let cancelled = Flag()
    task = Task.detached {
      defer { step.finish() }
      return try await withTaskCancellationHandler {
        do {
          let value = try await body(
            { _ = step.yield(Step(done: $0, count: $1)) }, { cancelled.isSet })
          try Task.checkCancellation()
          return value
        } catch {
          // The error of a worker that was cancelled is irrelevant.
          try Task.checkCancellation()
          throw error
        }
      } onCancel: {
        cancelled.set()
      }
    }
  }

  /// The result, when the work is done.
  ///
  /// - Throws: ``InspectionError`` for a file that is refused or cannot be made; `CancellationError`.
  public var value: Value {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Ends the work: a worker immediately, work in this process at the end of its file.
  public func cancel() { task.cancel() }
}

/// Runs blocking code on a new thread, off Swift's cooperative pool.
package func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "artworkd.work").async { continuation.resume(with: Result { try body() }) }
  }
}

/// Set once, from any thread.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}

/// Runs jobs until they are cancelled.
package struct CancellableRunner: JobRunner {
  let runner: any JobRunner
  let isCancelled: @Sendable () -> Bool

  package init(runner: any JobRunner, isCancelled: @escaping @Sendable () -> Bool) {
    (self.runner, self.isCancelled) = (runner, isCancelled)
  }

  package var limits: Limits { runner.limits }
  package var variant: String { runner.variant }

  package func run<Work: Job>(
    _ job: Work, on file: InputFile, isCancelled: () -> Bool, progress: JobProgress?
  ) throws(InspectionError) -> Work.Outcome {
    try runner.run(
      job, on: file, isCancelled: { isCancelled() || self.isCancelled() }, progress: progress)
  }
}
