import HTTPTypes
import Hummingbird

/// Answers 405 instead of 404 if the resource exists but does not allow the method, whatever the method is.
struct MethodMiddleware: RouterMiddleware {
  private struct Resource {
    /// The segments of its path; `nil` matches any.
    var parts: [String?]
    var allow: String

    func isAt(_ path: [Substring]) -> Bool {
      parts.count == path.count && zip(parts, path).allSatisfy { $0 == nil || $0 == String($1) }
    }
  }

  private let resources: [Resource]

  init(_ routes: [Router<ServiceContext>.RouteDescription]) {
    let order: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete]
    resources = Dictionary(grouping: routes, by: \.path.description).map { path, routes in
      var allowed = Set(routes.map(\.method))
      if allowed.contains(.get) { allowed.insert(.head) }
      return Resource(
        parts: path.split(separator: "/").map { $0.hasPrefix("{") ? nil : String($0) },
        allow: order.filter(allowed.contains).map(\.rawValue).joined(separator: ", "))
    }
  }

  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    let path = request.uri.path.split(separator: "/")
    if let resource = resources.first(where: { $0.isAt(path) }) {
      throw Problem.methodNotAllowed(resource.allow)
    }
    return try await next(request, context)
  }
}
