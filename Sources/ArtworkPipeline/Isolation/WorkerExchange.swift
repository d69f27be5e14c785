import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a worker is asked.
struct WorkerRequest: Codable, Equatable {
  enum Task: Codable, Equatable {
    case inspect(decodesEverything: Bool, preview: Inspector.PreviewRequest)
    /// Try what the sandbox forbids, see ``SandboxTrial``.
    case trial
  }

  var task: Task
  var limits: Limits
}

/// What it answers; the preview follows as bytes.
enum WorkerReply: Codable {
  case inspection(Inspection)
  case refusal(InspectionError)
  case trial(SandboxTrial)
}

/// The file in memory through which a request and then its reply go: a header of three numbers, JSON, and
/// the preview. The reader trusts nothing in it.
struct WorkerExchange {
  /// Not owned.
  let file: FileDescriptor

  /// "ARTW" and the version of what is exchanged, raised with every change. Both sides are always the same
  /// build: a message without it comes from a worker that does not work.
  private static let tag: UInt64 = 0x4152_5457_0000_0001
  /// The tag and the lengths of the JSON and of the preview, eight bytes each.
  private static let headerLength = 24
  /// Real messages have a few kilobytes of JSON.
  private static let longestMessage = 1 << 20

  /// The most bytes that a reply may have: the preview of the largest picture, four bytes a pixel and a
  /// 64th of that for what PNG adds to incompressible ones.
  static func capacity(_ limits: Limits) -> Int64 {
    let pixels = min(max(limits.pixels, 0), 1 << 40)
    return pixels * 4 + pixels / 16 + Int64(2 * longestMessage)
  }

  func write<Message: Encodable>(_ message: Message, preview: [UInt8] = []) throws {
    let json = try Self.encoder.encode(message)
    let header = [Self.tag, UInt64(json.count), UInt64(preview.count)]
    try file.resize(to: 0)
    try header.withUnsafeBytes { _ = try file.writeAll(toAbsoluteOffset: 0, $0) }
    try file.writeAll(toAbsoluteOffset: Int64(Self.headerLength), json)
    try file.writeAll(toAbsoluteOffset: Int64(Self.headerLength + json.count), preview)
  }

  /// The message and the preview; `nil` for anything but a whole and well-formed one of at most
  /// `capacity` bytes.
  func read<Message: Decodable>(
    _ type: Message.Type, capacity: Int64
  ) -> (message: Message, preview: [UInt8])? {
    guard let size = try? file.seek(offset: 0, from: .end),
      size >= Int64(Self.headerLength), size <= capacity,
      let header = bytes(at: 0, count: Self.headerLength)
    else { return nil }
    let numbers = header.withUnsafeBytes { raw in
      (0..<3).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
    guard numbers[0] == Self.tag, numbers[1] <= UInt64(Self.longestMessage),
      numbers[2] <= UInt64(size),
      Int64(Self.headerLength) + Int64(numbers[1]) + Int64(numbers[2]) == size,
      let json = bytes(at: Int64(Self.headerLength), count: Int(numbers[1])),
      let preview = bytes(at: size - Int64(numbers[2]), count: Int(numbers[2])),
      let message = try? Self.decoder.decode(type, from: Data(json))
    else { return nil }
    return (message, preview)
  }

  private func bytes(at offset: Int64, count: Int) -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      while used < count {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
        guard let got = try? file.read(fromAbsoluteOffset: offset + Int64(used), into: rest),
          got > 0
        else { return }
        used += got
      }
    }
    return bytes.count == count ? bytes : nil
  }

  private static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}
