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

  /// - Throws: a ``Problem`` that names the field.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from body: ByteBuffer
  ) throws(Problem) -> Value {
    if let flaw = JSONFlaw.first(in: Array(body.readableBytesView)) { throw .badRequest(flaw) }
    let data = Data(body.readableBytesView)
    do {
      return try JSONDecoder().decode(type, from: data)
    } catch let error as DecodingError {
      throw .badRequest(explanation(error, of: data))
    } catch {
      throw .badRequest("the body is not valid: \(error)")
    }
  }

  /// Converts a value to another type through JSON.
  ///
  /// - Throws: as ``decode(_:from:)``.
  static func convert<Value: Decodable>(
    _ type: Value.Type, from value: some Encodable
  ) throws(Problem) -> Value {
    let bytes: [UInt8]
    do {
      bytes = try Self.bytes(value)
    } catch {
      throw .badRequest("the value cannot be encoded as JSON: \(error)")
    }
    return try decode(type, from: ByteBuffer(bytes: bytes))
  }

  private static func explanation(_ error: DecodingError, of body: Data) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(_, let context): return "\(place(context.codingPath)) has the wrong type"
    case .valueNotFound(_, let context): return "\(place(context.codingPath)) must not be null"
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      return syntaxFlaw(of: body) ?? "a number in the body has the wrong form or size"
    case .dataCorrupted(let context):
      return "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: return "the body does not match this request"
    }
  }

  /// The syntax error of a JSON body: a decoder reports one error for invalid JSON and for a number that the type
  /// cannot hold.
  private static func syntaxFlaw(of body: Data) -> String? {
    do {
      _ = try JSONDecoder().decode(JSONValue.self, from: body)
      return nil
    } catch DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty {
      return "\(place(context.codingPath)): \(context.debugDescription)"
    } catch {
      return "the body is not valid JSON (RFC 8259)"
    }
  }

  /// Returns a place as in a program: `content.chapters[0].title`.
  private static func place(_ path: [any CodingKey]) -> String {
    let place = path.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return place.isEmpty ? "the body" : place
  }
}
