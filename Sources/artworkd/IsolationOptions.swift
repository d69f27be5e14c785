import ArgumentParser
import ArtworkPipeline

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What every command that looks into files lets its user say about limits and workers.
struct IsolationOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Raise or lower a limit on one file: file-size=4GiB, pixels=8192x8192, duration=10m, "
        + "frames=20000, streams=64, cpu=20s (120s to decode every frame), memory=1GiB: these are the defaults. Repeatable.",
      valueName: "name=value"),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  @Flag(help: "Refuse to start where a part of the workers' sandbox is missing.")
  var requireSandbox = false

  @Flag(
    help:
      "Inspect in this process, without workers, sandbox and limits on time and memory: for debugging."
  )
  var noIsolation = false

  func validate() throws {
    if requireSandbox, noIsolation {
      throw ValidationError("--require-sandbox and --no-isolation exclude each other.")
    }
  }

  /// Prepares workers; call it before the first thread is started.
  ///
  /// - Parameter limits: what holds where the options say nothing.
  func inspector(jobs: Int, limits: Limits = Limits()) throws -> any LoopInspector {
    var limits = limits
    for limit in self.limits { limit.apply(&limits) }
    if noIsolation { return Inspector(limits: limits) }
    return try IsolatedInspector.prepared(
      jobs: jobs, limits: limits, requireSandbox: requireSandbox)
  }
}

extension IsolatedInspector {
  /// Prepares workers; call it before the first thread is started.
  ///
  /// - Throws: the exit status for a machine that cannot confine them, where that is required.
  static func prepared(
    jobs: Int, limits: Limits, requireSandbox: Bool
  ) throws -> IsolatedInspector {
    var inspector = try IsolatedInspector(limits: limits)
    let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
    inspector.workersPerProcessor = (jobs + processors - 1) / processors
    if requireSandbox, !inspector.sandbox.isComplete {
      Terminal.say(
        "artworkd: the sandbox lacks \(inspector.sandbox.missing.joined(separator: " and ")) on this "
          + "machine; artworkd doctor shows more\n")
      throw ExitStatus.sandboxMissing.code
    }
    return inspector
  }
}
