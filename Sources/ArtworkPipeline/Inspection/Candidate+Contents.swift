extension Candidate {
  /// The bytes of the file; `nil` for one that cannot be opened, or is larger.
  public func contents(atMost limit: Int) -> [UInt8]? {
    guard let input = try? InputFile.open(path, beneath: folder), input.size <= Int64(limit) else {
      return nil
    }
    let bytes = input.bytes(at: 0, count: Int(input.size))
    return Int64(bytes.count) == input.size ? bytes : nil
  }
}
