import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1

/// A complete request, as its route sees it.
struct Request: Sendable {
  let method: HTTPMethod
  /// Path and query as they were sent.
  let target: String
  let version: HTTPVersion
  let headers: HTTPHeaders
  let connection: Connection
  var body = ByteBuffer()
  /// The segments that stand for the placeholders of the route, still percent-encoded.
  var parameters: [Substring: Substring] = [:]

  init(_ head: HTTPRequestHead, on connection: Connection) {
    method = head.method
    target = head.uri
    version = head.version
    headers = head.headers
    self.connection = connection
  }

  /// The segments of the path. A `/` at its end means nothing.
  var path: [Substring] { target.prefix { $0 != "?" }.split(separator: "/") }

  /// All values of a header field, separated by commas.
  func field(_ name: String) -> String? {
    let values = headers[name]
    return values.count > 1 ? values.joined(separator: ", ") : values.first
  }

  /// The languages of the reader.
  var languages: ReaderLanguages { ReaderLanguages(acceptLanguage: field("accept-language")) }

  /// - Throws: ``Problem`` for a parameter that is not `known`.
  func query(_ known: Set<String> = []) throws(Problem) -> Query {
    let text = target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    return try Query(String(text), known: known)
  }

  /// - Parameter schema: of the body, in openapi.json.
  func json<Value: Decodable>(_ type: Value.Type, as schema: String) throws(Problem) -> Value {
    try JSON.decode(type, as: schema, from: try body(of: ["application/json"]))
  }

  /// - Parameter types: the media types of the body. No HTML form can send them.
  func body(of types: Set<String>) throws(Problem) -> [UInt8] {
    let named = headers["content-type"]
    guard named.count == 1, let name = named.first?.prefix(while: { $0 != ";" }),
      types.contains(name.lowercased().filter { $0 != " " && $0 != "\t" })
    else { throw .unsupportedMediaType(types) }
    return Array(body.readableBytesView)
  }

  // MARK: Parameters of the path

  /// - Parameter isNew: whether the request may create the resource. `.` and `..` are then refused, because most
  ///   clients resolve them in a path before they send it.
  /// - Throws: ``Problem`` for an identifier that is empty, too long or not encoded correctly.
  func identity<ID: ExactIdentity>(
    _ parameter: Substring, isNew: Bool = false
  ) throws(Problem) -> ID {
    guard let text = parameters[parameter].flatMap({ PercentEncoding.decode($0) }),
      let identity = ID(text)
    else {
      throw .badRequest(
        "\(parameter) must be 1 to \(ID.longest) bytes of percent-encoded UTF-8")
    }
    if isNew, identity.text == "." || identity.text == ".." {
      throw .badRequest("\(parameter) must not be . or .., which stand for folders in a path")
    }
    return identity
  }

  /// The session that a request names by its path and by `application`.
  func session(_ query: Query) throws(Problem) -> (id: SessionID, application: String?) {
    (try identity("id"), query["application"])
  }

  func key() throws(Problem) -> ArtworkKey {
    guard let key = parameters["key"].flatMap({ ArtworkKey(rawValue: String($0)) }) else {
      throw .badRequest(
        "the key must be \(ArtworkKey.allCases.map(\.rawValue).joined(separator: " or "))")
    }
    return key
  }

  /// A variant of an artwork.
  func variant() throws(Problem) -> ArtworkReference {
    ArtworkReference(try identity("artworkID"), try key())
  }

  /// A variant of an artwork, or its cover.
  func reference(isNew: Bool = false) throws(Problem) -> ArtworkReference {
    let artworkID: ArtworkID = try identity("artworkID", isNew: isNew)
    let part = String(parameters["key"] ?? "")
    guard let reference = ArtworkReference(artworkID, part: part) else {
      throw .badRequest(
        "the key must be \((ArtworkKey.allCases.map(\.rawValue) + ["cover"]).listed("or"))")
    }
    return reference
  }
}
