internal import CIsolation
import FoundationEssentials
import Glibc

/// The file in memory through which the parent and a worker communicate: the parent writes a request, and the worker
/// replaces it with its answer or refusal. Each is a header of three numbers, JSON, and plain bytes.
struct WorkerExchange {
  /// The first number of a message: four letters and the version of the protocol, incremented with every change.
  /// Parent and worker are always the same build, so another number comes from a broken worker.
  enum Tag: UInt64 {
    /// "ARTQ"
    case request = 0x4152_5451_0000_0005
    /// "ARTA"
    case answer = 0x4152_5441_0000_0005
    /// "ARTR"
    case refusal = 0x4152_5452_0000_0005
    /// "ARTP", in place of the request
    case progress = 0x4152_5450_0000_0005
  }

  /// The exchange file, which this value does not own.
  let file: FileDescriptor

  /// The tag and the lengths of the JSON and of the bytes, eight bytes each.
  private static let headerLength = 24
  /// Real replies have a few kilobytes of JSON.
  private static let longestJSON = 1 << 20
  /// A request, which the parent writes, may have the pictures of an animation in base64.
  static let longestRequest = 72 << 20

  /// The maximum length of a message.
  ///
  /// - Parameter mostBytes: plain bytes that it may have.
  static func capacity(mostBytes: Int64) -> Int64 {
    Int64(headerLength + longestJSON) + mostBytes
  }

  /// A new file in memory, which the caller closes.
  static func makeFile() throws(Errno) -> FileDescriptor {
    let file = artwork_anonymous_file()
    guard file >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: file)
  }

  /// Makes a file in memory with these bytes, which no other process has open.
  static func makeFile(holding bytes: [UInt8]) throws -> FileDescriptor {
    let file = try makeFile()
    do {
      try file.writeAll(toAbsoluteOffset: 0, bytes)
      return file
    } catch {
      try? file.close()
      throw error
    }
  }

  /// Reports the worker's progress. The request has been read by then.
  func write(progress done: Int, of count: Int) {
    let header = [Tag.progress.rawValue, UInt64(clamping: done), UInt64(clamping: count)]
    _ = header.withUnsafeBytes { try? file.writeAll(toAbsoluteOffset: 0, $0) }
  }

  /// The progress that the worker reports; `nil` before its first report.
  func progress() -> (done: Int, count: Int)? {
    guard let header = header(), header[0] == Tag.progress.rawValue, header[2] <= 1 << 32,
      header[1] <= header[2]
    else { return nil }
    return (Int(header[1]), Int(header[2]))
  }

  private func header() -> [UInt64]? {
    bytes(at: 0, count: Self.headerLength)?.withUnsafeBytes { raw in
      (0..<3).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
  }

  /// Replaces the contents of the file.
  func write(_ tag: Tag, json: Data, bytes: [UInt8]) throws {
    let header = [tag.rawValue, UInt64(json.count), UInt64(bytes.count)]
    try file.resize(to: 0)
    try header.withUnsafeBytes { _ = try file.writeAll(toAbsoluteOffset: 0, $0) }
    try file.writeAll(toAbsoluteOffset: Int64(Self.headerLength), json)
    try file.writeAll(toAbsoluteOffset: Int64(Self.headerLength + json.count), bytes)
  }

  /// Reads each part once, and believes no length.
  ///
  /// - Returns: `nil` for anything but a whole message of this kind with at most `capacity` bytes.
  func read(_ tag: Tag, capacity: Int64) -> (json: Data, bytes: [UInt8])? {
    guard let size = try? file.seek(offset: 0, from: .end),
      size >= Int64(Self.headerLength), size <= capacity,
      let numbers = header()
    else { return nil }
    guard numbers[0] == tag.rawValue,
      numbers[1] <= UInt64(tag == .request ? Self.longestRequest : Self.longestJSON),
      numbers[2] <= UInt64(size),
      Int64(Self.headerLength) + Int64(numbers[1]) + Int64(numbers[2]) == size,
      let json = bytes(at: Int64(Self.headerLength), count: Int(numbers[1])),
      let bytes = bytes(at: size - Int64(numbers[2]), count: Int(numbers[2]))
    else { return nil }
    return (Data(json), bytes)
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
}
