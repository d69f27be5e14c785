import ArtworkPipeline
import CEmbedded
import NIOCore
import NIOHTTP1

/// The Now Playing page, which is part of the binary.
struct PageRoutes: Sendable {
  private struct File {
    var path: String
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

  static var paths: [String] { files.map(\.path) }

  /// Nothing from other origins, nothing inline. Pictures and videos come from memory, where the script puts them.
  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src blob:; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  var routes: [Route] {
    Self.files.map { file in
      let response = Response(
        .ok,
        [
          "Content-Type": file.type, "Cache-Control": "no-cache",
          "Content-Security-Policy": Self.policy, "Referrer-Policy": "no-referrer",
        ], .bytes(ByteBuffer(bytes: file.bytes)))
      return Route(.GET, file.path) { request in
        _ = try request.query()
        return response
      }
    }
  }
}
