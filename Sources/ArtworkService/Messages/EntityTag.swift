import HTTPTypes
import Hummingbird

/// Conditional requests (RFC 9110, 13).
enum EntityTag {
  /// Whether the client has what `tag` names, by `If-None-Match`.
  static func isKnown(_ tag: String, to request: Request) -> Bool {
    guard let names = request.headers[.ifNoneMatch] else { return false }
    return names.split(separator: ",").contains { name in
      let name = name.filter { $0 != " " && $0 != "\t" }
      return name == "*" || name == "\"\(tag)\"" || name == "W/\"\(tag)\""
    }
  }

  static func headers(_ tag: String, contentType: String) -> HTTPFields {
    [.contentType: contentType, .eTag: "\"\(tag)\"", .cacheControl: "no-cache"]
  }
}
