import Dispatch
import Foundation
import Retrievers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Tells when a file has been saved, by whatever process, until it is released.
final class FileWatcher {
  /// Sends after each save.
  let changes: AnyPublisher<Void, Never>
  private let source: any DispatchSourceProtocol

  private init(_ changes: some Publisher<Void, Never>, _ source: any DispatchSourceProtocol) {
    self.changes = changes.eraseToAnyPublisher()
    self.source = source
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Uses the best way there is on this system.
  ///
  /// - Parameters:
  ///   - file: The file; it need not exist, its directory must.
  ///   - polls: Whether to poll even where the system tells by itself.
  ///   - queue: Where to send.
  static func watching(_ file: URL, polls: Bool, on queue: DispatchQueue) throws(PeopleFile.Problem) -> FileWatcher {
    #if os(Linux)
      if !polls { return try notified(of: file, on: queue) }
    #endif
    return polling(file, every: .milliseconds(50), on: queue)
  }
}

// MARK: - Polling

extension FileWatcher {
  /// Compares the date and the size of the file from time to time.
  static func polling(_ file: URL, every interval: DispatchTimeInterval, on queue: DispatchQueue) -> FileWatcher {
    struct Stamp: Equatable {
      let date: Date?
      let size: Int?

      init(of file: URL) {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        date = attributes?[.modificationDate] as? Date
        size = (attributes?[.size] as? NSNumber)?.intValue
      }
    }

    let subject = PassthroughSubject<Void, Never>()
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + interval, repeating: interval)
    var last = Stamp(of: file)
    timer.setEventHandler {
      let stamp = Stamp(of: file)
      guard stamp != last else { return }
      last = stamp
      subject.send()
    }
    return FileWatcher(subject, timer)
  }
}

// MARK: - Being notified

#if os(Linux)
  extension FileWatcher {
    /// Asks the kernel about the directory.
    ///
    /// A file that an editor replaces is a new one, so watching the file itself would end with the first save; and
    /// "modified" comes while it is half written, so what counts is that it was closed or moved into place.
    static func notified(of file: URL, on queue: DispatchQueue) throws(PeopleFile.Problem) -> FileWatcher {
      let directory = file.deletingLastPathComponent()
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw PeopleFile.Problem(cannotWatch: directory) }
      let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_ONLYDIR)
      guard inotify_add_watch(descriptor, directory.path, events) >= 0 else {
        let problem = PeopleFile.Problem(cannotWatch: directory)
        close(descriptor)
        throw problem
      }
      let subject = PassthroughSubject<Void, Never>()
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      let name = file.lastPathComponent
      source.setEventHandler {
        // One save raises several events; they are one change.
        let names = readEvents(descriptor)
        if names.contains(name) || names.contains(nil) { subject.send() }
      }
      source.setCancelHandler { close(descriptor) }
      return FileWatcher(subject, source)
    }

    /// Takes all events that are waiting.
    ///
    /// - Returns: The files they are about; nil stands for events that were lost.
    private static func readEvents(_ descriptor: Int32) -> [String?] {
      var names: [String?] = []
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
        while case let length = read(descriptor, buffer.baseAddress, buffer.count), length > 0 {
          var offset = 0
          while offset < length {
            let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
            let start = offset + MemoryLayout<inotify_event>.size
            offset = start + Int(event.len)
            let bytes = buffer[start..<offset].prefix { $0 != 0 }
            names.append(event.mask & UInt32(IN_Q_OVERFLOW) == 0 ? String(decoding: bytes, as: UTF8.self) : nil)
          }
        }
      }
      return names
    }
  }

  extension PeopleFile.Problem {
    fileprivate init(cannotWatch directory: URL) {
      self.init(file: directory, what: "cannot be watched: \(String(cString: strerror(errno)))")
    }
  }
#endif
