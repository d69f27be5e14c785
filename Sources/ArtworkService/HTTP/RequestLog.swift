import ArtworkPipeline
import Logging
import NIOHTTP1

/// Logs answered requests.
struct RequestLog: Sendable {
  let logger: Logger

  func recordRefusal(_ problem: Problem) {
    logger.debug(
      "refused", metadata: ["status": "\(problem.status)", "code": "\(problem.code)"])
  }

  func note(_ request: Request, status: Int, since start: ContinuousClock.Instant) {
    logger.debug(
      "request",
      metadata: [
        "method": "\(request.method.rawValue)", "target": "\(request.target.printable)",
        "status": "\(status)", "ms": "\((ContinuousClock.now - start) / .milliseconds(1))",
      ])
  }
}
