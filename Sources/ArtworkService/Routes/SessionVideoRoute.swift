import ArtworkModel
import ArtworkPipeline
import NIOHTTP1

/// The video of an artwork that a session publishes, as a file URL for this session alone.
struct SessionVideoRoute: Sendable {
  let center: NowPlayingCenter

  var routes: [Route] {
    [
      Route(.POST, "/v1/sessions/{id}/artwork/{key}/video", post)
    ]
  }

  @Sendable private func post(_ request: Request) async throws -> Response {
    let query = try request.query(["application", AnswerDeadline.parameter])
    let (id, application) = try request.session(query)
    let deadline = try AnswerDeadline(query, request)
    let key = try request.key()
    let size = try request.json(PixelSize.self, as: "VideoRequest")
    let video = try await center.video(
      for: id, of: application, key, size: size, within: deadline.time, unless: deadline.stop)
    let shown = try center.presentation(of: key, in: id, of: application)
    switch video {
    case .video(let lease):
      var answer = VideoAnswer(showing: .video, shown.reason)
      answer.url = lease.url
      answer.artworkID = lease.reference.artworkID
      answer.bytes = lease.bytes
      answer.rendition = lease.rendition
      return try JSON.response(answer)
    case .none(let code, let message):
      // Without a file, the still picture replaces a video that could be shown.
      return try JSON.response(
        VideoAnswer(
          showing: shown.show == .video ? .preview : shown.show,
          Presentation.Reason(code: code, message: message)))
    }
  }
}

extension Lease {
  var url: String { "file://\(file.percentEncoded)" }

  /// The lease as clients see it.
  var served: LeaseRecord {
    var record = record
    record.url = url
    record.owner = LeaseRecord.Owner(process: owner.process?.identifier)
    return record
  }
}
