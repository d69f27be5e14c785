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
    _ = unsafe header.withUnsafeBytes { try? unsafe file.writeAll(toAbsoluteOffset: 0, $0) }
  }

  /// The progress that the worker reports; `nil` before its first report.
  func progress() -> (done: Int, count: Int)? {
    guard let header = header(), header[0] == Tag.progress.rawValue, header[2] <= 1 << 32,
      header[1] <= header[2]
    else { return nil }
    return (Int(header[1]), Int(header[2]))
  }

  private func header() -> [UInt64]? {
    unsafe bytes(at: 0, count: Self.headerLength)?.withUnsafeBytes { raw in
      (0..<3).map { unsafe raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
    }
  }

  /// Replaces the contents of the file.
  func write(_ tag: Tag, json: Data, bytes: [UInt8]) throws {
    let header = [tag.rawValue, UInt64(json.count), UInt64(bytes.count)]
    try file.resize(to: 0)
    try unsafe header.withUnsafeBytes { _ = try unsafe file.writeAll(toAbsoluteOffset: 0, $0) }
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
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      while used < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[used...])
        guard let got = try? unsafe file.read(fromAbsoluteOffset: offset + Int64(used), into: rest),
          got > 0
        else { return }
        used += got
      }
    }
    return bytes.count == count ? bytes : nil
  }
}

/// A request to a worker.
struct WorkerRequest {
  var job: any Job
  /// Whether the file may be drawn by rlottie, whose threads must start before the last layers of the sandbox are set up.
  var startsThreads: Bool
}

/// Requests and replies of jobs as messages.
extension WorkerExchange {
  private static let longestName: Int64 = 64

  // MARK: The parent

  /// Follows the name of a job whose worker starts threads.
  private static let threadMark = "+threads"

  /// Writes the request; the job's name follows the JSON.
  func write<Work: Job>(request job: Work, startsThreads: Bool = false) throws {
    let name = Work.name + (startsThreads ? Self.threadMark : "")
    try write(.request, json: try JSONEncoder().encode(job), bytes: Array(name.utf8))
  }

  /// Reads the answer to a job.
  ///
  /// - Throws: ``InspectionError``: why the worker refuses the file, or ``malformedReply`` for anything but a well-formed
  ///   reply of at most the length that the job allows, with numbers and texts that rules and reports can take.
  func answer<Work: Job>(
    to job: Work, limits: Limits
  ) throws(InspectionError) -> JobAnswer<Work.Reply> {
    let capacity = Self.capacity(for: job, limits)
    if let refusal = read(.refusal, capacity: capacity),
      let error: InspectionError = Self.value(refusal.json)
    {
      throw error
    }
    guard let answer = read(.answer, capacity: capacity),
      let value: Work.Reply = Self.value(answer.json)
    else { throw Self.malformedReply }
    return JobAnswer(value: value, bytes: answer.bytes)
  }

  static let malformedReply = InspectionError(.workerFailed, "the worker's reply is malformed")

  private static func value<Value: Decodable>(_ json: Data) -> Value? {
    guard let value = try? JSONDecoder().decode(Value.self, from: json),
      ReplyValidation.holds(for: value)
    else { return nil }
    return value
  }

  /// The length that no reply to this job exceeds.
  static func capacity(for job: some Job, _ limits: Limits) -> Int64 {
    capacity(mostBytes: job.mostBytes(limits))
  }

  // MARK: The worker

  /// Reads the request, which is the parent's own.
  ///
  /// - Returns: `nil` without a request for one of these jobs.
  func request(for jobs: [any Job.Type] = Jobs.all) -> WorkerRequest? {
    guard
      let message = read(
        .request, capacity: Int64(Self.longestRequest) + Self.capacity(mostBytes: Self.longestName))
    else {
      return nil
    }
    var name = message.bytes[...]
    let startsThreads = name.suffix(Self.threadMark.utf8.count).elementsEqual(Self.threadMark.utf8)
    if startsThreads { name.removeLast(Self.threadMark.utf8.count) }
    guard let type = jobs.first(where: { $0.name.utf8.elementsEqual(name) }),
      let job = try? JSONDecoder().decode(type, from: message.json)
    else { return nil }
    return WorkerRequest(job: job, startsThreads: startsThreads)
  }

  /// Writes the answer to a job in place of the request.
  func write(_ answer: JobAnswer<some Codable & Sendable>) throws {
    try write(.answer, json: try JSONEncoder().encode(answer.value), bytes: answer.bytes)
  }

  /// Writes the reason for a refusal in place of the request, for any job.
  func write(refusal error: InspectionError) throws {
    try write(.refusal, json: try JSONEncoder().encode(error), bytes: [])
  }
}
