extension FixedWidthInteger {
  /// Digits only: no sign, no space, nothing empty.
  package init?(plainDigits text: some StringProtocol) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    self.init(text)
  }
}
