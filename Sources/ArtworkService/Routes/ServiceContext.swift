import ArtworkModel
import ArtworkPipeline
import HTTPTypes
import Hummingbird
import Logging

/// The context of a request besides its message.
struct ServiceContext: RequestContext {
  struct Source: RequestContextSource {
    var logger: Logger
    var connection: Connection
  }

  var coreContext: CoreRequestContextStorage
  let connection: Connection

  init(source: Source) {
    coreContext = CoreRequestContextStorage(source: source)
    connection = source.connection
  }

  /// - Parameter isNew: whether the request may create the resource. `.` and `..` are then refused, because most
  ///   clients resolve them in a path before they send it.
  /// - Throws: ``Problem`` for an identifier that is empty, too long or not encoded correctly.
  func identity<ID: ExactIdentity>(
    _ parameter: String, isNew: Bool = false
  ) throws(Problem) -> ID {
    guard let text = coreContext.parameters.get(parameter).flatMap({ PercentEncoding.decode($0) }),
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
    guard let key = coreContext.parameters.get("key").flatMap(ArtworkKey.init(rawValue:)) else {
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
    let part = coreContext.parameters.get("key") ?? ""
    guard let reference = ArtworkReference(artworkID, part: part) else {
      throw .badRequest(
        "the key must be \((ArtworkKey.allCases.map(\.rawValue) + ["cover"]).listed("or"))")
    }
    return reference
  }
}

extension Request {
  /// The whole body. Its size is limited here and when it is received.
  ///
  /// - Parameter types: the media types of the body. No HTML form can send them.
  func json<Value: Decodable>(
    _ type: Value.Type, _ context: ServiceContext, as types: Set<String> = ["application/json"]
  ) async throws -> Value {
    let named = headers[values: .contentType]
    guard named.count == 1, let name = named.first?.prefix(while: { $0 != ";" }),
      types.contains(name.lowercased().filter { $0 != " " && $0 != "\t" })
    else { throw Problem.unsupportedMediaType(types) }
    return try JSON.decode(type, from: try await body.collect(upTo: context.connection.limits.body))
  }

  /// The languages of the reader.
  var languages: ReaderLanguages { ReaderLanguages(acceptLanguage: headers[.acceptLanguage]) }

  /// - Throws: ``Problem`` for a parameter that is not `known`.
  func query(_ known: Set<String> = []) throws(Problem) -> Query {
    try Query(uri.query, known: known)
  }
}

/// Turns a route's errors into problem documents.
struct ProblemMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch {
      return problem(error, context).response
    }
  }

  private func problem(_ error: any Error, _ context: ServiceContext) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case let error as StoreError: return Problem(error)
    case let error as HTTPError where error.status == .notFound: return .noSuchResource
    case let error as HTTPError where error.status == .contentTooLarge:
      return .tooLarge(context.connection.limits.body)
    default:
      context.logger.error("a request failed", metadata: ["error": "\(error)"])
      return .failed
    }
  }
}
