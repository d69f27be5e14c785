import CSystemCalls

/// Notifies the service manager, if there is one (sd_notify(3)).
struct Supervisor: Sendable {
  enum Notice: String, Sendable {
    case ready = "READY=1"
    case stopping = "STOPPING=1"
  }

  private let socket: String?

  /// - Parameter environment: `NOTIFY_SOCKET` names a Unix datagram socket.
  init(_ environment: [String: String]) {
    socket = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// - Returns: `false` if there is a service manager and the notification failed.
  func notify(_ notice: Notice) -> Bool {
    guard let socket else { return true }
    return unsafe artwork_send_datagram(socket, notice.rawValue) == 0
  }
}
