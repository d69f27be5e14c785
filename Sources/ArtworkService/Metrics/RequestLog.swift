import ArtworkPipeline
import Logging

/// Counts and logs answered requests.
struct RequestLog: Sendable {
  let metrics: ServiceMetrics
  let logger: Logger

  func recordRefusal(_ problem: Problem) {
    metrics.recordRefusal(problem)
    logger.debug(
      "refused", metadata: ["status": "\(problem.status)", "code": "\(problem.code)"])
  }

  func note(
    _ route: ServiceMetrics.Route, target: String, status: Int, since start: ContinuousClock.Instant
  ) {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    metrics.note(route, status: status, seconds: seconds)
    logger.debug(
      "request",
      metadata: [
        "method": "\(route.method)", "target": "\(target.printable)", "status": "\(status)",
        "ms": "\(seconds * 1000)",
      ])
  }
}
