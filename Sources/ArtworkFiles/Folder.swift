import CSystemCalls
import Glibc

/// An open folder that gives access to its contents and to nothing else: no link, no `..` and no concurrent
/// replacement of a folder by a link can lead out of it. It remains the folder that was opened, even if it is
/// renamed.
///
/// The kernel enforces this (openat2, Linux 5.6), and links that stay inside are followed; absolute links always
/// count as leading out. If the kernel is older, or a container forbids the call, each component is opened separately
/// and every link counts as leading out.
///
/// Hard links do not count as links: they are the file itself under another name.
package struct Folder: ~Copyable {
  private let descriptor: FileDescriptor
  /// Do without openat2; for tests.
  private let avoidsKernel: Bool

  /// Opens the folder at `path`, which may be a link.
  package init(opening path: FilePath, avoidsKernel: Bool = false) throws(Errno) {
    let flags = artwork_path_only() | O_DIRECTORY | O_CLOEXEC
    let result = path.withPlatformString { openat(AT_FDCWD, $0, flags) }
    guard result >= 0 else { throw Errno(rawValue: errno) }
    descriptor = FileDescriptor(rawValue: result)
    self.avoidsKernel = avoidsKernel
  }

  deinit { try? descriptor.close() }

  package enum Kind {
    case file, folder, link
    /// A FIFO, a socket, a device.
    case other

    init(mode: mode_t) {
      switch mode & S_IFMT {
      case S_IFREG: self = .file
      case S_IFDIR: self = .folder
      case S_IFLNK: self = .link
      default: self = .other
      }
    }
  }

  package struct Entry {
    package var name: FilePath.Component
    package var kind: Kind
  }

  /// Opens a file for reading without ever blocking, or a folder. Nothing else is opened, because opening alone has
  /// effects on terminals, tapes and FIFOs.
  ///
  /// Between checking the type and opening, the file could be replaced. So the caller checks the type of the opened
  /// file again. A different file does no harm: it is still one in this folder.
  ///
  /// - Parameter below: relative to this folder.
  package func openFile(_ below: FilePath) throws(OpenError) -> FileDescriptor {
    guard [.file, .folder].contains(try kind(of: below)) else { throw .notAFile }
    return try open(below, readingFlags)
  }

  /// Opens a file that was named directly, like ``openFile(_:)`` but through any link.
  package static func openNamed(_ path: FilePath) throws(OpenError) -> FileDescriptor {
    var status = stat()
    guard path.withPlatformString({ stat($0, &status) }) == 0 else { throw .lastError }
    guard [.file, .folder].contains(Kind(mode: status.st_mode)) else { throw .notAFile }
    return try checked(path.withPlatformString { openat(AT_FDCWD, $0, readingFlags) })
  }

  /// The entries of a folder below this one, in no order, without `.` and `..`. No component of `below` may be a
  /// link. Costs one pass over the folder and no call per entry, on file systems that store types in folders.
  ///
  /// - Throws: also when reading stops in the middle.
  package func entries(of below: FilePath) throws(OpenError) -> [Entry] {
    let file = try open(
      below, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, refusesLinks: true)
    guard let stream = fdopendir(file.rawValue) else {
      let error = OpenError.lastError
      try? file.close()
      throw error
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .lastError }
        return entries
      }
      // Read in place, because a name may be longer than the array type declares.
      let name = withUnsafePointer(to: &entry.pointee.d_name) { array in
        array.withMemoryRebound(to: CChar.self, capacity: 1) {
          FilePath.Component(platformString: $0)
        }
      }
      guard let name, name.kind == .regular else { continue }
      switch Int(entry.pointee.d_type) {
      case Int(DT_REG): entries.append(Entry(name: name, kind: .file))
      case Int(DT_DIR): entries.append(Entry(name: name, kind: .folder))
      case Int(DT_LNK): entries.append(Entry(name: name, kind: .link))
      case Int(DT_UNKNOWN):
        // Ignore entries that have disappeared.
        if let mode = Self.mode(of: name, in: file) {
          entries.append(Entry(name: name, kind: Kind(mode: mode)))
        }
      default: entries.append(Entry(name: name, kind: .other))
      }
    }
  }

  /// The type of `below`, following links, without opening it.
  private func kind(of below: FilePath) throws(OpenError) -> Kind {
    Kind(mode: try status(of: below).st_mode)
  }

  /// The status of `below`, following links, without opening it for reading.
  ///
  /// - Parameter below: relative to this folder.
  func status(of below: FilePath) throws(OpenError) -> stat {
    var status = stat()
    if !avoidsKernel {
      do throws(OpenError) {
        let file = try openByKernel(below, artwork_path_only() | O_CLOEXEC)
        defer { try? file.close() }
        guard fstat(file.rawValue, &status) == 0 else { throw .lastError }
        return status
      } catch {
        guard error.meansNoSuchCall else { throw error }
      }
    }
    guard let name = below.lastComponent else {
      guard fstat(descriptor.rawValue, &status) == 0 else { throw .lastError }
      return status
    }
    let parent = try openByComponents(
      below.removingLastComponent(), artwork_path_only() | O_DIRECTORY | O_CLOEXEC)
    defer { try? parent.close() }
    guard let found = Self.status(of: name, in: parent) else { throw .lastError }
    if Kind(mode: found.st_mode) == .link { throw .leadsOut }
    return found
  }

  private func open(
    _ below: FilePath, _ flags: CInt, refusesLinks: Bool = false
  ) throws(OpenError) -> FileDescriptor {
    if !avoidsKernel {
      do throws(OpenError) {
        return try openByKernel(below, flags, refusesLinks: refusesLinks)
      } catch {
        guard error.meansNoSuchCall else { throw error }
      }
    }
    return try openByComponents(below, flags)
  }

  private func openByKernel(
    _ below: FilePath, _ flags: CInt, refusesLinks: Bool = false
  ) throws(OpenError) -> FileDescriptor {
    let path = below.isEmpty ? "." : below
    // A rename anywhere on the system while `..` is resolved makes the kernel give up with EAGAIN.
    for _ in 0..<100 {
      let result = path.withPlatformString {
        artwork_open_beneath(descriptor.rawValue, $0, flags, refusesLinks ? 1 : 0)
      }
      if result >= 0 { return FileDescriptor(rawValue: result) }
      if result == -EXDEV { throw .leadsOut }
      if result != -EAGAIN && result != -EINTR { throw .system(Errno(rawValue: -result)) }
    }
    throw .system(.resourceTemporarilyUnavailable)
  }

  /// Without openat2: one component after the other, none of which may be a link.
  private func openByComponents(
    _ below: FilePath, _ flags: CInt
  ) throws(OpenError) -> FileDescriptor {
    if below.root != nil { throw .leadsOut }
    var names = below.components.filter { $0.kind != .currentDirectory }
    let last = names.popLast() ?? "."
    var parent = descriptor
    var ownsParent = false
    defer { if ownsParent { try? parent.close() } }
    for name in names {
      let next = try Self.openComponent(
        name, in: parent, artwork_path_only() | O_DIRECTORY | O_CLOEXEC)
      if ownsParent { try? parent.close() }
      parent = next
      ownsParent = true
    }
    return try Self.openComponent(last, in: parent, flags)
  }

  private static func openComponent(
    _ name: FilePath.Component, in parent: FileDescriptor, _ flags: CInt
  ) throws(OpenError) -> FileDescriptor {
    // The mode is checked only for the message; O_NOFOLLOW is what keeps links out.
    if name.kind == .parentDirectory { throw .leadsOut }
    if mode(of: name, in: parent).map(Kind.init(mode:)) == .link { throw .leadsOut }
    return try checked(
      name.withPlatformString { openat(parent.rawValue, $0, flags | O_NOFOLLOW) })
  }

  /// Returns the mode of the entry itself, even of a link; `nil` leaves the reason in `errno`.
  private static func mode(of name: FilePath.Component, in parent: FileDescriptor) -> mode_t? {
    status(of: name, in: parent)?.st_mode
  }

  private static func status(of name: FilePath.Component, in parent: FileDescriptor) -> stat? {
    var status = stat()
    let result = name.withPlatformString {
      fstatat(parent.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return result == 0 ? status : nil
  }

  private static func checked(_ result: CInt) throws(OpenError) -> FileDescriptor {
    guard result >= 0 else { throw .lastError }
    return FileDescriptor(rawValue: result)
  }
}

/// A FIFO without a writer does not block, and a terminal does not become the controlling one.
private let readingFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC

extension OpenError {
  fileprivate static var lastError: OpenError { .system(Errno(rawValue: errno)) }

  /// The kernel is older than openat2, or the filter of a container forbids unknown calls. A real EPERM recurs when
  /// the components are opened.
  fileprivate var meansNoSuchCall: Bool {
    self == .system(.noFunction) || self == .system(.notPermitted)
  }
}
