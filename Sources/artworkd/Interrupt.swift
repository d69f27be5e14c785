import ArtworkPipeline
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Ends the process on Ctrl-C (and SIGTERM, SIGHUP) without leaving partial files behind.
struct Interrupt {
  private let sources: [any DispatchSourceSignal]

  /// Watches from now on for as long as the value lives.
  ///
  /// - Parameter farewell: called before the process ends, to tidy the terminal.
  init(farewell: @escaping @Sendable () -> Void) {
    // What the parent had ignored (nohup, background jobs of scripts) stays ignored.
    let watched = [SIGINT, SIGTERM, SIGHUP].filter { number in
      var current = sigaction()
      sigaction(number, nil, &current)
      return !current.isIgnored
    }
    // A serial queue of its own always gets a thread. The global queues share as many as there are
    // processors, and a batch keeps those busy to its end.
    let queue = DispatchQueue(label: "artworkd.interrupt")
    let registered = DispatchGroup()
    sources = watched.map { number in
      #if canImport(Darwin)
        // A source only watches. On Linux it takes the signal over, and one that comes before still ends the process.
        signal(number, SIG_IGN)
      #endif
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
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
    // A reader that goes away shows as a failed write.
    signal(SIGPIPE, SIG_IGN)
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    #if canImport(Darwin)
      unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    #else
      unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
    #endif
  }
}
