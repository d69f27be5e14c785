import ArtworkModel
import Synchronization

/// Counts of requests, with the time that they took.
final class ServiceMetrics: Sendable {
  struct Route: Hashable, Comparable {
    var method: String
    var path: String

    static func < (one: Route, other: Route) -> Bool {
      (one.path, one.method) < (other.path, other.method)
    }
  }

  struct Histogram {
    /// Upper limits in seconds; one more bucket has none.
    static let limits = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30]

    var counts = [Int](repeating: 0, count: limits.count + 1)
    var sum = 0.0
    var count: Int { counts.reduce(0, +) }

    mutating func add(_ seconds: Double) {
      counts[Self.limits.firstIndex { seconds <= $0 } ?? Self.limits.count] += 1
      sum += seconds
    }
  }

  struct RouteFigures {
    var statuses: [Int: Int] = [:]
    var latencies = Histogram()

    mutating func add(_ status: Int, _ seconds: Double) {
      statuses[status, default: 0] += 1
      latencies.add(seconds)
    }
  }

  struct Figures {
    var routes: [Route: RouteFigures] = [:]
    /// Requests refused before routing, by status.
    var refusals: [Int: Int] = [:]
    /// Open event streams.
    var listeners = 0
  }

  private let state = Mutex(Figures())

  var figures: Figures { state.withLock { $0 } }

  func note(_ route: Route, status: Int, seconds: Double) {
    state.withLock { $0.routes[route, default: RouteFigures()].add(status, seconds) }
  }

  func recordRefusal(_ problem: Problem) {
    state.withLock { $0.refusals[problem.status, default: 0] += 1 }
  }

  func countListeners(_ change: Int) { state.withLock { $0.listeners += change } }
}
