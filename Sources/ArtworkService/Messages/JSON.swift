import ArtworkModel
import ArtworkPipeline
import FoundationEssentials
import NIOCore
import NIOHTTP1

/// JSON as the service writes and reads it.
enum JSON {
  /// The service's own values can always be encoded, unless they hold a number that is not finite.
  static func bytes(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  static func buffer(_ value: some Encodable) -> ByteBuffer {
    do {
      return ByteBuffer(bytes: try bytes(value))
    } catch {
      return ByteBuffer(string: "null")
    }
  }

  static func response(
    _ value: some Encodable, status: HTTPResponseStatus = .ok
  ) throws -> Response {
    Response(
      status, ["Content-Type": "application/json", "Cache-Control": "no-store"],
      .bytes(ByteBuffer(bytes: try bytes(value))))
  }

  /// - Parameter schema: of the body, in openapi.json.
  /// - Throws: a ``Problem`` that names the field.
  static func decode<Value: Decodable>(
    _ type: Value.Type, as schema: String, from bytes: [UInt8]
  ) throws(Problem) -> Value {
    try Contract.served.check(try read(bytes), as: schema)
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch DecodingError.dataCorrupted(let context) {
      throw .badRequest("\(place(context.codingPath)): \(context.debugDescription)")
    } catch {
      throw .badRequest("the body does not match this request: \(error)")
    }
  }

  /// - Throws: a ``Problem`` for what RFC 8259 forbids.
  static func read(_ bytes: [UInt8]) throws(Problem) -> JSONNode {
    // Every other encoding of JSON has bytes that are 0.
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
      throw .badRequest("the body is not UTF-8 (RFC 8259, 8.1)")
    }
    do {
      return try JSONReader.read(bytes, allowingInfinity: true)
    } catch {
      throw .badRequest(
        error.code == .tooLarge ? error.message : "the body is not valid JSON (RFC 8259)")
    }
  }

  /// Returns a place as in a program: `content.chapters[0].title`.
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { text, key in
      text += key.intValue.map { "[\($0)]" } ?? (text.isEmpty ? "" : ".") + key.stringValue
    }
  }
}
