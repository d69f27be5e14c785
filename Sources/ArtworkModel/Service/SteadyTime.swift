import Glibc
import Synchronization

/// Seconds since 1970 on a clock that cannot be set: the wall clock at start plus the elapsed time. Playback
/// positions use it. Timestamps in messages use the wall clock, which may have been set meanwhile.
package final class SteadyTime: Sendable {
  /// The clock of this process.
  package static let shared = SteadyTime()

  /// The clock's value at system start.
  package let start: Double
  private let wall: @Sendable () -> Double
  private let passed: @Sendable () -> Double
  private let known = Mutex(0.0)

  /// The smallest step of the wall clock that counts, in seconds: more than it takes to read two clocks.
  fileprivate static let leastStep = 0.25

  /// - Parameters:
  ///   - start: from an earlier process since the same boot, to continue with; `nil` begins with the wall clock.
  ///   - wall: seconds since 1970.
  ///   - passed: seconds since the system started, suspension included.
  package init(
    start: Double? = nil, wall: @escaping @Sendable () -> Double = SteadyTime.wall,
    passed: @escaping @Sendable () -> Double = SteadyTime.passed
  ) {
    self.start = start ?? wall() - passed()
    self.wall = wall
    self.passed = passed
  }

  package var now: Double { start + passed() }

  /// Lead of the wall clock. A multiple of 1/1024, so that adding and subtracting it loses no bit.
  package var lead: Double {
    let lead = wall() - now
    return known.withLock { known in
      if abs(lead - known) > Self.leastStep { known = (lead * 1024).rounded() / 1024 }
      return known
    }
  }

  @Sendable package static func wall() -> Double { seconds(CLOCK_REALTIME) }

  @Sendable package static func passed() -> Double { seconds(CLOCK_BOOTTIME) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

extension MediaSession {
  /// A copy of a received session, by the steady clock. Without a timestamp it counts from now, as with one in the future.
  package func received(by time: SteadyTime) -> MediaSession {
    var known = self
    let (stated, now) = (playback?.timestamp.map { $0 - time.lead }, time.now)
    known.playback?.timestamp = stated.map { $0 > now + SteadyTime.leastStep ? now : $0 } ?? now
    return known
  }

  /// A copy that travels, by the wall clock.
  package func sent(by time: SteadyTime) -> MediaSession {
    var sent = self
    sent.playback?.timestamp = playback?.timestamp.map { $0 + time.lead }
    return sent
  }
}

extension NowPlaying {
  package func sent(by time: SteadyTime) -> NowPlaying {
    var sent = self
    for index in sessions.indices {
      sent.sessions[index].session = sessions[index].session.sent(by: time)
    }
    let timestamp = shown?.playback?.snapshot.timestamp
    sent.shown?.playback?.snapshot.timestamp = timestamp.map { $0 + time.lead }
    return sent
  }
}
