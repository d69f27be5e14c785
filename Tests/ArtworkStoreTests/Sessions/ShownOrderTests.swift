import TestSupport

@testable import ArtworkService

/// Random lives of a session and its artwork, against what whoever shows it relies on.
@Suite struct ShownOrderTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  /// Brings the bytes of a URL after some waiting, none of one that is `bad`.
  private final class SlowFetcher: ArtworkFetcher {
    let fetches = Mutex(0)

    func check(_ url: String) throws(StoreError) {}

    func fetch(
      _ url: String, into file: FileDescriptor, byteLimit: Int64,
      isCrowded: @escaping @Sendable () -> Bool
    ) async throws(StoreError) {
      fetches.withLock { $0 += 1 }
      try? await Task.sleep(for: .milliseconds(10))
      do { _ = try file.writeAll(Array(url.utf8)) } catch {
        throw StoreError(.failed, "\(error)")
      }
    }
  }

  private enum Step: CaseIterable {
    case putFile, putLater, putURL, putBad, askPreview, askVideo, evict, restart, lowPower
    case otherArtwork
  }

  private static let names = ["a", "b", "c"]

  /// What somebody knows who reads the presentation once, and then at each event.
  private final class Reader: Sendable {
    let known = Mutex<[Presentation]>([])

    init(_ center: NowPlayingCenter, _ id: SessionID) {
      let read = { @Sendable [weak self, weak center] in
        guard let center, let shown = try? center.presentation(of: .square, in: id) else { return }
        self?.known.withLock { known in if known.last != shown { known.append(shown) } }
      }
      center.whenChanged { event in
        if case .lease = event { return true }
        read()
        return true
      }
      read()
    }
  }

  @Test(arguments: Nightly.some(4, of: Array(1...12 as ClosedRange<UInt64>)))
  func `what is shown is there, comes in its order, and is announced`(seed: UInt64) async throws {
    var noise = Noise(seed: seed)
    let (id, fetcher) = (try SessionSamples.id("s"), SlowFetcher())
    // Room for two of three videos.
    let room = Int64(try ScriptedInspector.previewBytes) * 5 / 2
    var life: (store: AssetStore, center: NowPlayingCenter)?
    func start() async throws {
      life = nil
      var store: AssetStore?
      #expect(
        try await eventually {
          store = try? fixture.open(fetcher: fetcher) { $0.byteBudget = room }
          return store != nil
        })
      let opened = try #require(store)
      life = (opened, try await fixture.center(opened))
    }
    try await start()
    var name = "a"
    func publish() async throws {
      try await life?.center.publish(
        MediaSession(application: "test", artwork: [.square: try #require(ArtworkID(name))]),
        as: id)
    }
    try await publish()
    var reader = Reader(try #require(life).center, id)
    for number in 0..<40 {
      let step = try #require(Step.allCases.randomElement(using: &noise))
      if step == .restart {
        try await start()
        reader = Reader(try #require(life).center, id)
      }
      let (store, center) = try #require(life)
      let reference = try StoreFixture.reference(name)
      let former = reader.known.withLock { $0.count }
      switch step {
      case .putFile:
        _ = try? await store.put(reference, fixture.source("video \(name)", name: name))
      case .putLater:
        _ = try? await store.put(
          reference, fixture.source("video \(name)", name: name), prepares: false)
      case .putURL: _ = try? await store.put(reference, .url("video \(name)"))
      case .putBad: _ = try? await store.put(reference, .url("bad \(name)"))
      case .askPreview: _ = try? await store.preview(reference)
      case .askVideo: _ = try await center.video(for: id, .square, within: .seconds(20))
      case .evict: _ = try await store.evict(downTo: 0)
      case .restart: break
      case .lowPower:
        try await center.set(DeviceConditions(lowPower: !center.conditions.lowPower))
      case .otherArtwork:
        name = try #require(Self.names.randomElement(using: &noise))
        try await publish()
      }
      let shownArtwork = try StoreFixture.reference(name)
      let shown = try center.presentation(of: .square, in: id)
      let known = reader.known.withLock(\.self)
      let place: Comment = "step \(number) of seed \(seed): \(step), \(known)"
      #expect(known.last == shown, place)
      // What is shown is there, at once.
      let fetches = fetcher.fetches.withLock(\.self)
      let isStored = store.describe(shownArtwork)?.status == .ready
      switch (shown.show, shown.reason.code) {
      case (.video, _): #expect(isStored, place)
      case (.preview, _): #expect(try await !store.preview(shownArtwork).bytes.isEmpty, place)
      case (.cover, "preparing"):
        #expect(!isStored && store.previewTag(shownArtwork) == nil, place)
      default: break
      }
      #expect(fetcher.fetches.withLock(\.self) == fetches, place)
      // A picture that was shown stays, unless there is something else to show.
      guard step != .lowPower, step != .otherArtwork else { continue }
      for (before, after) in zip(known[max(0, former - 1)...], known[former...]) {
        let isBack = before.show != .cover && after.reason.code == "preparing"
        #expect(!isBack || [.putLater, .putURL, .putBad].contains(step), place)
        #expect(
          before.show != .video || after.show == .video
            || ["not-fetched", "no-space", "conflict"].contains(after.reason.code), place)
      }
    }
  }
}
