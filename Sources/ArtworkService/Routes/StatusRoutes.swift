import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird
import NIOCore

/// Whether the service lives, and figures of it.
struct StatusRoutes: Sendable {
  let center: NowPlayingCenter
  let metrics: ServiceMetrics
  let connections: ConnectionTable
  let version: String

  func add(to router: Router<ServiceContext>) {
    router.get("/healthz", use: health)
    router.get("/metrics", use: figures)
    router.get("/openapi.json") { request, _ in
      _ = try request.query()
      return Response(
        status: .ok, headers: [.contentType: "application/json"],
        body: .init(byteBuffer: ByteBuffer(bytes: PackageResources.openapi_json)))
    }
  }

  private struct Health: Encodable {
    var status = "ok"
    var version: String
  }

  @Sendable private func health(_ request: Request, _ context: ServiceContext) throws -> Response {
    _ = try request.query()
    return try JSON.response(Health(version: version))
  }

  @Sendable private func figures(_ request: Request, _ context: ServiceContext) throws -> Response {
    _ = try request.query()
    var text = PrometheusText()
    requests(&text)
    store(&text)
    process(&text)
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
      ],
      body: .init(byteBuffer: ByteBuffer(string: text.text)))
  }

  private func requests(_ text: inout PrometheusText) {
    let figures = metrics.figures
    text.family("artworkd_requests_total", .counter, "Requests by route and status.")
    for (route, statuses) in figures.statuses.sorted(by: { $0.key < $1.key }) {
      for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
        text.sample(
          "artworkd_requests_total",
          [("method", route.method), ("route", route.path), ("status", "\(status)")],
          Double(count))
      }
    }
    text.family("artworkd_refused_total", .counter, "Refused before routing, by status.")
    for (status, count) in figures.refusals.sorted(by: { $0.key < $1.key }) {
      text.sample("artworkd_refused_total", [("status", "\(status)")], Double(count))
    }
    let name = "artworkd_request_seconds"
    text.family(name, .histogram, "Time to an answer, without sending it.")
    for (route, histogram) in figures.latencies.sorted(by: { $0.key < $1.key }) {
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
      "artworkd_connections", .gauge, "Connections that are open.", Double(connections.count))
    text.single(
      "artworkd_connections_refused_total", .counter, "Connections that were turned away.",
      Double(connections.refused))
    text.single(
      "artworkd_event_streams", .gauge, "Listeners to events.", Double(figures.listeners))
  }

  private func store(_ text: inout PrometheusText) {
    let usage = center.store.usage()
    for (name, help, value) in [
      ("artworks", "Artworks that are known.", Double(usage.artworks)),
      ("store_bytes", "Bytes of videos and previews.", Double(usage.bytes)),
      ("store_budget_bytes", "Bytes that may be kept.", Double(usage.byteBudget)),
      ("leases", "Leases that are held.", Double(usage.leases)),
      ("leased_bytes", "Bytes that are leased.", Double(usage.leasedBytes)),
      ("store_pending", "Videos being looked at or waiting for that.", Double(usage.pending)),
    ] {
      text.single("artworkd_\(name)", .gauge, help, value)
    }
    let counters = center.store.counters
    for (name, help, value) in [
      ("preview_hits", "Previews that the store had.", counters.previewHits),
      ("preview_misses", "Previews that had to be made.", counters.previewMisses),
      ("inspections", "Videos that were looked at.", counters.inspections),
      ("refusals", "Videos that cannot be used.", counters.refusals),
      ("evictions", "Videos that were evicted.", counters.evictions),
      ("fetches", "Videos that were fetched.", counters.fetches),
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
