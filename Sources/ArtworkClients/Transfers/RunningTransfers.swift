import CCurl

/// The transfers that libcurl works on. Only the loop's thread uses it.
struct RunningTransfers: ~Copyable {
  private let multi: UnsafeMutableRawPointer
  private var handles: [UnsafeMutableRawPointer: Handle] = [:]
  private var pointers: [ObjectIdentifier: UnsafeMutableRawPointer] = [:]

  /// Holds a noncopyable handle in a dictionary.
  private final class Handle {
    let handle: TransferHandle
    init(_ handle: consuming TransferHandle) { self.handle = handle }
  }

  init(_ multi: UnsafeMutableRawPointer) { self.multi = multi }

  /// Starts a new transfer, removes one that has ended, and continues one whose reader has made room.
  mutating func update(_ transfer: Transfer) {
    let known = pointers[ObjectIdentifier(transfer)].flatMap { handles[$0] }
    if transfer.isFinished {
      if let known { remove(known) }
    } else if let known {
      if transfer.takeResumption() { curl_easy_pause(known.handle.pointer, CURLPAUSE_CONT) }
    } else {
      start(transfer)
    }
  }

  private mutating func start(_ transfer: Transfer) {
    guard let opened = TransferHandle.open(transfer) else {
      return transfer.finish(.failed(.lost("libcurl cannot make this request")))
    }
    let handle = Handle(opened)
    guard curl_multi_add_handle(multi, handle.handle.pointer) == CURLM_OK else {
      return transfer.finish(.failed(.lost("libcurl cannot start this request")))
    }
    handles[handle.handle.pointer] = handle
    pointers[ObjectIdentifier(transfer)] = handle.handle.pointer
  }

  /// Lets libcurl read and write without blocking.
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

  /// Ends the transfers that have timed out.
  ///
  /// - Returns: milliseconds until the next one may.
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

  /// Closes the connection of a transfer that is not complete.
  private mutating func remove(_ handle: Handle) {
    curl_multi_remove_handle(multi, handle.handle.pointer)
    pointers[ObjectIdentifier(handle.handle.transfer)] = nil
    handles[handle.handle.pointer] = nil
  }
}
