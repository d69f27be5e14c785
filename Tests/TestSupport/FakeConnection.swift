import Foundation
import Synchronization

/// A request to a ``FakeService``.
package struct FakeRequest: Sendable {
  package var method: String
  package var target: String
  /// By names in lower case.
  package var fields: [String: String] = [:]
  package var body = Data()

  /// The decoded segments of its path.
  package var path: [String] {
    target.prefix { $0 != "?" }.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
  }

  package var query: [String: String] {
    let pairs = target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1)
      return (String(parts[0]), parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : "")
    }
    return Dictionary(pairs) { $1 }
  }
}

package struct FakeAnswer: Sendable {
  package enum Body: Sendable {
    case whole(Data)
    /// The connection breaks off in the middle.
    case broken
    /// It never comes.
    case never
    /// - Parameter ended: called when the client or the service has closed the stream.
    case events(FakeStream, ended: @Sendable () -> Void)
  }

  package var status: Int
  package var fields: [String: String]
  package var body: Body

  package init(_ status: Int, _ fields: [String: String] = [:], _ body: Body = .whole(Data())) {
    (self.status, self.fields, self.body) = (status, fields, body)
  }
}

/// Text that goes to one listener.
package final class FakeStream: Sendable {
  private let state = Mutex((text: "", isFinished: false))
  private let signal = DispatchSemaphore(value: 0)

  package func yield(_ text: String) {
    state.withLock { $0.text += text }
    signal.signal()
  }

  package func finish() {
    state.withLock { $0.isFinished = true }
    signal.signal()
  }

  /// A connection that has gone shows when something is written.
  fileprivate func send(to peer: LoopbackServer.Peer) {
    while true {
      _ = signal.wait(timeout: .now() + .milliseconds(20))
      let (text, isFinished) = state.withLock { state in
        defer { state.text = "" }
        return (state.text.isEmpty ? ": keep-alive\n\n" : state.text, state.isFinished)
      }
      guard !isFinished, peer.send(text) else { return }
    }
  }
}

/// One connection to a ``FakeService``, on a thread of its own.
struct FakeConnection {
  private let peer: LoopbackServer.Peer
  private var received: [UInt8]

  init(_ peer: LoopbackServer.Peer, _ first: String) {
    self.peer = peer
    received = Array(first.utf8)
  }

  /// Answers requests until one of the sides closes.
  consuming func serve(_ respond: (FakeRequest) -> FakeAnswer) {
    while let request = next() {
      guard send(respond(request)) else { return }
    }
  }

  private mutating func next() -> FakeRequest? {
    while true {
      let bytes = Data(received)
      if let end = bytes.range(of: Data("\r\n\r\n".utf8)) {
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
          .components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count == 3 else { return nil }
        var request = FakeRequest(method: String(words[0]), target: String(words[1]))
        for line in lines.dropFirst() {
          let field = line.split(separator: ":", maxSplits: 1)
          guard field.count == 2 else { continue }
          request.fields[field[0].lowercased()] = field[1].trimmingCharacters(in: .whitespaces)
        }
        let length = request.fields["content-length"].flatMap { Int($0) } ?? 0
        if bytes.count - end.upperBound >= length {
          request.body = Data(bytes[end.upperBound..<end.upperBound + length])
          received.removeFirst(end.upperBound + length)
          return request
        }
      }
      let more = peer.receiveBytes()
      if more.isEmpty { return nil }
      received += more
    }
  }

  /// - Returns: whether the connection stays open.
  private func send(_ answer: FakeAnswer) -> Bool {
    func head(_ last: String) -> String {
      let fields = answer.fields.map { "\($0.key): \($0.value)\r\n" }.joined()
      return "HTTP/1.1 \(answer.status) Fake\r\n\(fields)\(last)\r\n\r\n"
    }
    switch answer.body {
    case .whole(let data):
      return peer.send(Array(head("Content-Length: \(data.count)").utf8) + data)
    case .broken: _ = peer.send(head("Content-Length: 100") + "{")
    case .never: if peer.send(head("Content-Length: 100")) { _ = peer.waitForEnd() }
    case .events(let stream, let ended):
      if peer.send(head("Connection: close")) { stream.send(to: peer) }
      ended()
    }
    return false
  }
}
