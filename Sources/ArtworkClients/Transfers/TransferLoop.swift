import CCurl
import Dispatch
import Glibc
import Synchronization

/// Runs transfers on a dedicated thread, through libcurl's multi interface. Connections are reused for the next
/// request to the same server.
package final class TransferLoop: Sendable {
  /// The loop of this process. Its thread starts with the first transfer and never ends.
  package static let shared = TransferLoop()

  private struct Queue {
    var isRunning = false
    /// Transfers that are new, cancelled or ready to continue.
    var changed: [Transfer] = []
  }

  private let queue = Mutex(Queue())
  /// The address of libcurl's multi handle. Other threads may only pass it to `curl_multi_wakeup`.
  private let address: UInt

  private init() {
    // Fails only when memory runs out; then the handle is nil as well.
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    address = UInt(bitPattern: curl_multi_init())
  }

  /// Sends a request and returns when the response's head has arrived, whatever its status.
  package func send(_ request: TransferRequest) async throws(TransferError) -> TransferResponse {
    try request.check()
    guard address != 0 else { throw .lost("libcurl cannot allocate memory") }
    let transfer = Transfer(request) { [self] in wake(for: $0) }
    wake(for: transfer)
    do throws(TransferError) {
      let head = try await transfer.head()
      return TransferResponse(
        status: head.status, headers: head.headers, body: TransferBody(transfer))
    } catch {
      transfer.cancel()
      throw error
    }
  }

  private func wake(for transfer: Transfer) {
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
    Self.blockBrokenPipeSignal()
    var running = RunningTransfers(multi)
    while true {
      for transfer in takeChanged() { running.update(transfer) }
      running.proceed()
      if curl_multi_poll(multi, nil, 0, running.endLate(), nil) != CURLM_OK {
        // Without memory: try again, but not in a busy loop.
        usleep(10_000)
      }
    }
  }

  private func takeChanged() -> [Transfer] {
    queue.withLock { queue in
      defer { queue.changed = [] }
      return queue.changed
    }
  }

  /// OpenSSL writes without MSG_NOSIGNAL, and the process may be a player that does not ignore SIGPIPE. Blocked on this
  /// thread, it never arrives.
  private static func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}
