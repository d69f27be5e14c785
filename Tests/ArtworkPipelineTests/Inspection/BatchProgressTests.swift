import Dispatch
import Synchronization
import TestSupport

@testable import ArtworkModel
@testable import ArtworkPipeline

/// Reports are delivered one at a time, and no other thread waits for the receiver.
@Suite struct BatchProgressTests {
  /// Candidates that nothing connects, and a report for each.
  private static func progress(
    _ count: Int
  ) -> (progress: BatchProgress, reports: [CandidateReport]) {
    let paths = (0..<count).map { FilePath("\($0).mp4") }
    let progress = BatchProgress(Catalogue(paths.map { Candidate(path: $0) }))
    return (progress, paths.map { CandidateReport(path: $0) })
  }

  @Test("a reader that does not go on stops no other worker")
  func slowReader() {
    let (progress, reports) = Self.progress(3)
    let (reading, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let (worked, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let read = Mutex<[String]>([])
    let calls = Mutex(0)
    let most = Mutex(0)
    let onReport: @Sendable (CandidateReport) -> Void = { report in
      let inside = calls.withLock {
        $0 += 1
        return $0
      }
      most.withLock { $0 = max($0, inside) }
      if report.path == "0.mp4" {
        reading.signal()
        goOn.wait()
      }
      read.withLock { $0.append(report.path.string) }
      calls.withLock { $0 -= 1 }
    }
    Thread.detachNewThread {
      progress.publish([0: reports[0]], onReport)
      ended.signal()
    }
    reading.wait()
    // The other worker does all the rest meanwhile.
    Thread.detachNewThread {
      _ = progress.next()
      while let index = progress.next() {
        guard case .alone = progress.finish(index, reports[index]) else { return }
        progress.publish([index: reports[index]], onReport)
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

  @Test("a reader may ask what is done, and the reports of one release come in order")
  func asking() {
    let (progress, reports) = Self.progress(4)
    let read = Mutex<[String]>([])
    progress.publish([3: reports[3], 0: reports[0], 2: reports[2]]) { report in
      #expect(progress.all.contains { $0.path == report.path })
      read.withLock { $0.append(report.path.string) }
    }
    #expect(read.withLock(\.self) == ["0.mp4", "2.mp4", "3.mp4"])
  }

  @Test("reports of many workers are each handed over once, those of a call together")
  func many() {
    let (progress, reports) = Self.progress(400)
    let read = Mutex<[Int]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { worker in
      for first in stride(from: 10 * worker, to: 400, by: 40) {
        let places = first..<first + 10
        progress.publish(Dictionary(uniqueKeysWithValues: places.map { ($0, reports[$0]) })) {
          report in
          read.withLock { $0.append(Int(report.path.stem ?? "") ?? -1) }
        }
      }
    }
    let order = read.withLock(\.self)
    #expect(order.sorted() == Array(0..<400))
    for start in stride(from: 0, to: 400, by: 10) {
      #expect(Array(order.dropFirst(start).prefix(10)) == Array(order[start]..<order[start] + 10))
    }
  }
}
