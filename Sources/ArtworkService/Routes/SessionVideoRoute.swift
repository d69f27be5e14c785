import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import NIOHTTP1

/// The video of an artwork that a session publishes, as a file URL for this session alone.
struct SessionVideoRoute: Sendable {
  let center: NowPlayingCenter

  var routes: [Route] {
    [
      Route(.POST, "/v1/sessions/{id}/artwork/{key}/video", post)
    ]
  }

  private struct VideoRequest: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case width, height }

    var width: Int
    var height: Int

    init(from decoder: any Decoder) throws {
      try decoder.refuseFields(otherThan: CodingKeys.allCases)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      width = try container.wholeNumber(forKey: .width)
      height = try container.wholeNumber(forKey: .height)
    }
  }

  private struct Answer: Encodable {
    private enum CodingKeys: String, CodingKey {
      case url, artworkID, bytes, rendition, show, reason
    }

    var lease: Lease?
    var show: Presentation.Show
    var reason: Presentation.Reason

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      // An explicit `null` means that there is no video.
      try container.encode(lease?.url, forKey: .url)
      try container.encodeIfPresent(lease?.reference.artworkID, forKey: .artworkID)
      try container.encodeIfPresent(lease?.bytes, forKey: .bytes)
      try container.encodeIfPresent(lease?.rendition, forKey: .rendition)
      try container.encode(show, forKey: .show)
      try container.encode(reason, forKey: .reason)
    }
  }

  @Sendable private func post(_ request: Request) async throws -> Response {
    let query = try request.query(["application", AnswerDeadline.parameter])
    let (id, application) = try request.session(query)
    let deadline = try AnswerDeadline(query, request)
    let key = try request.key()
    let size = try request.json(VideoRequest.self)
    guard PreviewRoute.sides.contains(size.width), PreviewRoute.sides.contains(size.height) else {
      throw Problem.badRequest(
        "width and height must be numbers from \(PreviewRoute.sides.lowerBound) to "
          + "\(PreviewRoute.sides.upperBound)")
    }
    let video = try await center.video(
      for: id, of: application, key,
      size: PixelSize(width: size.width, height: size.height), within: deadline.time,
      unless: deadline.stop)
    let shown = try center.presentation(of: key, in: id, of: application)
    let answer =
      switch video {
      case .video(let lease): Answer(lease: lease, show: .video, reason: shown.reason)
      case .none(let code, let message):
        // Without a file, the still picture replaces a video that could be shown.
        Answer(
          show: shown.show == .video ? .preview : shown.show,
          reason: Presentation.Reason(code: code, message: message))
      }
    return try JSON.response(answer)
  }
}

extension Lease {
  var url: String { "file://\(file.percentEncoded)" }
}
