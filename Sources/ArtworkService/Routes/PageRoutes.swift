import ArtworkPipeline
import ArtworkStore
import CEmbedded
import HTTPTypes
import Hummingbird
import NIOCore

/// The Now Playing page, which is part of the binary.
struct PageRoutes: Sendable {
  private struct File {
    var path: RouterPath
    var type: String
    var bytes: [UInt8]
  }

  private static var files: [File] {
    [
      File(path: "/", type: "text/html; charset=utf-8", bytes: [UInt8](embedded_index_html)),
      File(
        path: "/service.js", type: "text/javascript; charset=utf-8",
        bytes: [UInt8](embedded_service_js)),
      File(
        path: "/page.js", type: "text/javascript; charset=utf-8", bytes: [UInt8](embedded_page_js)),
      File(
        path: "/lists.js", type: "text/javascript; charset=utf-8", bytes: [UInt8](embedded_lists_js)
      ),
      File(
        path: "/controls.js", type: "text/javascript; charset=utf-8",
        bytes: [UInt8](embedded_controls_js)),
      File(path: "/style.css", type: "text/css; charset=utf-8", bytes: [UInt8](embedded_style_css)),
      File(path: "/icon.svg", type: "image/svg+xml", bytes: [UInt8](embedded_icon_svg)),
    ]
  }

  static var paths: [String] { files.map(\.path.description) }

  /// Nothing from other origins, nothing inline. Pictures and videos come from memory, where the script puts them.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  func add(to router: Router<ServiceContext>) {
    for file in Self.files {
      var headers: HTTPFields = [.contentType: file.type, .cacheControl: "no-cache"]
      headers[.contentSecurityPolicy] = Self.policy
      if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
      let response = Response(
        status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
      router.get(file.path) { request, _ in
        _ = try request.query()
        return response
      }
    }
  }
}
