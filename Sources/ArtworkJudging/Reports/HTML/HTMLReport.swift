import CEmbedded
import FoundationEssentials

/// One self-contained page: style, script, data, small pictures and small videos are embedded. The page plays larger
/// videos from their place relative to the report's folder.
///
/// Only the page's own scripts run, because its content security policy names their digest. The data is JSON, which the
/// page inserts as text and never as markup.
package enum HTMLReport {
  package static func render(_ report: CheckReport, _ setting: ReportSetting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(try PageDocument(report, setting))
    let (style, script) = unsafe ([UInt8](embedded_report_css), scriptBytes)
    let policy = [
      "default-src 'none'", "base-uri 'none'", "form-action 'none'", "img-src 'self' file: data:",
      "media-src 'self' file: data: blob:", "style-src \(try digest(style))",
      "script-src \(try digest(script))",
    ].joined(separator: "; ")
    return unsafe assemble(
      [UInt8](embedded_report_html),
      ["policy": Array(policy.utf8), "style": style, "script": script, "data": inert(data)])
  }

  private static let scriptBytes = unsafe [
    embedded_curve_js, embedded_card_js, embedded_release_js, embedded_player_js,
    embedded_stretch_js, embedded_overview_js, embedded_review_js, embedded_view_js,
    embedded_report_js,
  ].flatMap { unsafe [UInt8]($0) }

  /// Returns the name of a style or script in a content security policy.
  package static func digest(_ bytes: [UInt8]) throws(DigestError) -> String {
    "'sha256-\(Data(try SHA256.digest(of: bytes)).base64EncodedString())'"
  }

  /// Escapes `<`, so that no text in the data can end the element that contains it.
  private static func inert(_ json: Data) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count)
    for byte in json {
      if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
    }
    return bytes
  }

  /// Replaces each `{{name}}` in the page by the part of that name. Does not search the inserted parts.
  package static func assemble(_ page: [UInt8], _ parts: [String: [UInt8]]) -> String {
    var bytes: [UInt8] = []
    for (index, piece) in String(decoding: page, as: UTF8.self).split(separator: "{{").enumerated() {
      guard index > 0, let end = piece.firstRange(of: "}}") else {
        bytes += Array(piece.utf8)
        continue
      }
      bytes += parts[String(piece[..<end.lowerBound])] ?? []
      bytes += Array(piece[end.upperBound...].utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
