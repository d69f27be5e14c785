import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import SystemPackage

/// Videos for browsers, which cannot open file URLs: the stored file, or MP4, WebM or animated WebP, whichever the
/// client prefers.
struct VideoRoute: Sendable {
  let store: AssetStore

  func add(to router: Router<ServiceContext>) {
    router.get("/v1/artworks/{artworkID}/{key}/video", use: get)
  }

  private static let chunk: Int64 = 128 << 10

  @Sendable private func get(
    _ request: Request, _ context: ServiceContext
  ) async throws -> Response {
    let deadline = try AnswerDeadline(try request.query([AnswerDeadline.parameter]), context)
    let reference = try context.variant()
    let accept = request.headers[.accept]
    let opened = try await deadline.run { [store] in
      try await store.video(reference) { AcceptedVideos.inOrder(accept, storedAs: $0) }
        .map { (OpenVideo($0.file), $0.bytes, $0.tag, $0.contentType) }
    }
    guard let (file, length, tag, contentType) = opened else { throw Problem.noSuchVideo }
    var headers = EntityTag.headers(tag, contentType: contentType)
    headers[.acceptRanges] = "bytes"
    headers[.vary] = "Accept"
    if EntityTag.isKnown(tag, to: request) {
      return Response(status: .notModified, headers: headers)
    }
    // A range of another version than the client has would not fit.
    let rangeApplies = request.headers[.ifRange].map { $0 == "\"\(tag)\"" } ?? true
    let range = ByteRange(rangeApplies ? request.headers[.range] : nil, of: length)
    switch range {
    case .notSatisfiable:
      var response = Problem.rangeNotSatisfiable(length).response
      response.headers[.contentRange] = "bytes */\(length)"
      return response
    case .whole:
      return Response(status: .ok, headers: headers, body: Self.body(file, 0..<length))
    case .part(let part):
      headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
      return Response(status: .partialContent, headers: headers, body: Self.body(file, part))
    }
  }

  private static func body(_ file: OpenVideo, _ range: Range<Int64>) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
      var next = range.lowerBound
      while next < range.upperBound {
        let bytes = try await file.read(
          at: next, count: Int(min(chunk, range.upperBound - next)))
        // Stored files never shrink. If one does, the response breaks off before its Content-Length.
        if bytes.readableBytes == 0 { throw Errno.ioError }
        next += Int64(bytes.readableBytes)
        try await writer.write(bytes)
      }
      try await writer.finish(nil)
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
