package import ArtworkModel
import ArtworkPipeline
import ArtworkService
import ArtworkStore
package import Foundation
package import Hummingbird
import NIOCore

/// Answers for ``FakeService``.
package struct FakeRoutes: Sendable {
  package let state: FakeService.SharedState

  package struct Refusal: Error {
    package var status: HTTPResponse.Status
    package var code: String
    package var detail: String
  }

  /// 1x1 pixel: a real PNG.
  package static let png = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  )

  package func respond(to request: Request) async throws -> Response {
    let path = request.uri.path
    let query = request.uri.query.map { "?\($0)" } ?? ""
    let body = Data(try await request.body.collect(upTo: 1 << 20).readableBytesView)
    let method = request.method.rawValue
    let surprise = state.with { state in
      state.requests.append("\(method) \(path)\(query)")
      defer { state.surprise = nil }
      return state.surprise
    }
    if let surprise { return surprise }
    do {
      if let token = state.with({ $0.token }),
        request.headers[.authorization] != "Bearer \(token)"
      {
        throw Refusal(status: .unauthorized, code: "unauthorized", detail: "The token is missing.")
      }
      let types = ["application/json", "application/merge-patch+json"]
      if !body.isEmpty, !types.contains(request.headers[.contentType] ?? "") {
        throw Refusal(
          status: .unsupportedMediaType, code: "unsupported-media-type", detail: "JSON, please.")
      }
      let segments = path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
      guard segments.first == "v1" else { throw notFound }
      return try answer(method, Array(segments.dropFirst()), request, body)
    } catch let refusal as Refusal {
      let json =
        #"{"type":"urn:artworkd:problem:\#(refusal.code)","title":"No","status":\#(refusal.status.code),"detail":"\#(refusal.detail)","code":"\#(refusal.code)"}"#
      return Response(
        status: refusal.status,
        headers: [.contentType: "application/problem+json", .retryAfter: "7"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
    }
  }

  private var notFound: Refusal {
    Refusal(status: .notFound, code: "not-found", detail: "There is no such thing.")
  }

  private func answer(
    _ method: String, _ path: [String], _ request: Request, _ body: Data
  ) throws -> Response {
    switch (method, path.first, path.count) {
    case ("GET", "now-playing", 1): return json(document())
    case ("GET", "conditions", 1): return json(state.with { $0.board.conditions })
    case ("PUT", "conditions", 1):
      let conditions = try JSONDecoder().decode(DeviceConditions.self, from: body)
      state.with { $0.board.conditions = conditions }
      tell("conditions", json: text(conditions))
      return json(conditions)
    case ("GET", "events", 1): return events(request)
    case ("GET", "artworks", 2): return try variants(path)
    case ("GET", "sessions", 1): return json(["sessions": document().sessions])
    case (_, "artworks", 3...): return try artwork(method, path, request, body)
    case (_, "sessions", 2...): return try session(method, path, request, body)
    default: throw notFound
    }
  }

  // MARK: Artworks

  private func artwork(
    _ method: String, _ path: [String], _ request: Request, _ body: Data
  ) throws -> Response {
    guard let id = ArtworkID(path[1]), let reference = ArtworkReference(id, part: path[2]) else {
      throw notFound
    }
    if method == "PUT" {
      struct Placement: Decodable { var source: ArtworkSource }
      guard case .file(let source, _) = try JSONDecoder().decode(Placement.self, from: body).source
      else { throw Refusal(status: .forbidden, code: "source-not-allowed", detail: "No.") }
      state.with { $0.artworks[reference] = source }
      tell(
        reference.key == nil ? "cover" : "artwork",
        json: #"{"artworkID":\#(text(id)),"key":"\#(reference.part)","status":"ready"}"#)
    }
    guard let source = state.with({ $0.artworks[reference] }) else {
      throw Refusal(status: .notFound, code: "unknown-artwork", detail: "Put it first.")
    }
    if method == "DELETE" {
      state.with { $0.artworks[reference] = nil }
      return Response(status: .noContent)
    }
    if path.count == 4 { return preview(request) }
    return raw(record(reference, source), status: method == "PUT" ? .created : .ok)
  }

  private func variants(_ path: [String]) throws -> Response {
    guard let id = ArtworkID(path[1]) else { throw notFound }
    let records = ArtworkKey.allCases.compactMap { key in
      state.with { $0.artworks[ArtworkReference(id, key)] }.map { source in
        #""\#(key.rawValue)":\#(record(ArtworkReference(id, key), source))"#
      }
    }
    guard !records.isEmpty else {
      throw Refusal(status: .notFound, code: "unknown-artwork", detail: "Put it first.")
    }
    return raw(
      #"{"artworkID":\#(text(id)),"variants":{\#(records.joined(separator: ","))}}"#)
  }

  private func record(_ reference: ArtworkReference, _ source: String) -> String {
    let isRefused = source.hasSuffix("broken.mp4")
    let failure =
      isRefused
      ? #","error":{"code":"not-a-video","message":"It holds no video.","help":"Export it again."}"#
      : ""
    return
      #"{"artworkID":\#(text(reference.artworkID)),"key":"\#(reference.part)","status":"\#(isRefused ? "refused" : "ready")","source":{"path":\#(text(source))},"digest":"ab","bytes":5,"leases":0,"extra":1,"report":{"verdict":"warn","findings":[{"rule":"static","severity":"warning","message":"Nothing moves.","profile":"x"}]}\#(failure)}"#
  }

  private func preview(_ request: Request) -> Response {
    let given = request.headers[.ifNoneMatch] ?? ""
    state.with { $0.ifNoneMatch.append(given) }
    if given == "\"tag\"" { return Response(status: .notModified, headers: [.eTag: "\"tag\""]) }
    return Response(
      status: .ok, headers: [.contentType: "image/png", .eTag: "\"tag\""],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: Self.png ?? Data())))
  }

  // MARK: Sessions

  private func session(
    _ method: String, _ path: [String], _ request: Request, _ body: Data
  ) throws -> Response {
    guard let name = SessionID(path[1]) else { throw notFound }
    if method == "PUT" {
      let published = try JSONDecoder().decode(SessionRequest.self, from: body)
      let id = SessionReference(published.session.application, name)
      let isNew = state.with { $0.board.sessions[id] == nil }
      if !isNew, request.headers[.ifNoneMatch] == "*" {
        throw Refusal(
          status: .preconditionFailed, code: "precondition-failed", detail: "It is there.")
      }
      state.with { state in
        state.board.publish(published.session, as: name)
        state.owners[id] = published.ownerProcess ?? state.owners[id]
      }
      tell("session", id, #","ended":false"#)
      return described(id, status: isNew ? .created : .ok)
    }
    let application = request.uri.queryParameters["application"].map(String.init)
    let board = state.with { $0.board }
    let id: SessionReference
    do throws(StoreError) {
      id = try board.reference(name, of: application)
    } catch {
      let status = error.code == .unknownSession ? HTTPResponse.Status.notFound : .conflict
      throw Refusal(status: status, code: error.code.rawValue, detail: error.message)
    }
    guard let session = board.sessions[id] else { throw notFound }
    switch (method, path.dropFirst(2).first) {
    case ("GET", nil): return described(id)
    case ("PATCH", nil):
      let patch = try JSONDecoder().decode(JSONValue.self, from: body)
      let former = try JSONDecoder().decode(JSONValue.self, from: Data(text(session).utf8))
      let revised = try JSONDecoder().decode(
        MediaSession.self, from: Data(text(former.merging(patch)).utf8))
      state.with { state in
        state.patches.append(String(decoding: body, as: UTF8.self))
        state.board.publish(revised, as: name)
      }
      tell("session", id, #","ended":false"#)
      return described(id)
    case ("DELETE", "primary"):
      _ = state.with { $0.board.demote(id, .application) }
      return Response(status: .noContent)
    case ("DELETE", nil):
      end(id)
      return Response(status: .noContent)
    case ("POST", "primary"):
      struct Promotion: Decodable { var scope: SessionRegistry.Scope }
      let scope = try JSONDecoder().decode(Promotion.self, from: body).scope
      _ = state.with { $0.board.promote(id, scope) }
      tell("primary", id, #","scope":"\#(scope.rawValue)""#)
      return Response(status: .noContent)
    case ("POST", "artwork"):
      let key = ArtworkKey(rawValue: path[3])
      guard let artworkID = key.flatMap({ session.artwork[$0] }) else {
        throw Refusal(status: .conflict, code: "not-published", detail: "It publishes no such key.")
      }
      guard key == .square else {
        return raw(
          #"{"url":null,"show":"preview","reason":{"code":"late","message":"It takes too long."}}"#)
      }
      return raw(
        #"{"url":"file:///leases/a.mp4","artworkID":\#(text(artworkID)),"bytes":5,"show":"video","reason":{"code":"plays","message":"It plays."}}"#
      )
    default: throw notFound
    }
  }

  package func end(_ id: SessionReference) {
    guard state.with({ $0.board.end(id) }) else { return }
    tell("session", id, #","ended":true"#)
  }

  private func described(
    _ id: SessionReference, status: HTTPResponse.Status = .ok
  ) -> Response {
    json(
      document().sessions.first { $0.id == id.id && $0.session.application == id.application },
      status: status)
  }

  private func document() -> NowPlaying {
    state.with { state in
      let known = state.artworks
      var document = state.board.nowPlaying(at: 1000) {
        known[$0] == nil ? .unknown : .ready(broken: [])
      }
      for index in document.sessions.indices {
        let session = document.sessions[index]
        document.sessions[index].ownerProcess =
          state.owners[SessionReference(session.session.application, session.id)]
      }
      return document
    }
  }

  // MARK: Events

  private func events(_ request: Request) -> Response {
    let query = request.uri.queryParameters
    let held = query["own"].flatMap { SessionID(String($0)) }.map {
      SessionReference(query["application"].map(String.init) ?? "", $0)
    }
    let (stream, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
    let number = state.with { state in
      state.lastStream += 1
      state.streams[state.lastStream] = continuation
      if let held { state.holders[held, default: 0] += 1 }
      return state.lastStream
    }
    continuation.yield(ByteBuffer(string: "event: now-playing\ndata: \(text(document()))\n\n"))
    // A connection that has gone shows when something is written.
    let ticking = Task {
      while (try? await Task.sleep(for: .milliseconds(20))) != nil {
        continuation.yield(ByteBuffer(string: ": keep-alive\n\n"))
      }
    }
    continuation.onTermination = { _ in
      ticking.cancel()
      let last: SessionReference? = state.with { state in
        // Stopped as a whole, a service remembers its sessions.
        guard state.streams.removeValue(forKey: number) != nil, let held else { return nil }
        state.holders[held, default: 0] -= 1
        return state.holders[held] == 0 ? held : nil
      }
      if let last { end(last) }
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream"],
      body: ResponseBody(asyncSequence: stream))
  }

  private func tell(_ name: String, _ id: SessionReference, _ rest: String) {
    let (session, application) = (text(id.id), text(id.application))
    tell(name, json: #"{"sessionID":\#(session),"application":\#(application)\#(rest)}"#)
  }

  private func tell(_ name: String, json: String) {
    let message = ByteBuffer(string: "event: \(name)\ndata: \(json)\n\n")
    for stream in state.with({ Array($0.streams.values) }) { stream.yield(message) }
  }

  // MARK: JSON

  private func text(_ value: some Encodable) -> String {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  private func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    raw(text(value), status: status)
  }

  private func raw(_ json: String, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: json)))
  }
}
