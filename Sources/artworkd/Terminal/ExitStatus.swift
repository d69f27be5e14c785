import ArgumentParser
import ArtworkPipeline
import Glibc

/// Every exit code of the tool and when it is used. ArgumentParser itself exits with 64 for usage
/// errors.
enum ExitStatus: Int32 {
  case success = 0
  /// Findings at the `--fail-on` level, at least one.
  case findings = 1
  /// Unreadable input: at least one could not be read or inspected.
  case unreadableInput = 2
  /// A wrong command line or configuration (EX_USAGE of sysexits.h).
  case usage = 64
  /// `--require-sandbox` on a machine that lacks a part of the sandbox (EX_UNAVAILABLE of sysexits.h).
  case sandboxMissing = 69
  /// The service does not answer (EX_UNAVAILABLE as well).
  static let noService = ExitStatus.sandboxMissing
  /// A bug or a failing machine: output that cannot be written.
  case internalError = 70
  /// Another service uses the socket or the store (EX_TEMPFAIL of sysexits.h).
  case alreadyRunning = 75
  case interrupted = 130

  var code: ExitCode { ExitCode(rawValue) }

  /// The paragraph at the end of every command's help.
  static let words = """
    Exit codes: 0 done, 1 done, but something is left: a finding at the --fail-on level, a rule that a new file \
    breaks, a loop that does not close, a file that was left out; 2 an input could not be read or inspected, a file \
    could not be made or written, or the service refused; 64 usage or configuration error, 69 a part of the sandbox \
    is missing, or no service is running; 70 internal error, 75 another process holds the socket or the store, 130 \
    interrupted.
    """

  /// Unreadable inputs win over findings; those in the baseline do not count.
  init(_ reports: [CandidateReport], failOn: FailureLevel) {
    let worst = reports.flatMap(\.findings).map(\.severity).max()
    if reports.contains(where: { $0.error != nil && !$0.errorIsKnown }) {
      self = .unreadableInput
    } else if let worst, let threshold = failOn.severity, worst >= threshold {
      self = .findings
    } else {
      self = .success
    }
  }
}

/// Ends the process without running anything else.
func exitNow(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

extension FailureLevel: ExpressibleByArgument {}
