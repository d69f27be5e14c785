package import ArtworkModel
import ArtworkPipeline
import ArtworkService
import Foundation

/// Answers for ``FakeService``.
package struct FakeRoutes: Sendable {
  package let state: FakeService.SharedState

  package struct Refusal: Error {
    package var status: Int
    package var code: String
    package var detail: String
  }

  /// 1x1 pixel: a real PNG.
  package static let png = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  )

  package func respond(to request: FakeRequest) -> FakeAnswer {
    let surprise = state.with { state in
      state.requests.append("\(request.method) \(request.target)")
      defer { state.surprise = nil }
      return state.surprise
    }
    if let surprise { return surprise }
    do {
      if let token = state.with({ $0.token }),
        request.fields["authorization"] != "Bearer \(token)"
      {
        throw Refusal(status: 401, code: "unauthorized", detail: "The token is missing.")
      }
      let types = ["application/json", "application/merge-patch+json"]
      if !request.body.isEmpty, !types.contains(request.fields["content-type"] ?? "") {
        throw Refusal(status: 415, code: "unsupported-media-type", detail: "JSON, please.")
      }
      guard request.path.first == "v1" else { throw notFound }
      return try answer(request.method, Array(request.path.dropFirst()), request, request.body)
    } catch {
      let refusal =
        error as? Refusal ?? Refusal(status: 400, code: "bad-request", detail: "\(type(of: error))")
      let json =
        #"{"type":"urn:artworkd:problem:\#(refusal.code)","title":"No","status":\#(refusal.status),"detail":"\#(refusal.detail)","code":"\#(refusal.code)"}"#
      return FakeAnswer(
        refusal.status, ["Content-Type": "application/problem+json", "Retry-After": "7"],
        .whole(Data(json.utf8)))
    }
  }

  private var notFound: Refusal {
    Refusal(status: 404, code: "not-found", detail: "There is no such thing.")
  }

  private func answer(
    _ method: String, _ path: [String], _ request: FakeRequest, _ body: Data
  ) throws -> FakeAnswer {
    switch (method, path.first, path.count) {
    case ("GET", "now-playing", 1): return json(document())
    case ("GET", "conditions", 1): return json(state.with { $0.board.conditions })
    case ("PUT", "conditions", 1):
      let conditions = try JSONDecoder().decode(DeviceConditions.self, from: body)
      state.with { $0.board.conditions = conditions }
      notify("conditions", json: text(conditions))
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
    _ method: String, _ path: [String], _ request: FakeRequest, _ body: Data
  ) throws -> FakeAnswer {
    guard let id = ArtworkID(path[1]), let reference = ArtworkReference(id, part: path[2]) else {
      throw notFound
    }
    if method == "PUT" {
      struct Placement: Decodable { var source: ArtworkSource }
      guard case .file(let source, _) = try JSONDecoder().decode(Placement.self, from: body).source
      else { throw Refusal(status: 403, code: "source-not-allowed", detail: "No.") }
      state.with { $0.artworks[reference] = source }
      notify(
        reference.key == nil ? "cover" : "artwork",
        json: #"{"artworkID":\#(text(id)),"key":"\#(reference.part)","status":"ready"}"#)
    }
    guard let source = state.with({ $0.artworks[reference] }) else {
      throw Refusal(status: 404, code: "unknown-artwork", detail: "Put it first.")
    }
    if method == "DELETE" {
      state.with { $0.artworks[reference] = nil }
      return FakeAnswer(204)
    }
    if path.count == 4 { return preview(request) }
    return raw(record(reference, source), status: method == "PUT" ? 201 : 200)
  }

  private func variants(_ path: [String]) throws -> FakeAnswer {
    guard let id = ArtworkID(path[1]) else { throw notFound }
    let records = ArtworkKey.allCases.compactMap { key in
      state.with { $0.artworks[ArtworkReference(id, key)] }.map { source in
        #""\#(key.rawValue)":\#(record(ArtworkReference(id, key), source))"#
      }
    }
    guard !records.isEmpty else {
      throw Refusal(status: 404, code: "unknown-artwork", detail: "Put it first.")
    }
    return raw(#"{"artworkID":\#(text(id)),"variants":{\#(records.joined(separator: ","))}}"#)
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

  private func preview(_ request: FakeRequest) -> FakeAnswer {
    let given = request.fields["if-none-match"] ?? ""
    state.with { $0.ifNoneMatch.append(given) }
    if given == "\"tag\"" { return FakeAnswer(304, ["ETag": "\"tag\""]) }
    return FakeAnswer(
      200, ["Content-Type": "image/png", "ETag": "\"tag\""], .whole(Self.png ?? Data()))
  }

  // MARK: Sessions

  private func session(
    _ method: String, _ path: [String], _ request: FakeRequest, _ body: Data
  ) throws -> FakeAnswer {
    guard let name = SessionID(path[1]) else { throw notFound }
    if method == "PUT" {
      let published = try JSONDecoder().decode(SessionRequest.self, from: body)
      let id = SessionReference(published.session.application, name)
      let isNew = state.with { $0.board.sessions[id] == nil }
      if !isNew, request.fields["if-none-match"] == "*" {
        throw Refusal(status: 412, code: "precondition-failed", detail: "It is there.")
      }
      state.with { state in
        state.board.publish(published.session, as: name)
        state.owners[id] = published.ownerProcess ?? state.owners[id]
      }
      notify("session", id, #","ended":false"#)
      return described(id, status: isNew ? 201 : 200)
    }
    let application = request.query["application"]
    let board = state.with { $0.board }
    let id: SessionReference
    do throws(StoreError) {
      id = try board.reference(name, of: application)
    } catch {
      let status = error.code == .unknownSession ? 404 : 409
      throw Refusal(status: status, code: error.code.rawValue, detail: error.message)
    }
    guard let session = board.sessions[id] else { throw notFound }
    switch (method, path.dropFirst(2).first) {
    case ("GET", nil): return described(id)
    case ("PATCH", nil):
      let former = try JSONReader.read(Array(text(session).utf8))
      let revised = try JSONDecoder().decode(
        MediaSession.self, from: Data(former.merging(try JSONReader.read(Array(body))).bytes))
      state.with { state in
        state.patches.append(String(decoding: body, as: UTF8.self))
        state.board.publish(revised, as: name)
      }
      notify("session", id, #","ended":false"#)
      return described(id)
    case ("DELETE", "primary"):
      _ = state.with { $0.board.demote(id, .application) }
      return FakeAnswer(204)
    case ("DELETE", nil):
      end(id)
      return FakeAnswer(204)
    case ("POST", "primary"):
      struct Promotion: Decodable { var scope: SessionRegistry.Scope }
      let scope = try JSONDecoder().decode(Promotion.self, from: body).scope
      _ = state.with { $0.board.promote(id, scope) }
      notify("primary", id, #","scope":"\#(scope.rawValue)""#)
      return FakeAnswer(204)
    case ("POST", "artwork"):
      let key = ArtworkKey(rawValue: path[3])
      guard let artworkID = key.flatMap({ session.artwork[$0] }) else {
        throw Refusal(status: 409, code: "not-published", detail: "It publishes no such key.")
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
    notify("session", id, #","ended":true"#)
  }

  private func described(_ id: SessionReference, status: Int = 200) -> FakeAnswer {
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

  private func events(_ request: FakeRequest) -> FakeAnswer {
    let held = request.query["own"].flatMap { SessionID($0) }.map {
      SessionReference(request.query["application"] ?? "", $0)
    }
    let stream = FakeStream()
    let number = state.with { state in
      state.lastStream += 1
      state.streams[state.lastStream] = stream
      if let held { state.holders[held, default: 0] += 1 }
      return state.lastStream
    }
    stream.yield("event: now-playing\ndata: \(text(document()))\n\n")
    let ended: @Sendable () -> Void = {
      let last: SessionReference? = state.with { state in
        // Stopped as a whole, a service remembers its sessions.
        guard state.streams.removeValue(forKey: number) != nil, let held else { return nil }
        state.holders[held, default: 0] -= 1
        return state.holders[held] == 0 ? held : nil
      }
      if let last { end(last) }
    }
    return FakeAnswer(200, ["Content-Type": "text/event-stream"], .events(stream, ended: ended))
  }

  private func notify(_ name: String, _ id: SessionReference, _ rest: String) {
    let (session, application) = (text(id.id), text(id.application))
    notify(name, json: #"{"sessionID":\#(session),"application":\#(application)\#(rest)}"#)
  }

  private func notify(_ name: String, json: String) {
    for stream in state.with({ Array($0.streams.values) }) {
      stream.yield("event: \(name)\ndata: \(json)\n\n")
    }
  }

  // MARK: JSON

  private func text(_ value: some Encodable) -> String {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  private func json(_ value: some Encodable, status: Int = 200) -> FakeAnswer {
    raw(text(value), status: status)
  }

  private func raw(_ json: String, status: Int = 200) -> FakeAnswer {
    FakeAnswer(status, ["Content-Type": "application/json"], .whole(Data(json.utf8)))
  }
}
