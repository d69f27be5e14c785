import CCurl
import Dispatch
import Synchronization

/// Runs transfers on one thread of its own, through libcurl's multi interface. Connections are kept for the next
/// transfer to the same place.
package final class TransferLoop: Sendable {
  /// The one of this process; its thread starts with the first transfer and stays.
  package static let shared = TransferLoop()

  private struct Queue {
    var isRunning = false
    /// New, cancelled or to be resumed.
    var changed: [Transfer] = []
  }

  private let queue = Mutex(Queue())
  /// libcurl's multi handle as an address: only ``curl_multi_wakeup`` may be called with it from any thread.
  private let address: UInt

  private init() {
    // Fails without memory only; then there is no handle below either.
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    address = UInt(bitPattern: curl_multi_init())
  }

  /// Sends a request and returns when the head of its answer is there, whatever its status.
  package func send(_ request: TransferRequest) async throws(TransferError) -> TransferResponse {
    guard address != 0 else { throw .lost("libcurl has no memory") }
    let transfer = Transfer(request) { [self] in tell($0) }
    tell(transfer)
    do throws(TransferError) {
      let head = try await transfer.head()
      return TransferResponse(
        status: head.status, headers: head.headers, body: TransferBody(transfer))
    } catch {
      transfer.cancel()
      throw error
    }
  }

  private func tell(_ transfer: Transfer) {
    let isFirst = queue.withLock { queue in
      queue.changed.append(transfer)
      defer { queue.isRunning = true }
      return !queue.isRunning
    }
    if isFirst {
      DispatchQueue(label: "artworkd.transfers").async { [self] in run() }
    } else {
      curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: address))
    }
  }

  private func run() {
    guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
    var running = RunningTransfers(multi)
    while true {
      for transfer in takeChanged() { running.look(at: transfer) }
      running.proceed()
      curl_multi_poll(multi, nil, 0, running.endLate(), nil)
    }
  }

  private func takeChanged() -> [Transfer] {
    queue.withLock { queue in
      defer { queue.changed = [] }
      return queue.changed
    }
  }
}

/// The transfers that libcurl works on, on the loop's thread.
private struct RunningTransfers: ~Copyable {
  private let multi: UnsafeMutableRawPointer
  private var handles: [UnsafeMutableRawPointer: Handle] = [:]

  /// A handle in a dictionary.
  private final class Handle {
    let handle: TransferHandle
    init(_ handle: consuming TransferHandle) { self.handle = handle }
  }

  init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  mutating func look(at transfer: Transfer) {
    let known = handles.values.first { $0.handle.transfer === transfer }
    if transfer.isFinished {
      if let known { remove(known) }
    } else if let known {
      if transfer.takeResumption() { curl_easy_pause(known.handle.pointer, CURLPAUSE_CONT) }
    } else if let new = TransferHandle.open(transfer) {
      let handle = Handle(new)
      handles[handle.handle.pointer] = handle
      curl_multi_add_handle(multi, handle.handle.pointer)
    } else {
      transfer.finish(.failed(.lost("this is not a request that libcurl can make")))
    }
  }

  /// Has libcurl read and write what it can without waiting.
  mutating func proceed() {
    var count: Int32 = 0
    curl_multi_perform(multi, &count)
    var result = CURLE_OK
    while let pointer = artwork_curl_next_finished(multi, &result) {
      guard let handle = handles[pointer] else { continue }
      handle.handle.transfer.finish(handle.handle.end(result))
      remove(handle)
    }
  }

  /// Ends what is late.
  ///
  /// - Returns: milliseconds until the next may be.
  mutating func endLate() -> Int32 {
    let now = ContinuousClock.now
    var next = Duration.seconds(60)
    for handle in Array(handles.values) {
      guard let deadline = handle.handle.transfer.deadline else { continue }
      if deadline <= now {
        handle.handle.transfer.finish(.failed(.timedOut))
        remove(handle)
      } else {
        next = min(next, now.duration(to: deadline))
      }
    }
    return Int32(clamping: Int64(next / .milliseconds(1)) + 1)
  }

  private mutating func remove(_ handle: Handle) {
    curl_multi_remove_handle(multi, handle.handle.pointer)
    handles[handle.handle.pointer] = nil
  }
}
