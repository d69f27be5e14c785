import ArtworkModel
import ArtworkPipeline
import NIOCore
import NIOHTTP1
import NIOPosix
import SystemPackage

/// Videos for browsers, which cannot open file URLs: the stored file, or MP4, WebM or animated WebP, whichever the
/// client prefers.
struct VideoRoute: Sendable {
  let store: AssetStore

  var routes: [Route] {
    [
      Route(.GET, "/v1/artworks/{artworkID}/{key}/video", get)
    ]
  }

  private static let chunk: Int64 = 128 << 10

  @Sendable private func get(_ request: Request) async throws -> Response {
    let deadline = try AnswerDeadline(try request.query([AnswerDeadline.parameter]), request)
    let reference = try request.variant()
    let accept = request.field("accept")
    let opened = try await deadline.run { [store] in
      try await store.video(reference) { AcceptedVideos.inOrder(accept, storedAs: $0) }
        .map { (OpenVideo($0.file), $0.bytes, $0.tag, $0.contentType) }
    }
    guard let (file, length, tag, contentType) = opened else { throw Problem.noSuchVideo }
    var headers = EntityTag.headers(tag, contentType: contentType)
    headers.add(name: "Accept-Ranges", value: "bytes")
    headers.add(name: "Vary", value: "Accept")
    if try EntityTag.isKnown(tag, to: request) {
      return Response(.notModified, headers)
    }
    // A range of another version than the client has would not fit, and only GET has ranges (RFC 9110, 14.2).
    let rangeApplies =
      request.method == .GET && request.field("if-range").map { $0 == "\"\(tag)\"" } ?? true
    let range = ByteRange(rangeApplies ? request.field("range") : nil, of: length)
    switch range {
    case .notSatisfiable:
      var response = Problem.rangeNotSatisfiable(length).response
      response.headers.add(name: "Content-Range", value: "bytes */\(length)")
      return response
    case .whole:
      return Response(.ok, headers, Self.body(file, 0..<length))
    case .part(let part):
      headers.add(
        name: "Content-Range",
        value: "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)")
      return Response(.partialContent, headers, Self.body(file, part))
    }
  }

  private static func body(_ file: OpenVideo, _ range: Range<Int64>) -> Response.Body {
    .stream(length: range.count) { write in
      var next = range.lowerBound
      while next < range.upperBound {
        let bytes = try await file.read(
          at: next, count: Int(min(chunk, range.upperBound - next)))
        // Stored files never shrink. If one does, the response breaks off before its Content-Length.
        if bytes.readableBytes == 0 { throw Errno.ioError }
        next += Int64(bytes.readableBytes)
        try await write(bytes)
      }
    }
  }
}

/// An open file, closed with its last reference. Reads run on the threads that NIO has for blocking work.
private final class OpenVideo: Sendable {
  private let handle: NIOFileHandle
  private static let reader = NonBlockingFileIO(threadPool: .singleton)

  init(_ file: SystemPackage.FileDescriptor) {
    handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.rawValue)
  }

  deinit { try? handle.close() }

  func read(at offset: Int64, count: Int) async throws -> ByteBuffer {
    try await Self.reader.read(
      fileHandle: handle, fromOffset: offset, byteCount: count,
      allocator: ByteBufferAllocator())
  }
}
