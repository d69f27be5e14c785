import TestSupport

@testable import ArtworkPipeline
@testable import ArtworkService

/// What waits for what. No inspection of these tests ends by itself.
@Suite("The order of work")
struct WorkOrderTests {
  let fixture: StoreFixture

  init() throws { fixture = try StoreFixture() }

  private func session(_ id: String) throws -> MediaSession {
    MediaSession(application: "test", artwork: [.square: try #require(ArtworkID(id))])
  }

  /// PUTs of `names` in their order: the first is inspected, and the others wait.
  private func putting(
    _ names: [String], into store: AssetStore
  ) async throws -> [Task<Bool, any Error>] {
    fixture.inspector.delay = 600
    let before = fixture.inspector.inspections
    var puts: [Task<Bool, any Error>] = []
    for (count, name) in names.enumerated() {
      let (reference, source) = (
        try StoreFixture.reference(name), try fixture.source(name, name: name)
      )
      puts.append(Task { try await store.put(reference, source).artwork.status == .ready })
      #expect(try await eventually { store.inspecting.pending == count + 1 })
    }
    #expect(fixture.inspector.inspections == before + 1)
    return puts
  }

  /// The result of `body`; `nil` if it takes a minute.
  private func inTime<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) async throws
    -> R?
  {
    try await Deadline.first(of: .seconds(60)) { await Task { try await body() }.result }?.get()
  }

  @Test(
    "a new size of a preview and the lease of a stored video wait for no inspection, also after a start",
    arguments: [false, true])
  func shortWork(isReopened: Bool) async throws {
    let (reference, id) = (try StoreFixture.reference("stored"), try SessionSamples.id("s"))
    try fixture.folder.write("picture", to: "cover.png")
    if isReopened {
      let store = try fixture.open()
      _ = try await store.put(reference, fixture.source("stored"))
      let center = try await fixture.center(store)
      try await center.publish(session("stored"), as: id)
      _ = try await center.video(for: id, .square, within: .seconds(60))
    }
    let store = try await fixture.reopened { $0.jobs = 1 }
    let center = try await fixture.center(store)
    if !isReopened {
      _ = try await store.put(reference, fixture.source("stored"))
      try await center.publish(session("stored"), as: id)
    }
    let puts = try await putting(["a", "b", "c"], into: store)
    // As if another program had touched the files: their bytes are compared.
    store.core.state.withLock { state in
      for digest in state.assets.keys { state.assets[digest]?.stamp = nil }
      state.leaseStamps = [:]
    }
    let preview = try await inTime {
      try await store.preview(reference, inside: PixelSize(width: 7, height: 7))
    }
    #expect(preview?.size == PixelSize(width: 7, height: 7))
    let answer = try await center.video(for: id, .square, within: .seconds(60))
    guard case .video = answer else {
      Issue.record("no video: \(answer)")
      return
    }
    #expect(store.inspecting.pending == 3)
    fixture.inspector.delay = 0
    for put in puts { #expect(try await put.value) }
  }

  @Test("a PUT stands in line once: it is answered when its video is ready, whatever waits")
  func answers() async throws {
    let store = try fixture.open { $0.jobs = 1 }
    let names = ["a", "b", "c", "d"]
    let puts = try await putting(names, into: store)
    for (name, put) in zip(names, puts) {
      fixture.inspector.release(name)
      #expect(try await inTime { try await put.value } == true)
    }
    #expect(fixture.inspector.texts == names)
  }

  @Test("what a session publishes is inspected first, also when it is published later")
  func publishedFirst() async throws {
    let store = try fixture.open { $0.jobs = 1 }
    let center = try await fixture.center(store)
    let puts = try await putting(["a", "b", "c", "d"], into: store)
    try await center.publish(session("c"), as: try SessionSamples.id("s"))
    fixture.inspector.delay = 0
    for put in puts { #expect(try await put.value) }
    #expect(fixture.inspector.texts == ["a", "c", "b", "d"])
  }
}
