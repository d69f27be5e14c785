import ArtworkPipeline
import Dispatch
import Glibc

/// Ends the process on Ctrl-C (and SIGTERM, SIGHUP) without leaving partial files behind.
struct Interrupt {
  private let sources: [any DispatchSourceSignal]

  /// Watches as long as the value lives.
  ///
  /// - Parameters:
  ///   - stop: called first, so that work that fails from now on is not reported.
  ///   - farewell: called before the process ends, to print what remains.
  init(
    stop: @escaping @Sendable () -> Void = {}, farewell: @escaping @Sendable () -> Void
  ) {
    // Signals that the parent ignored (nohup, background jobs of scripts) remain ignored.
    let watched = [SIGINT, SIGTERM, SIGHUP].filter { number in
      var current = sigaction()
      unsafe sigaction(number, nil, &current)
      return !current.isIgnored
    }
    // A private serial queue always gets a thread. The global queues have one thread per processor, and a
    // batch keeps those busy.
    let queue = DispatchQueue(label: "artworkd.interrupt")
    let registered = DispatchGroup()
    sources = watched.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        stop()
        AtomicFile.abandonAll()
        farewell()
        exitNow(.interrupted)
      }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.resume()
      return source
    }
    registered.wait()
    // A closed pipe is reported as a failed write.
    signal(SIGPIPE, SIG_IGN)
  }
}

extension Interrupt {
  /// Prints the message of every interrupted command.
  init(clearing line: EncodingLine? = nil) {
    self.init {
      line?.clear()
      Self.notify()
    }
  }

  static func notify() { Terminal.printError("artworkd: interrupted, no partial files are left\n") }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafe unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
