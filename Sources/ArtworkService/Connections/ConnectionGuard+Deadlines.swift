import NIOCore

extension ConnectionGuard {
  enum Expiry {
    case tooSlow
    case silently
  }

  var deadline: (at: NIODeadline, expiry: Expiry)? {
    if let lingersUntil { return (lingersUntil, .silently) }
    if let strangerUntil {
      let isInHead = if case .head = reading { true } else { false }
      return (strangerUntil, isInHead ? .tooSlow : .silently)
    }
    if let blockedSince, !connection.ownsSession { return (blockedSince + limits.write, .silently) }
    switch reading {
    case .head(let since): return (since + limits.head, .tooSlow)
    case .body(let since, _): return (since + limits.request, .tooSlow)
    case .between, .answered, .nothing: break
    }
    guard outstanding == 0 else { return nil }
    return (idleSince + (unwritten == 0 ? limits.idle : limits.write), .silently)
  }

  /// One timer for a connection's life. It fires no later than the soonest deadline that could have been set since.
  func arm(_ context: ChannelHandlerContext, in time: TimeAmount) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in tick(context) }
  }

  func tick(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    guard let (end, expiry) = deadline, end <= now else {
      let wait = deadline.map { $0.at - now } ?? limits.shortest
      return arm(context, in: min(wait, limits.shortest))
    }
    switch expiry {
    case .silently: context.close(promise: nil)
    case .tooSlow:
      refuse(.tooSlow, context)
      arm(context, in: limits.shortest)
    }
  }
}
