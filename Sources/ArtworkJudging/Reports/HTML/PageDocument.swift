import FoundationEssentials

/// The data of the page in Page/: the results as in `--format json` without their measurements, and pictures.
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
    var reportImages: Pictures?
    /// What each of its findings needs, in their order.
    var needs: [Need]
    /// Why a person may deny it, in sentences.
    var doubts: [String]
    /// The SHA-256 of the file; `nil` if it cannot be read.
    var sha256: String?
    /// The file that it was made of.
    var before: Before?
    /// Its index in ``releases``; `nil` for one without a release.
    var release: Int?
    /// The one command for a candidate that stands alone; `nil` if none helps.
    var command: String?
  }

  struct Before: Encodable {
    var result: ResultDocument
    var video: String
    var embedded: String?
    /// What happened to the picture, in sentences.
    var changes: [String]
    /// Whether it has the other shape, and stays as it is.
    var isSame: Bool
  }

  struct Release: Encodable {
    var artworkID: String
    /// The folder of its first candidate, for display.
    var folder: String
    var cover: Cover?
    /// The one command for all of its files; `nil` if none helps.
    var command: String?
  }

  struct Cover: Encodable {
    var path: String
    /// Its address relative to the page; percent-encoded.
    var address: String
    /// The picture itself, as a `data:` URI.
    var embedded: String?
  }

  struct Pictures: Encodable {
    var preview: String?
    var strip: String?
    var framesBeforeSeam: Int
    var heatMap: String?
    var crop: String?
    var steps: [Double]
    /// Whether the steps are those of the ends only.
    var stepsAreOfEnds: Bool
    var seamStep: Double?

    /// - Parameter place: receives the bytes of a picture and its description, and returns its address.
    init(
      _ reportImages: ReportImages, stepsAreOfEnds: Bool,
      place: (_ bytes: [UInt8], _ name: String) throws -> String?
    ) rethrows {
      preview = try place(reportImages.preview, "preview")
      strip = try place(reportImages.strip, "strip")
      framesBeforeSeam = reportImages.framesBeforeSeam
      heatMap = try place(reportImages.heatMap, "heat")
      crop = try place(reportImages.crop, "crop")
      steps = reportImages.steps.map { ($0 * 100).rounded() / 100 }
      self.stepsAreOfEnds = stepsAreOfEnds
      seamStep = reportImages.seamStep
    }
  }

  struct RuleText: Encodable {
    var title: String
    var meaning: String
    var why: String
    var fix: String
    /// Whether it compares the files of a release.
    var isOfReleases: Bool
  }

  var schemaVersion = ReportDocument.schemaVersion
  var toolVersion: String
  var candidates: [Candidate] = []
  var releases: [Release] = []
  var summary: Summary
  var profiles: [Summary.JudgedFor]
  /// Texts of the rules that have findings.
  var rules: [String: RuleText]

  /// - Throws: the errors of ``ReportSetting/placePicture``.
  init(_ report: CheckReport, _ setting: ReportSetting) throws {
    toolVersion = setting.toolVersion
    summary = report.summary
    profiles = report.profiles.map { Summary.JudgedFor(name: $0.name, title: $0.title) }
    let raised = Set(report.results.flatMap { $0.findings + $0.known }.map(\.rule))
    rules = Dictionary(
      raised.compactMap { id in
        Rules.named(id).map { rule in
          let page = rule.page
          return (
            id,
            RuleText(
              title: page.title, meaning: page.meaning, why: page["Why"], fix: page["Fix"],
              isOfReleases: Rules.ofReleases.contains { $0.id == id })
          )
        }
      }, uniquingKeysWith: { $1 })
    var room = PageRoom(report.results)
    var places: [ArtworkJudging.Release.Name: Int] = [:]
    var needs: [FilePath: [Need]] = [:]
    for release in ReleaseResult.all(report.results) {
      for report in release.reports {
        needs[report.path] = report.findings.map { release.need(of: $0, in: report) }
      }
      let first = release.reports[0]
      guard let name = first.release else { continue }
      places[name] = releases.count
      releases.append(
        Release(
          artworkID: name.artworkID, folder: first.folderName,
          cover: first.cover.map { Self.cover($0.path, setting, &room) },
          command: release.command))
    }
    candidates = try report.results.enumerated().map { index, result in
      let isPictured = setting.placePicture != nil || room.showsPictures(of: index)
      return Candidate(
        result: Self.withoutMeasurements(ResultDocument(result)), folder: result.folderName,
        name: result.fileName, video: setting.pageLink(to: result.path),
        embedded: Self.video(result, setting, &room),
        reportImages: isPictured
          ? try result.reportImages.map {
            try Pictures($0, stepsAreOfEnds: result.inspection?.seam?.scope == .ends) {
              try Self.address(of: $0, "\(index)-\($1).jpg", setting)
            }
          } : nil,
        needs: needs[result.path] ?? [], doubts: setting.doubts(result.path),
        sha256: result.inspection == nil ? nil : setting.digest(result.path),
        before: setting.before(result.path).map { before, changes in
          Before(
            result: Self.withoutMeasurements(ResultDocument(before)),
            video: setting.pageLink(to: before.path),
            embedded: Self.video(before, setting, &room), changes: changes,
            isSame: before.key != result.key)
        },
        release: result.release.flatMap { places[$0] },
        command: result.release == nil ? ReleaseResult(reports: [result]).command : nil)
    }
  }

  /// Returns the address of a picture beside the page or inside it.
  private static func address(
    of picture: [UInt8], _ name: String, _ setting: ReportSetting
  ) throws -> String? {
    guard !picture.isEmpty else { return nil }
    guard let place = setting.placePicture else { return dataURI(picture, type: "image/jpeg") }
    return setting.pageLink(to: try place(picture, name))
  }

  /// The page contains judgements, not the measurements, which are half of a result.
  private static func withoutMeasurements(_ result: ResultDocument) -> ResultDocument {
    var result = result
    result.looks = nil
    result.decoding = nil
    result.evidence = nil
    result.seam?.measurement = nil
    return result
  }

  private static func video(
    _ result: CandidateReport, _ setting: ReportSetting, _ room: inout PageRoom
  ) -> String? {
    guard let facts = result.inspection?.facts, let type = mediaTypes[facts.container] else {
      return nil
    }
    return room.take(result.path, size: facts.fileBytes, setting).flatMap {
      dataURI($0, type: type)
    }
  }

  private static func cover(
    _ path: FilePath, _ setting: ReportSetting, _ room: inout PageRoom
  ) -> Cover {
    let type = FileFormat.stills.first {
      $0.extensions.contains(path.extension?.lowercased() ?? "")
    }.map { "image/\($0.rawValue)" }
    return Cover(
      path: path.string, address: setting.pageLink(to: path),
      embedded: type.flatMap { type in
        room.take(path, size: nil, setting).flatMap { dataURI($0, type: type) }
      })
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

/// How much a page carries along: a page of thousands of candidates must still open.
struct PageRoom {
  /// Bytes that files may still take.
  private var left: Int
  private let pictured: Set<Int>

  /// Pictures come first, and among them those of candidates that need attention.
  init(_ results: [CandidateReport]) {
    var pictures = 0
    var pictured: Set<Int> = []
    let inOrder =
      results.indices.filter { results[$0].isProblem }
      + results.indices.filter { !results[$0].isProblem }
    for index in inOrder {
      let size = results[index].reportImages.map { reportImages in
        reportImages.bytes.count + reportImages.crop.count
      }
      guard pictures + (size ?? 0) <= ReportSetting.largestPictures else { continue }
      pictures += size ?? 0
      pictured.insert(index)
    }
    self.pictured = pictured
    left = max(0, ReportSetting.largestEmbeddedTotal - pictures)
  }

  func showsPictures(of index: Int) -> Bool { pictured.contains(index) }

  /// The bytes of a small file, if there is room.
  ///
  /// - Parameter size: the known size, so that large files are not read; the file may have grown since.
  mutating func take(_ path: FilePath, size: Int64?, _ setting: ReportSetting) -> [UInt8]? {
    let most = min(ReportSetting.largestEmbedded, left)
    guard size ?? 0 <= most, let bytes = setting.contents(path), bytes.count <= most else {
      return nil
    }
    left -= bytes.count
    return bytes
  }
}
