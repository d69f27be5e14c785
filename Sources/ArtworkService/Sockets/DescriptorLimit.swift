import Glibc

/// The limit of open files and sockets of this process.
package enum DescriptorLimit {
  /// Raises the soft limit to the hard limit.
  ///
  /// - Returns: the limit that applies now.
  @discardableResult
  package static func raise() -> Int {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 256 }
    if limit.rlim_cur < limit.rlim_max {
      var raised = limit
      raised.rlim_cur = limit.rlim_max
      if setrlimit(resource, &raised) == 0 { limit = raised }
    }
    return Int(clamping: limit.rlim_cur)
  }
}
