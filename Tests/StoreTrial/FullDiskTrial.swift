import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkService
import Foundation
import SystemPackage

/// Small changes of sessions while another program takes every block of the disk that becomes free.
struct FullDiskTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "full")

  @Argument(help: "An empty folder on a small file system.") var folder: String
  @Option(help: "How often each change is made.") var rounds = 20

  func run() async throws {
    let root = FilePath(folder)
    let store = try AssetStore.open(
      AssetStore.Options(folder: root.appending("store")), inspector: KnownInspector())
    let center = try await NowPlayingCenter(store: store)
    guard let session = SessionID("player"), let other = SessionID("other"),
      let artwork = ArtworkID("a")
    else { return }
    let video = root.appending("video.mp4")
    try Data("a video".utf8).write(to: URL(fileURLWithPath: video.string))
    _ = try await store.put(ArtworkReference(artwork, .square), .file(path: video.string))
    var media = MediaSession(application: "trial", artwork: [.square: artwork])
    try await center.publish(media, as: session)
    try await center.publish(MediaSession(application: "trial"), as: other)
    _ = try await center.video(for: session, .square, within: .seconds(60))
    let others = (0..<4).compactMap { SessionID("k\($0)") }
    for other in others {
      try await center.publish(
        MediaSession(application: "trial", artwork: [.square: artwork]), as: other)
    }
    let junk = try FileDescriptor.open(
      root.appending("junk"), .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
    for round in 0..<rounds {
      try fill(junk)
      media.playback = PlaybackSnapshot(state: round.isMultiple(of: 2) ? .paused : .playing())
      try await center.publish(media, as: session)
      try fill(junk)
      var conditions = center.conditions
      conditions.lowPower.toggle()
      try await center.set(conditions)
    }
    for other in others {
      try fill(junk)
      guard
        case .video(let lease) = try await center.video(
          for: other, .square, within: .seconds(60)), lease.opens
      else { throw StoreError(.failed, "no lease on a full disk") }
    }
    for other in others { _ = try await center.end(other) }
    try fill(junk)
    guard try await center.end(other), try await center.end(session), store.leases().isEmpty else {
      throw StoreError(.failed, "the sessions stay")
    }
    print("\(rounds) rounds on a full disk")
    try fill(junk)
    do throws(StoreError) {
      try await store.checkHealth()
      print("healthy")
    } catch {
      print("not healthy: \(error.code.rawValue)")
    }
    try junk.close()
  }

  /// Takes what is free, to the last byte.
  private func fill(_ junk: FileDescriptor) throws {
    var bytes = [UInt8](repeating: 7, count: 1 << 16)
    while !bytes.isEmpty {
      do {
        _ = try unsafe bytes.withUnsafeBytes { try unsafe junk.write($0) }
      } catch Errno.noSpace {
        bytes = Array(bytes.dropLast((bytes.count + 1) / 2))
      }
    }
  }
}
