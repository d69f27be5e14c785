import TestSupport

@testable import ArtworkClients
@testable import ArtworkModel

@Suite struct PrimaryWatchTests {
  private typealias Primary = HeldSession.Primary

  @Test("Events of other sessions and applications change what they report, and no more")
  func followsEvents() throws {
    let (id, other) = (try SessionSamples.id("s"), try SessionSamples.id("t"))
    let watch = PrimaryWatch()
    func after(_ event: ServiceEvent) -> [Bool] {
      watch.note(event, of: SessionReference("player", id))
      return [watch.now.isApplicationPrimary, watch.now.isSystemPrimary]
    }
    func primary(
      _ id: SessionID?, _ application: String?, _ scope: SessionRegistry.Scope
    ) -> ServiceEvent { .primary(session: id, application: application, scope) }
    #expect(after(primary(id, "player", .application)) == [true, false])
    // None of the application's sessions is eligible any more; then it is again.
    #expect(after(primary(nil, "player", .application)) == [false, false])
    #expect(after(primary(id, "player", .application)) == [true, false])
    #expect(after(primary(id, "player", .system)) == [true, true])
    // A session of the same name of another application.
    #expect(after(primary(id, "other", .application)) == [true, true])
    #expect(after(primary(id, "other", .system)) == [true, false])
    #expect(after(primary(other, "player", .application)) == [false, false])
    // An older service does not name the application.
    #expect(after(primary(id, nil, .system)) == [false, true])
    #expect(after(primary(nil, nil, .system)) == [false, false])
    #expect(after(primary(id, "player", .application)) == [true, false])
    #expect(after(.missed) == [true, false])
    // The first event of the next connection.
    let document = NowPlaying(
      sessions: [
        PublishedSession(id: id, session: SessionSamples.session("other"), isSystemPrimary: true)
      ], conditions: DeviceConditions())
    #expect(after(.nowPlaying(document)) == [false, false])
  }

  @Test("A reader gets what is so now, then the latest change, and the end")
  func tellsReaders() async throws {
    let id = try SessionSamples.id("s")
    let watch = PrimaryWatch()
    func promote(_ application: String, _ scope: SessionRegistry.Scope) {
      watch.note(
        .primary(session: id, application: application, scope), of: SessionReference("player", id))
    }
    var changes = watch.changes().makeAsyncIterator()
    #expect(await changes.next() == Primary())
    promote("player", .application)
    promote("player", .system)
    #expect(await changes.next() == Primary(isApplicationPrimary: true, isSystemPrimary: true))
    // A promotion that changes nothing is not reported.
    promote("player", .system)
    promote("other", .system)
    #expect(await changes.next() == Primary(isApplicationPrimary: true))
    watch.finish()
    #expect(await changes.next() == nil)
    var late = watch.changes().makeAsyncIterator()
    #expect(await late.next() == Primary(isApplicationPrimary: true))
    #expect(await late.next() == nil)
  }
}
