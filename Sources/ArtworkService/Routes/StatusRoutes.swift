import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import CEmbedded
import NIOCore
import NIOHTTP1

/// Health, metrics and the API description.
struct StatusRoutes: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics
  let connections: ConnectionTable
  let version: String

  var routes: [Route] {
    [
      Route(.GET, "/healthz", health),
      Route(.GET, "/metrics", figures),
      Route(.GET, "/openapi.json") { request in
        _ = try request.query()
        return Response(
          .ok, ["Content-Type": "application/json"],
          .bytes(ByteBuffer(bytes: [UInt8](embedded_openapi_json))))
      },
    ]
  }

  private struct Health: Encodable {
    var status = "ok"
    var version: String
  }

  @Sendable private func health(_ request: Request) async throws -> Response {
    _ = try request.query()
    do throws(StoreError) { try await center.store.checkHealth() } catch {
      throw Problem.unhealthy(error)
    }
    return try JSON.response(Health(version: version))
  }

  @Sendable private func figures(_ request: Request) throws -> Response {
    _ = try request.query()
    var text = PrometheusText()
    requests(&text)
    store(&text)
    process(&text)
    return Response(
      .ok,
      ["Content-Type": "text/plain; version=0.0.4; charset=utf-8", "Cache-Control": "no-store"],
      .bytes(ByteBuffer(string: text.text)))
  }

  private func requests(_ text: inout PrometheusText) {
    let figures = metrics.figures
    text.family("artworkd_requests_total", .counter, "Requests by route and status.")
    let routes = figures.routes.sorted { $0.key < $1.key }
    for (route, figures) in routes {
      for (status, count) in figures.statuses.sorted(by: { $0.key < $1.key }) {
        text.sample(
          "artworkd_requests_total",
          [("method", route.method), ("route", route.path), ("status", "\(status)")],
          Double(count))
      }
    }
    text.family("artworkd_refused_total", .counter, "Requests refused before routing, by status.")
    for (status, count) in figures.refusals.sorted(by: { $0.key < $1.key }) {
      text.sample("artworkd_refused_total", [("status", "\(status)")], Double(count))
    }
    let name = "artworkd_request_seconds"
    text.family(name, .histogram, "Seconds until the response is ready to be sent.")
    for (route, histogram) in routes.map({ ($0.key, $0.value.latencies) }) {
      let labels = [("method", route.method), ("route", route.path)]
      var total = 0
      for (limit, count) in zip(ServiceMetrics.Histogram.limits, histogram.counts) {
        total += count
        text.sample("\(name)_bucket", labels + [("le", "\(limit)")], Double(total))
      }
      text.sample("\(name)_bucket", labels + [("le", "+Inf")], Double(histogram.count))
      text.sample("\(name)_sum", labels, histogram.sum)
      text.sample("\(name)_count", labels, Double(histogram.count))
    }
    text.single(
      "artworkd_connections", .gauge, "Open connections.", Double(connections.count))
    text.single(
      "artworkd_connections_refused_total", .counter, "Refused connections.",
      Double(connections.refused))
    text.single(
      "artworkd_event_streams", .gauge, "Open event streams.", Double(figures.listeners))
  }

  private func store(_ text: inout PrometheusText) {
    let usage = center.store.usage()
    for (name, help, value) in [
      ("artworks", "Registered artworks.", Double(usage.artworks)),
      ("store_bytes", "Bytes of videos, previews and copies for sessions.", Double(usage.bytes)),
      ("store_budget_bytes", "Byte budget of the store.", Double(usage.byteBudget)),
      ("leases", "Leases of sessions.", Double(usage.leases)),
      (
        "leased_bytes", "Bytes of leased videos, their previews and copies.",
        Double(usage.leasedBytes)
      ),
      ("store_pending", "Inspections that run or wait.", Double(usage.pending)),
    ] {
      text.single("artworkd_\(name)", .gauge, help, value)
    }
    let counters = center.store.counters
    for (name, help, value) in [
      ("preview_hits", "Previews that were stored already.", counters.previewHits),
      ("preview_misses", "Previews that had to be drawn.", counters.previewMisses),
      ("inspections", "Inspections.", counters.inspections),
      ("refusals", "Videos that were refused.", counters.refusals),
      ("evictions", "Evicted videos.", counters.evictions),
      ("fetches", "Downloads.", counters.fetches),
    ] {
      text.single("artworkd_\(name)_total", .counter, help, Double(value))
    }
  }

  private func process(_ text: inout PrometheusText) {
    if let bytes = ProcessFigures.residentBytes {
      text.single(
        "process_resident_memory_bytes", .gauge, "Resident memory size in bytes.", Double(bytes))
    }
    if let count = ProcessFigures.openDescriptors {
      text.single(
        "process_open_fds", .gauge, "Number of open file descriptors.", Double(count))
    }
  }
}
