import CCurl

/// A list of lines for libcurl (`curl_slist`). Must outlive the handle that it is set on.
struct CurlList: ~Copyable {
  /// `nil` for an empty list.
  let pointer: UnsafeMutablePointer<curl_slist>?

  /// - Returns: `nil` if memory runs out: a list that lacks lines must not be used.
  static func make(_ lines: [String]) -> CurlList? {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        return nil
      }
      list = longer
    }
    return CurlList(pointer: list)
  }

  private init(pointer: UnsafeMutablePointer<curl_slist>?) { self.pointer = pointer }

  deinit { curl_slist_free_all(pointer) }
}
