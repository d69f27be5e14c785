import ArtworkModel
internal import CIsolation
import SystemPackage

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a worker answers; the preview follows as bytes.
enum WorkerReply: Codable {
  /// The pictures of the exhibit follow as bytes, then the preview.
  case inspection(Inspection, ExhibitForm?)
  case still(StillPicture)
  /// The strip and then the animation follow as bytes.
  case loops(LoopReport, stripBytes: Int)
  /// The picture follows as bytes.
  case seam(SeamFacts)
  case refusal(InspectionError)
  case trial(SandboxTrial)
}

/// The file in memory in which a worker leaves its reply: a header of three numbers, JSON, and the preview.
/// The reader trusts nothing in it.
struct WorkerExchange {
  /// Not owned.
  let file: FileDescriptor

  /// "ARTW" and the version of what is exchanged, raised with every change. Both sides are always the same
  /// build: a message without it comes from a worker that does not work.
  private static let tag: UInt64 = 0x4152_5457_0000_0002
  /// The tag and the lengths of the JSON and of the preview, eight bytes each.
  private static let headerLength = 24
  /// Real messages have a few kilobytes of JSON.
  private static let longestMessage = 1 << 20

  /// The most bytes that a reply may have: for the largest preview that was asked for, four bytes a pixel and
  /// a 16th of a byte for what PNG adds to incompressible ones.
  static func capacity(for preview: Inspector.PreviewRequest) -> Int64 {
    let message = Int64(headerLength + longestMessage)
    let most = PixelSize.largestPreview.area
    let pixels: Int
    switch preview {
    case .none: return message
    case .original: pixels = most
    case .fitted(let box): pixels = min(box.area, most)
    }
    // A row's filter byte weighs most in narrow pictures: a mebibyte has room for all of them.
    return message + Int64(pixels) * 4 + Int64(pixels) / 16 + 1 << 20
  }

  /// As above, for any task: the pictures of loops and seams have sizes of their own.
  static func capacity(for task: WorkerTask) -> Int64 {
    switch task {
    case .inspect(let request):
      return capacity(for: request.preview) + (request.exhibit ? Int64(ExhibitForm.mostBytes) : 0)
    case .still, .trial: return capacity(for: .none)
    case .seam, .loop(_, withPictures: false): return capacity(for: .fitted(LoopPictures.largest))
    case .loop(_, withPictures: true):
      let frames = LoopPictures.animation.area.multipliedClamped(by: LoopPictures.mostFrames)
      // Four bytes a pixel, and for each frame a kibibyte of chunks and what deflate adds to noise.
      return capacity(for: .fitted(LoopPictures.largest)) + Int64(frames) * 4 + Int64(frames) / 16
        + Int64(LoopPictures.mostFrames) << 10
    }
  }

  /// A new file in memory, which the caller closes.
  static func makeFile() throws(Errno) -> FileDescriptor {
    let file = artwork_anonymous_file()
    guard file >= 0 else { throw Errno(rawValue: errno) }
    return FileDescriptor(rawValue: file)
  }

  func write(_ reply: WorkerReply, preview: [UInt8] = []) throws {
    let json = try JSONEncoder().encode(reply)
    let header = [Self.tag, UInt64(json.count), UInt64(preview.count)]
    try file.resize(to: 0)
    try header.withUnsafeBytes { _ = try file.writeAll(toAbsoluteOffset: 0, $0) }
    try file.writeAll(toAbsoluteOffset: Int64(Self.headerLength), json)
    try file.writeAll(toAbsoluteOffset: Int64(Self.headerLength + json.count), preview)
  }

  /// The reply and the preview; `nil` for anything but a whole and well-formed one of at most `capacity`
  /// bytes.
  func read(capacity: Int64) -> (reply: WorkerReply, preview: [UInt8])? {
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
      let reply = try? JSONDecoder().decode(WorkerReply.self, from: Data(json)),
      Plausibility.holds(for: reply)
    else { return nil }
    return (reply, preview)
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
