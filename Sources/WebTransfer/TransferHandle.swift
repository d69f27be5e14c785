import CCurl

/// libcurl's handle of one transfer. Used by the loop's thread alone.
struct TransferHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?
  private let connectTo: UnsafeMutablePointer<curl_slist>?
  /// Alive as long as libcurl may call it.
  let transfer: Transfer

  private init(_ pointer: UnsafeMutableRawPointer, _ transfer: Transfer) {
    let request = transfer.request
    self.pointer = pointer
    self.transfer = transfer
    // Without `Expect` a body is sent at once.
    let lines = request.headers.map { "\($0.name): \($0.value)" } + ["Expect:"]
    headers = lines.reduce(nil as UnsafeMutablePointer<curl_slist>?) { curl_slist_append($0, $1) }
    if case .address(let address) = request.route {
      // For all hosts and ports of the URL; an empty port is the URL's.
      connectTo = curl_slist_append(nil, "::\(address.contains(":") ? "[\(address)]" : address):")
    } else {
      connectTo = nil
    }
  }

  /// `nil` where there is no memory, or libcurl was built without what is needed.
  static func open(_ transfer: Transfer) -> TransferHandle? {
    guard let pointer = curl_easy_init() else { return nil }
    let handle = TransferHandle(pointer, transfer)
    guard handle.configure() else { return nil }
    return handle
  }

  deinit {
    curl_easy_cleanup(pointer)
    curl_slist_free_all(headers)
    curl_slist_free_all(connectTo)
  }

  private func configure() -> Bool {
    let request = transfer.request
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    var results = [
      artwork_curl_set_text(pointer, CURLOPT_URL, request.url),
      artwork_curl_set_text(pointer, CURLOPT_CUSTOMREQUEST, request.method),
      artwork_curl_set_text(pointer, CURLOPT_PROTOCOLS_STR, "http,https"),
      artwork_curl_set_long(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      // Signals belong to the program.
      artwork_curl_set_long(pointer, CURLOPT_NOSIGNAL, 1),
      // The environment may name proxies.
      artwork_curl_set_text(pointer, CURLOPT_PROXY, ""),
      artwork_curl_set_list(pointer, CURLOPT_HTTPHEADER, headers),
      artwork_curl_set_long(
        pointer, CURLOPT_CONNECTTIMEOUT_MS,
        max(1, Int(request.patience.connect / .milliseconds(1)))),
      artwork_curl_set_receiver(pointer, CURLOPT_HEADERFUNCTION, receiveHeader),
      artwork_curl_set_pointer(pointer, CURLOPT_HEADERDATA, context),
      artwork_curl_set_receiver(pointer, CURLOPT_WRITEFUNCTION, receiveBody),
      artwork_curl_set_pointer(pointer, CURLOPT_WRITEDATA, context),
    ]
    if let body = request.body {
      // libcurl copies it.
      results.append(artwork_curl_set_body(pointer, body, curl_off_t(body.count)))
    }
    if case .socket(let path) = request.route {
      results.append(artwork_curl_set_text(pointer, CURLOPT_UNIX_SOCKET_PATH, path))
    }
    if let connectTo {
      results.append(artwork_curl_set_list(pointer, CURLOPT_CONNECT_TO, connectTo))
    }
    if !request.keepsConnection {
      results.append(artwork_curl_set_long(pointer, CURLOPT_FRESH_CONNECT, 1))
      results.append(artwork_curl_set_long(pointer, CURLOPT_FORBID_REUSE, 1))
    }
    return results.allSatisfy { $0 == CURLE_OK }
  }

  /// What libcurl's result means.
  func end(_ result: CURLcode) -> Transfer.End {
    let reason = String(cString: curl_easy_strerror(result)).lowercased()
    switch result {
    case CURLE_OK: return .complete
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST:
      let errno = artwork_curl_errno(pointer)
      return .failed(.noConnection(errno: errno == 0 ? nil : errno, reason: reason))
    // The only time limit that libcurl itself has is that for the connection.
    case CURLE_OPERATION_TIMEDOUT:
      return .failed(.noConnection(errno: nil, reason: "no connection in time"))
    default: return .failed(.lost(reason))
    }
  }
}

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let line = String(
    decoding: UnsafeRawBufferPointer(start: bytes, count: size * count), as: UTF8.self)
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  return transfer.receive(headerLine: line) ? size * count : 0
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  let isTaken = transfer.receive(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return isTaken ? size * count : artwork_curl_pause_receiving()
}
