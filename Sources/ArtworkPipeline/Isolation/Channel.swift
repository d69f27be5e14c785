internal import CIsolation

/// Short messages of whole numbers between this process and the zygote.
enum Channel {
  /// Does nothing if the receiver has closed.
  static func send(_ numbers: [Int64], to socket: FileDescriptor) {
    _ = numbers.withUnsafeBytes { artwork_send(socket.rawValue, $0.baseAddress, $0.count) }
  }

  /// `nil` if the sender has closed.
  static func receive(from socket: FileDescriptor, count: Int) -> [Int64]? {
    var numbers = [Int64](repeating: 0, count: count)
    let status = numbers.withUnsafeMutableBytes {
      artwork_receive(socket.rawValue, $0.baseAddress, $0.count)
    }
    return status == 0 ? numbers : nil
  }
}
