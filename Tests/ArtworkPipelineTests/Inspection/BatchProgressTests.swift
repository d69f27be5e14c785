import Dispatch
import Synchronization

@testable import ArtworkPipeline

@Suite struct BatchProgressTests {
  /// Candidates that nothing connects, and a report for each.
  private static func progress(_ count: Int) -> (progress: BatchProgress, reports: [CandidateReport]) {
    let paths = (0..<count).map { FilePath("\($0).mp4") }
    let progress = BatchProgress(Catalogue(paths.map { Candidate(path: $0) }))
    return (progress, paths.map { CandidateReport(path: $0) })
  }

  @Test func `a release is complete with its last file, in any order; a file without one at once`() {
    let paths: [FilePath] = ["one/1x1.mp4", "x.mp4", "one/3x4.mp4"]
    let progress = BatchProgress(Catalogue(paths.map { Candidate(path: $0) }, Configuration()))
    let reports = paths.map { CandidateReport(path: $0) }
    #expect(progress.finish(2, reports[2]) == nil)
    #expect(progress.finish(1, reports[1])?.group.release == nil)
    let last = progress.finish(0, reports[0])
    #expect(last?.group.candidates == [0, 2] && last?.group.release == 0)
    #expect(last?.reports.map(\.path) == ["one/1x1.mp4", "one/3x4.mp4"])
  }

  @Test func `a reader that does not go on stops no other worker`() {
    let (progress, reports) = Self.progress(3)
    let (reading, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (worked, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let read = Mutex<[String]>([])
    let calls = Mutex(0)
    let most = Mutex(0)
    let onReports: @Sendable ([CandidateReport]) -> Void = { reports in
      let inside = calls.withLock {
        $0 += 1
        return $0
      }
      most.withLock { $0 = max($0, inside) }
      if reports[0].path == "0.mp4" {
        reading.signal()
        goOn.wait()
      }
      read.withLock { $0 += reports.map(\.path.string) }
      calls.withLock { $0 -= 1 }
    }
    Thread.detachNewThread {
      progress.publish([reports[0]], of: Catalogue.Group(candidates: [0]), onReports)
      ended.signal()
    }
    reading.wait()
    // The other worker does all the rest meanwhile.
    Thread.detachNewThread {
      _ = progress.next()
      while let index = progress.next() {
        guard let (group, reports) = progress.finish(index, reports[index]) else { return }
        progress.publish(reports, of: group, onReports)
      }
      worked.signal()
    }
    let isFree = worked.wait(timeout: .now() + 60) == .success
    #expect(isFree, "the other worker waits for the reader")
    #expect(read.withLock(\.self).isEmpty)
    goOn.signal()
    ended.wait()
    if !isFree { worked.wait() }
    // The thread that started the delivery also delivers the others' reports, so that none is left at the end.
    #expect(read.withLock(\.self) == ["0.mp4", "1.mp4", "2.mp4"])
    #expect(most.withLock(\.self) == 1, "one call at a time")
    #expect(progress.all.map(\.path.string) == ["0.mp4", "1.mp4", "2.mp4"])
  }

  @Test func `a reader may ask what is done`() {
    let (progress, reports) = Self.progress(4)
    let read = Mutex<[FilePath]>([])
    progress.publish([reports[0], reports[2]], of: Catalogue.Group(release: 0, candidates: [0, 2])) { reports in
      #expect(progress.all.map(\.path) == reports.map(\.path))
      read.withLock { $0 += reports.map(\.path) }
    }
    #expect(read.withLock(\.self) == ["0.mp4", "2.mp4"])
  }

  @Test func `reports of many workers are each handed over once, those of a call together`() {
    let (progress, reports) = Self.progress(400)
    let read = Mutex<[[FilePath]]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for first in stride(from: 10 * worker, to: 400, by: 40) {
        let places = first..<first + 10
        progress.publish(Array(reports[places]), of: Catalogue.Group(release: 0, candidates: Array(places))) { reports in
          read.withLock { $0.append(reports.map(\.path)) }
        }
      }
    }
    let order = read.withLock(\.self)
    #expect(Set(order) == Set(stride(from: 0, to: 400, by: 10).map { reports[$0..<$0 + 10].map(\.path) }))
    #expect(order.count == 40)
  }
}
