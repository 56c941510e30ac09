import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A small HTTP/1.1 server on the loopback interface, with a thread for each connection.
///
/// - `/echo/x` answers with `x`.
/// - `/status/404` answers with that status, and no body.
/// - `/page/x` answers with what the test has put there, and with the status 404 when that is nothing.
/// - `/slow/x` answers with `x` once `open()` has been called.
/// - `/half` sends a part of the body, and then waits until the client leaves.
/// - `/cut` sends a part of the body, and closes the connection.
/// - `/drop` closes the connection without an answer.
final class LoopbackServer: Sendable {
  struct State {
    var requests: [String] = []
    var pages: [String: String] = [:]
    /// How many requests wait, for the client or for the test.
    var waiting = 0
    /// How many clients left while their request waited.
    var left = 0
    var isOpen = false
    var hasLeft = false
    var connections: Set<Int32> = []
  }

  let state = Watched(State())
  let port: UInt16
  private let listener: Int32

  /// Starts a server.
  ///
  /// - Parameter port: Where it listens; 0 for a port that is free.
  init(port wanted: UInt16 = 0) throws {
    listener = socket(AF_INET, streamType, 0)
    var isOn: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && listen(descriptor, 256) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else {
      let reason = POSIXErrorCode(rawValue: errno) ?? .EIO
      close(descriptor)
      throw POSIXError(reason)
    }
    port = UInt16(bigEndian: address.sin_port)
    let state = state
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { break }
        state.change {
          $0.connections.insert(connection)
          // It came at the last moment.
          if $0.hasLeft { shutdown(connection, both) }
        }
        Thread.detachNewThread { Connection(descriptor: connection, state: state).serve() }
      }
      // Nobody else may close it: the number would be that of another server's socket at the next call.
      close(descriptor)
    }
  }

  deinit {
    open()
    leave()
  }

  /// Cuts all connections, and takes no further one.
  func leave() {
    state.change {
      guard !$0.hasLeft else { return }
      $0.hasLeft = true
      for connection in $0.connections { shutdown(connection, both) }
      shutdown(listener, both)
    }
  }

  func url(_ path: String) -> URL {
    guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { preconditionFailure("Not a path: \(path)") }
    return url
  }

  /// Lets the slow requests have their answers.
  func open() {
    state.change { $0.isOpen = true }
  }
}

/// One connection, which may carry several requests.
private struct Connection {
  let descriptor: Int32
  let state: Watched<LoopbackServer.State>

  func serve() {
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    while let path = nextRequest(), answer(path) {}
    state.change { $0.connections.remove(descriptor) }
    close(descriptor)
  }

  /// Reads a request without a body.
  ///
  /// - Returns: Its path; nil when the client has left.
  private func nextRequest() -> String? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard let byte = receive() else { return nil }
      head.append(byte)
    }
    let words = String(decoding: head, as: UTF8.self).split(separator: " ")
    guard words.count > 1 else { return nil }
    let path = String(words[1].dropFirst())
    state.change { $0.requests.append(path) }
    return path
  }

  /// Answers a request.
  ///
  /// - Returns: Whether the connection stays open.
  private func answer(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    switch parts[0] {
    case "echo":
      return send(body: String(parts[1]))
    case "status":
      return send("HTTP/1.1 \(parts[1]) Status\r\nContent-Length: 0\r\n\r\n")
    case "page":
      guard let body = state.value.pages[String(parts[1])] else { return answer("status/404") }
      return send(body: body)
    case "slow":
      state.change { $0.waiting += 1 }
      return state.wait { $0.isOpen } && send(body: String(parts[1]))
    case "half":
      _ = send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it")
      state.change { $0.waiting += 1 }
      while receive() != nil {}
      state.change { $0.left += 1 }
      return false
    case "cut":
      _ = send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf of it")
      return false
    default:
      return false
    }
  }

  private func send(body: String) -> Bool {
    send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  private func send(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { write(descriptor, to: $0) }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  private func receive() -> UInt8? {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) == 1 ? byte : nil
  }
}

#if canImport(Darwin)
  private let streamType = SOCK_STREAM
  private let both = SHUT_RDWR
  private func write(_ descriptor: Int32, to bytes: UnsafeRawBufferPointer) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, 0)
  }
#else
  private let streamType = Int32(SOCK_STREAM.rawValue)
  private let both = Int32(SHUT_RDWR)
  private func write(_ descriptor: Int32, to bytes: UnsafeRawBufferPointer) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
  }
#endif
