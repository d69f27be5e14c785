import CCurl
import CSystemCalls
import Glibc

/// libcurl's handle of one transfer. Only the loop's thread uses it.
struct TransferHandle: ~Copyable {
  let pointer: UnsafeMutableRawPointer
  private let headers: CurlList
  private let connectTo: CurlList
  /// Alive for as long as libcurl may call it.
  let transfer: Transfer

  private init(
    _ pointer: UnsafeMutableRawPointer, _ headers: consuming CurlList,
    _ connectTo: consuming CurlList, _ transfer: Transfer
  ) {
    self.pointer = pointer
    self.headers = headers
    self.connectTo = connectTo
    self.transfer = transfer
  }

  /// - Returns: `nil` if memory runs out, or when libcurl was built without a needed feature.
  static func open(_ transfer: Transfer) -> TransferHandle? {
    let request = transfer.request
    guard let headers = CurlList.make(headerLines(request)),
      let connectTo = CurlList.make(connectToLines(request)), let pointer = curl_easy_init()
    else { return nil }
    let handle = TransferHandle(pointer, headers, connectTo, transfer)
    guard handle.configure() else { return nil }
    return handle
  }

  // The lists are freed after this, as libcurl requires.
  deinit { curl_easy_cleanup(pointer) }

  private static func headerLines(_ request: TransferRequest) -> [String] {
    // A name with a colon and no value would remove a field that libcurl adds; a semicolon sends it empty.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // Otherwise libcurl waits for permission before it sends a large body.
    lines.append("Expect:")
    if request.body != nil,
      !request.headers.contains(where: { $0.name.lowercased() == "content-type" })
    {
      // Otherwise libcurl declares a form.
      lines.append("Content-Type:")
    }
    return lines
  }

  private static func connectToLines(_ request: TransferRequest) -> [String] {
    guard case .address(let address) = request.route else { return [] }
    // HOST:PORT:ADDRESS:PORT, where an empty part matches any, or means the URL's own.
    return ["::\(address.contains(":") ? "[\(address)]" : address):"]
  }

  private func configure() -> Bool {
    let request = transfer.request
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    var results = [
      artwork_curl_set_text(pointer, CURLOPT_URL, request.url),
      artwork_curl_set_long(pointer, CURLOPT_PATH_AS_IS, 1),
      artwork_curl_set_text(pointer, CURLOPT_CUSTOMREQUEST, request.method),
      artwork_curl_set_text(pointer, CURLOPT_PROTOCOLS_STR, "http,https"),
      artwork_curl_set_long(pointer, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
      // Signals belong to the program.
      artwork_curl_set_long(pointer, CURLOPT_NOSIGNAL, 1),
      // The environment may name proxies.
      artwork_curl_set_text(pointer, CURLOPT_PROXY, ""),
      openSockets(context),
      artwork_curl_set_list(pointer, CURLOPT_HTTPHEADER, headers.pointer),
      artwork_curl_set_list(pointer, CURLOPT_CONNECT_TO, connectTo.pointer),
      artwork_curl_set_long(
        pointer, CURLOPT_CONNECTTIMEOUT_MS,
        Int(min(max(1, request.timeouts.connect / .milliseconds(1)), 3_600_000))),
      artwork_curl_set_receiver(pointer, CURLOPT_HEADERFUNCTION, receiveHeader),
      artwork_curl_set_pointer(pointer, CURLOPT_HEADERDATA, context),
      artwork_curl_set_receiver(pointer, CURLOPT_WRITEFUNCTION, receiveBody),
      artwork_curl_set_pointer(pointer, CURLOPT_WRITEDATA, context),
    ]
    if let certificates = CertificateBundle.path() {
      results.append(artwork_curl_set_text(pointer, CURLOPT_CAINFO, certificates))
    }
    if request.method == "HEAD" {
      // Otherwise libcurl waits for the body that Content-Length announces.
      results.append(artwork_curl_set_long(pointer, CURLOPT_NOBODY, 1))
    }
    if let body = request.body {
      // libcurl copies it.
      results.append(artwork_curl_set_body(pointer, body, curl_off_t(body.count)))
    }
    if case .socket(let path) = request.route {
      results.append(artwork_curl_set_text(pointer, CURLOPT_UNIX_SOCKET_PATH, path))
    }
    if !request.keepsConnection {
      results.append(artwork_curl_set_long(pointer, CURLOPT_FRESH_CONNECT, 1))
      results.append(artwork_curl_set_long(pointer, CURLOPT_FORBID_REUSE, 1))
    }
    return results.allSatisfy { $0 == CURLE_OK }
  }

  /// libcurl does not check which process listens at a Unix socket.
  private func openSockets(_ context: UnsafeMutableRawPointer) -> CURLcode {
    guard case .socket = transfer.request.route else {
      return artwork_curl_close_sockets_on_exec(pointer)
    }
    return artwork_curl_check_peer(pointer, openSocket, checkPeer, context)
  }

  /// Why libcurl did not connect: a full backlog of a Unix socket appears to it as a slow connection.
  private func noConnection(_ result: CURLcode) -> TransferError {
    var errno = artwork_curl_errno(pointer)
    if case .socket(let path) = transfer.request.route, errno == 0 || errno == EAGAIN {
      let now = artwork_try_unix(path)
      // The backlog has room again.
      errno = now == 0 ? EAGAIN : -now
    }
    return .noConnection(errno: errno == 0 ? nil : errno, reason: Self.reason(result))
  }

  /// The end of a transfer for a result of libcurl.
  func end(_ result: CURLcode) -> Transfer.End {
    if result != CURLE_OK, let refusal = transfer.refusal { return .failed(refusal) }
    switch result {
    case CURLE_OK: return .complete
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST:
      return .failed(noConnection(result))
    // libcurl's only time limit here is the one for the connection.
    case CURLE_OPERATION_TIMEDOUT:
      return .failed(.noConnection(errno: nil, reason: "connecting timed out"))
    default: return .failed(.lost(Self.reason(result)))
    }
  }

  /// libcurl's message as part of a sentence: `SSL connect error` keeps its capitals.
  private static func reason(_ result: CURLcode) -> String {
    let text = String(cString: curl_easy_strerror(result))
    guard let first = text.first, text.dropFirst().first?.isLowercase == true else { return text }
    return first.lowercased() + text.dropFirst()
  }
}

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return 0 }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
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

private func openSocket(
  _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype,
  _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let context, let address else { return -1 }
  return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    .openSocket(family: address.pointee.family)
}

private func checkPeer(
  _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<CChar>?,
  _ ownAddress: UnsafeMutablePointer<CChar>?, _ port: Int32, _ ownPort: Int32
) -> Int32 {
  guard let context else { return artwork_curl_prereq(0) }
  let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
  return artwork_curl_prereq(transfer.checkPeer() ? 1 : 0)
}
