import ArtworkModel
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The data of the page in Page/: the results as in `--format json`, and pictures.
struct PageDocument: Encodable {
  struct Candidate: Encodable {
    var result: ResultDocument
    /// The path, in two parts for display.
    var folder: String
    var name: String
    /// The video's address relative to the page; percent-encoded.
    var video: String
    /// The video itself, as a `data:` URI.
    var embedded: String?
    var exhibit: Pictures?
  }

  struct Pictures: Encodable {
    var preview: String?
    var strip: String?
    var framesBeforeSeam: Int
    var heatMap: String?
    var steps: [Double]
    var seamStep: Double?

    init(_ exhibit: Exhibit) {
      preview = PageDocument.dataURI(exhibit.preview, type: "image/jpeg")
      strip = PageDocument.dataURI(exhibit.strip, type: "image/jpeg")
      framesBeforeSeam = exhibit.framesBeforeSeam
      heatMap = PageDocument.dataURI(exhibit.heatMap, type: "image/jpeg")
      steps = exhibit.steps
      seamStep = exhibit.seamStep
    }
  }

  struct Destination: Encodable {
    var name: String
    var title: String
  }

  struct RuleText: Encodable {
    var title: String
    var meaning: String
    var why: String
    var fix: String
  }

  var schemaVersion = ReportDocument.schemaVersion
  var toolVersion: String
  var candidates: [Candidate] = []
  var summary: Summary
  var profiles: [Destination]
  /// Texts of the rules that have findings.
  var rules: [String: RuleText]

  init(_ report: CheckReport, _ setting: ReportSetting) {
    toolVersion = setting.toolVersion
    summary = report.summary
    profiles = report.profiles.map { Destination(name: $0.name, title: $0.title) }
    let raised = Set(report.results.flatMap { $0.findings + $0.known }.map(\.rule))
    rules = Dictionary(
      raised.compactMap { id in
        Rules.named(id).map { rule in
          let text = rule.explanation
          return (
            id,
            RuleText(title: rule.title, meaning: text.meaning, why: text.why, fix: text.fix)
          )
        }
      }, uniquingKeysWith: { $1 })
    var room = ReportSetting.largestEmbeddedTotal
    candidates = report.results.map { result in
      Candidate(
        result: ResultDocument(result), folder: result.folderName, name: result.fileName,
        video: setting.pageLink(to: result.path),
        embedded: Self.embedded(result, setting, room: &room),
        exhibit: result.exhibit.map(Pictures.init))
    }
  }

  /// Small videos are embedded in the order of the results, until the limit for the page is reached.
  private static func embedded(
    _ result: CandidateReport, _ setting: ReportSetting, room: inout Int
  ) -> String? {
    guard let facts = result.inspection?.facts, let type = mediaTypes[facts.container],
      facts.fileBytes <= min(ReportSetting.largestEmbedded, room),
      let bytes = setting.contents(result.path),
      // The file may have grown since its inspection.
      bytes.count <= min(ReportSetting.largestEmbedded, room)
    else { return nil }
    room -= bytes.count
    return dataURI(bytes, type: type)
  }

  /// Containers that browsers play. They play QuickTime movies with the codecs of MP4, but not under the media type of
  /// QuickTime.
  private static let mediaTypes = [
    "mp4": "video/mp4", "mov": "video/mp4", "3gp": "video/mp4", "webm": "video/webm",
  ]

  private static func dataURI(_ bytes: [UInt8], type: String) -> String? {
    bytes.isEmpty ? nil : "data:\(type);base64,\(Data(bytes).base64EncodedString())"
  }
}
