import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import ArtworkModel
@testable import ArtworkPipeline

/// What the parent makes of a reply, whoever wrote it.
@Suite struct WorkerExchangeTests {
  static let refusal = InspectionError(.truncated, "cut \u{1b}[31m\n\"short\"", operation: "read")
  static let capacity: Int64 = 1 << 22

  /// The exchange after `body`, closed at the end of the test.
  static func with<R>(_ body: (WorkerExchange) throws -> R) throws -> R {
    let file = try WorkerExchange.makeFile()
    defer { try? file.close() }
    return try body(WorkerExchange(file: file))
  }

  static func reply(_ bytes: [UInt8]) throws -> (reply: WorkerReply, preview: [UInt8])? {
    try with { exchange in
      try exchange.file.writeAll(bytes)
      return exchange.read(capacity: capacity)
    }
  }

  static func bytes(preview: [UInt8]) throws -> [UInt8] {
    try with { exchange in
      try exchange.write(.refusal(refusal), preview: preview)
      let size = try exchange.file.seek(offset: 0, from: .end)
      return try [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, used in
        used = try exchange.file.read(
          fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  @Test("a reply comes back as it was written, its preview too")
  func roundTrip() throws {
    let preview = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let read = try #require(try Self.reply(try Self.bytes(preview: preview)))
    guard case .refusal(let error) = read.reply else {
      Issue.record("another reply came back")
      return
    }
    #expect(error == Self.refusal)
    #expect(read.preview == preview)
  }

  @Test("numbers that JSON does not know are never sent")
  func numbers() throws {
    for number in [Double.infinity, -.infinity, .nan] {
      var inspection = Inspection.sample()
      inspection.facts.durationSeconds = number
      try Self.with { exchange in
        _ = #expect(throws: (any Error).self) { try exchange.write(.inspection(inspection, nil)) }
      }
    }
  }

  @Test("the capacity is what was asked for")
  func capacities() {
    let none = WorkerExchange.capacity(for: .none)
    #expect(none < 2 << 20)
    let small = WorkerExchange.capacity(for: .fitted(PixelSize(width: 100, height: 100)))
    #expect(small > none && small < 4 << 20)
    let all = WorkerExchange.capacity(for: .original)
    #expect(all > 512 << 20 && all < 600 << 20)
    #expect(
      WorkerExchange.capacity(for: .fitted(PixelSize(width: 16384, height: 16384))) == all)
    // Rows of one pixel have as many filter bytes as pixels.
    let narrow = PixelSize(width: 1, height: 16384)
    #expect(WorkerExchange.capacity(for: .fitted(narrow)) > 5 * 16384 + (1 << 20) + 1024)
  }

  @Test("a reply that is cut anywhere is none")
  func cut() throws {
    let whole = try Self.bytes(preview: Array(repeating: 9, count: 50))
    #expect(try Self.reply(whole) != nil)
    for length in 0..<whole.count {
      #expect(try Self.reply(Array(whole.prefix(length))) == nil, "cut to \(length) bytes")
    }
    #expect(try Self.reply(whole + [0]) == nil, "one byte too many")
  }

  @Test("lengths that lie are refused, whatever they are")
  func lengths() throws {
    let whole = try Self.bytes(preview: [])
    let values: [UInt64] = [
      0, 1, 0x7fff_ffff, 0x8000_0000, 1 << 33, .max, .max - 23, UInt64(Int64.max), 1 << 63,
    ]
    for place in [0, 8, 16] {
      for value in values {
        var bytes = whole
        withUnsafeBytes(of: value) { raw in
          bytes.replaceSubrange(place..<place + 8, with: raw)
        }
        if bytes != whole { #expect(try Self.reply(bytes) == nil, "\(value) at \(place)") }
      }
    }
  }

  @Test("noise in a reply never traps")
  func noise() throws {
    let whole = try Self.bytes(preview: Array(repeating: 3, count: 20))
    var noise = Noise(seed: 11)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &noise) {
        bytes[Int.random(in: 0..<bytes.count, using: &noise)] = UInt8.random(
          in: 0...255, using: &noise)
      }
      _ = try Self.reply(bytes)
    }
  }

  @Test("a reply beyond the capacity is refused unread")
  func capacity() throws {
    try Self.with { exchange in
      try exchange.write(.refusal(Self.refusal), preview: Array(repeating: 0, count: 1000))
      #expect(exchange.read(capacity: 999) == nil)
      #expect(exchange.read(capacity: 2000) != nil)
    }
  }

  @Test(
    "tasks and ends survive their three and four numbers",
    arguments: [
      WorkerTask.trial, .still, .inspect(InspectionRequest(everyFrame: true)),
      .inspect(InspectionRequest(preview: .original, exhibit: true)),
      .inspect(InspectionRequest(preview: .fitted(PixelSize(width: 7, height: 16384)))),
    ])
  func tasks(task: WorkerTask) {
    #expect(WorkerTask(numbers: task.numbers) == task)
    #expect(WorkerTask(numbers: [9, 0, 0]) == nil)
    #expect(WorkerTask(numbers: []) == nil)
  }

  @Test("the way a worker ended is read from its wait status")
  func ends() {
    // Exit code 3; killed by signal 11; killed by signal 11 with a core.
    for (status, ending) in [
      (3 << 8, WorkerExit.Ending.exited(3)), (11, .killed(signal: 11)),
      (11 | 0x80, .killed(signal: 11)), (0, .exited(0)),
    ] as [(Int32, WorkerExit.Ending)] {
      let end = WorkerExit(status: status, usage: rusage())
      #expect(end.ending == ending)
      #expect(WorkerExit(numbers: end.numbers) == end)
    }
    #expect(WorkerExit(numbers: [0, .max, 0, 0]) == nil)
    #expect(WorkerExit(numbers: [7, 0, 0, 0]) == nil)
    #expect(WorkerExit(numbers: [0]) == nil)
  }
}
