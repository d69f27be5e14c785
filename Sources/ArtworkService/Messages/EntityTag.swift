import HTTPTypes
import Hummingbird

/// Conditional requests (RFC 9110, 13).
enum EntityTag {
  /// Whether `If-None-Match` lists `tag`.
  static func isKnown(_ tag: String, to request: Request) -> Bool {
    request.headers[.ifNoneMatch].map { isNamed(tag, in: $0) } ?? false
  }

  /// - Parameter names: the value of `If-None-Match`.
  static func isNamed(_ tag: String, in names: String) -> Bool {
    names.split(separator: ",").contains { part in
      let name = part.filter { $0 != " " && $0 != "\t" }
      return name == "*" || name == "\"\(tag)\"" || name == "W/\"\(tag)\""
    }
  }

  static func headers(_ tag: String, contentType: String) -> HTTPFields {
    [.contentType: contentType, .eTag: "\"\(tag)\"", .cacheControl: "no-cache"]
  }
}
