import ArgumentParser
import ArtworkModel
import ArtworkPipeline
import ArtworkStore
import Foundation
import SystemPackage

/// The time until a session has its file, as `Scripts/bench/leases.py` compares it with cp and ln.
struct LeaseTrial: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "leases")

  @Argument(help: "An empty folder.") var folder: String
  @Argument(help: "The video.") var video: String
  @Option(help: "The most bytes that are copied.") var copyLimit: Int64
  @Option(help: "How many sessions get a file.") var repeats = 5

  /// Prints the way, and the milliseconds of each session, in their order.
  func run() async throws {
    var options = AssetStore.Options(folder: FilePath(folder).appending("store"))
    options.byteBudget = 1 << 40
    options.copyLimit = copyLimit
    let store = try AssetStore.open(options, inspector: KnownInspector())
    let center = try await NowPlayingCenter(store: store)
    guard let artwork = ArtworkID("a") else { return }
    _ = try await store.put(ArtworkReference(artwork, .square), .file(path: video))
    var times: [String] = []
    var making: Lease.Making?
    for number in 0..<repeats {
      guard let session = SessionID("\(number)") else { return }
      try await center.publish(
        MediaSession(application: "trial", artwork: [.square: artwork]), as: session)
      let start = ContinuousClock.now
      let answer = try await center.video(for: session, .square, within: .seconds(600))
      let time = start.duration(to: .now) / .milliseconds(1)
      guard case .video(let lease) = answer else { throw StoreError(.failed, "\(answer)") }
      making = lease.making
      times.append("\(time)")
      // Copies of large files would fill the disk. Links stay, as they do while several players run.
      if making != .link { _ = try await center.end(session) }
    }
    print(making?.rawValue ?? "none", times.joined(separator: " "))
  }
}
