import ArtworkModel
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One page that shows everything and needs nothing else: style, script, data and small pictures are inside, and
/// the smallest videos. The larger ones are played from where they are, seen from the report's folder.
///
/// Scripts run only if they are the page's own: the policy in it names their digest. The data is no script,
/// and the page makes text of it, never markup.
package enum HTMLReport {
  package static func render(_ report: CheckReport, _ setting: ReportSetting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let data = try encoder.encode(PageDocument(report, setting))
    let (style, script) = (PackageResources.report_css, scriptBytes)
    let policy = [
      "default-src 'none'", "base-uri 'none'", "form-action 'none'", "img-src data:",
      "media-src 'self' file: data: blob:", "style-src \(try digest(style))",
      "script-src \(try digest(script))",
    ].joined(separator: "; ")
    return assemble(
      PackageResources.report_html,
      ["policy": Array(policy.utf8), "style": style, "script": script, "data": inert(data)])
  }

  private static let scriptBytes =
    PackageResources.curve_js + PackageResources.card_js + PackageResources.report_js

  private static func digest(_ bytes: [UInt8]) throws(DigestError) -> String {
    "'sha256-\(Data(try SHA256.digest(of: bytes)).base64EncodedString())'"
  }

  /// No name inside can end the element that the data stands in: JSON knows `<` by its number, too.
  private static func inert(_ json: Data) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count)
    for byte in json {
      if byte == UInt8(ascii: "<") { bytes += Array("\\u003c".utf8) } else { bytes.append(byte) }
    }
    return bytes
  }

  /// `{{name}}` of the page becomes the part of that name. What is put in is not looked at again.
  private static func assemble(_ page: [UInt8], _ parts: [String: [UInt8]]) -> String {
    var bytes: [UInt8] = []
    for (index, piece) in String(decoding: page, as: UTF8.self).split(separator: "{{").enumerated()
    {
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
