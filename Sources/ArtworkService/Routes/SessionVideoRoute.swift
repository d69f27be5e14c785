import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird

/// The video of an artwork that a session publishes, as a file URL for this session alone.
struct SessionVideoRoute: Sendable {
  let center: NowPlayingCenter

  func add(to router: Router<ServiceContext>) {
    router.post("/v1/sessions/{id}/artwork/{key}/video", use: post)
  }

  private struct VideoRequest: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case width, height }

    var width: Int
    var height: Int

    init(from decoder: any Decoder) throws {
      try decoder.refuseFields(otherThan: CodingKeys.allCases)
      let container = try decoder.container(keyedBy: CodingKeys.self)
      width = try container.decode(Int.self, forKey: .width)
      height = try container.decode(Int.self, forKey: .height)
    }
  }

  private struct Answer: Encodable {
    struct Reason: Encodable {
      var code: String
      var message: String
    }

    private enum CodingKeys: String, CodingKey { case url, artworkID, bytes, reason }

    var lease: Lease?
    var reason: Reason?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      // An explicit `null` says that there is no video.
      try container.encode(lease?.url, forKey: .url)
      try container.encodeIfPresent(lease?.reference.artworkID, forKey: .artworkID)
      try container.encodeIfPresent(lease?.bytes, forKey: .bytes)
      try container.encodeIfPresent(reason, forKey: .reason)
    }
  }

  @Sendable private func post(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    _ = try request.query()
    let id: SessionID = try context.identity("id")
    let key = try context.key()
    let size = try await request.json(VideoRequest.self, context)
    guard PreviewRoute.sides.contains(size.width), PreviewRoute.sides.contains(size.height) else {
      throw Problem.badRequest(
        "width and height must be numbers from \(PreviewRoute.sides.lowerBound) to "
          + "\(PreviewRoute.sides.upperBound)")
    }
    switch try await center.video(for: id, key, within: AnswerDeadline.longest) {
    case .video(let lease): return try JSON.response(Answer(lease: lease))
    case .none(let code, let message):
      return try JSON.response(Answer(reason: .init(code: code, message: message)))
    }
  }
}

extension Lease {
  var url: String { "file://\(file.percentEncoded)" }
}
