package import CEmbedded

extension [UInt8] {
  /// Copies the bytes of a file that is part of the program.
  package init(_ file: embedded_file) {
    self.init(UnsafeBufferPointer(start: file.bytes, count: file.count))
  }
}
