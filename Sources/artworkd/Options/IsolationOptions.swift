import ArgumentParser
import ArtworkPipeline
import FoundationEssentials

/// The options of every command that inspects files.
struct IsolationOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Set a limit for each file, such as memory=2GiB; docs/sandbox.md lists them. Repeatable.",
      valueName: "name=value"),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  /// Prepares workers; call it before the first thread is started.
  ///
  /// With `ARTWORKD_NO_ISOLATION=1` in the environment, for debugging, files are inspected in this process, without a
  /// sandbox or limits on time and memory.
  ///
  /// - Parameter limits: those that the options do not set.
  func prepare(
    jobs: Int, limits: Limits = Limits(), requireSandbox: Bool = false
  ) throws -> PreparedInspector {
    var limits = limits
    for limit in self.limits { limit.apply(&limits) }
    if !requireSandbox, ProcessInfo.processInfo.environment["ARTWORKD_NO_ISOLATION"] == "1" {
      return PreparedInspector(Inspector(limits: limits))
    }
    return PreparedInspector(
      try IsolatedInspector.prepared(jobs: jobs, limits: limits, requireSandbox: requireSandbox))
  }
}

extension IsolatedInspector {
  /// Prepares workers; call it before the first thread is started.
  ///
  /// - Throws: the exit status of a machine without a complete sandbox, if one is required.
  static func prepared(
    jobs: Int, limits: Limits, requireSandbox: Bool
  ) throws -> IsolatedInspector {
    var inspector = try IsolatedInspector(limits: limits)
    let processors = max(1, ProcessInfo.processInfo.activeProcessorCount)
    inspector.workersPerProcessor = (jobs + processors - 1) / processors
    if requireSandbox, !inspector.sandbox.isComplete {
      Terminal.printError(
        "artworkd: the sandbox lacks \(inspector.sandbox.missing.joined(separator: " and ")) on this "
          + "machine; artworkd doctor shows details\n")
      throw ExitStatus.sandboxMissing.code
    }
    return inspector
  }
}
