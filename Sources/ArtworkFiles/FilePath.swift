import Glibc

extension FilePath {
  /// The base of relative paths; the root if it was removed.
  package static var currentFolder: FilePath {
    guard let name = unsafe getcwd(nil, 0) else { return "/" }
    defer { unsafe free(name) }
    return unsafe FilePath(platformString: name)
  }

  /// The path from the root, without `.` and `..`. Lexical: links are not followed.
  package func absolute(in folder: FilePath) -> FilePath {
    (isAbsolute ? self : folder.pushing(self)).lexicallyNormalized()
  }

  /// The shorter form of an absolute path: relative to `folder` if it is below it.
  package func shortened(from folder: FilePath) -> FilePath {
    var path = self
    guard path.removePrefix(folder) else { return self }
    return path.isEmpty ? "." : path
  }

  /// The relative path to an absolute path from an absolute folder, with `..` if necessary.
  package func relative(to folder: FilePath) -> FilePath {
    let (own, other) = (Array(components), Array(folder.components))
    let shared = zip(own, other).prefix { $0 == $1 }.count
    let up = Array(repeating: FilePath.Component.parent, count: other.count - shared)
    return FilePath(root: nil, up + own[shared...])
  }

  /// The deepest folder that all of some files are in; empty for none.
  package static func folder(of files: [FilePath]) -> FilePath {
    let folders = files.map { $0.removingLastComponent() }
    var shared = folders.first ?? FilePath()
    while !folders.allSatisfy({ $0.starts(with: shared) }), !shared.components.isEmpty {
      shared.removeLastComponent()
    }
    return shared
  }

  /// Whether the path exists, following links.
  package var exists: Bool { unsafe withPlatformString { unsafe access($0, F_OK) } == 0 }

  /// Whether it is a folder, links followed.
  package var isFolder: Bool {
    leadsToFolder(self)
  }

  /// The whole file, read without waiting for a writer of a FIFO.
  ///
  /// - Parameter limit: bytes. A larger file is `.fileTooLarge`.
  package func contents(atMost limit: Int) throws(Errno) -> [UInt8] {
    do {
      let file = try FileDescriptor.open(self, .readOnly, options: [.nonBlocking, .closeOnExec])
      return try file.closeAfter { try file.contents(atMost: limit) }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

extension FileDescriptor {
  /// The rest of the file. More bytes than `limit` are `.fileTooLarge`.
  package func contents(atMost limit: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe read(into: $0) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw Errno.fileTooLarge }
    }
  }
}

extension FilePath.Component {
  fileprivate static var parent: FilePath.Component { ".." }
}

/// A separate function, because a path has its own `stat`.
private func leadsToFolder(_ path: FilePath) -> Bool {
  var status = stat()
  return unsafe path.withPlatformString { unsafe stat($0, &status) } == 0
    && status.st_mode & S_IFMT == S_IFDIR
}

/// A path is bytes. Most are UTF-8, but nothing demands it.
extension FilePath {
  /// - Parameter bytes: without the final zero; ends at the first zero there is.
  package init(bytes: some Sequence<UInt8>) {
    unsafe self.init(platformString: bytes.map(CChar.init(bitPattern:)) + [0])
  }

  /// The path as the system knows it.
  package var pathBytes: [UInt8] {
    unsafe withPlatformString { name in
      var bytes: [UInt8] = []
      var next = unsafe name
      while unsafe next.pointee != 0 {
        unsafe bytes.append(UInt8(bitPattern: next.pointee))
        unsafe next = unsafe next.successor()
      }
      return bytes
    }
  }

  /// The bytes as a URL writes them: `%` and two digits for all but letters, digits and `-._~/` (RFC 3986).
  package var percentEncoded: String {
    let plain = Set("-._~/".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in pathBytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: text.append(byte)
      case _ where plain.contains(byte): text.append(byte)
      default: text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// ``percentEncoded`` for a path that is not UTF-8; `nil` for one that is, because its text is exact.
  package var percentEncodedUnlessText: String? {
    String(validating: self) == nil ? percentEncoded : nil
  }

  /// Returns this path with `suffix` at the end of its last component.
  package func suffixed(_ suffix: String) -> FilePath { FilePath(bytes: pathBytes + suffix.utf8) }
}

extension ArtworkSource {
  /// The file at an absolute path: by its path, or by its URL if the path is not UTF-8, which JSON cannot represent.
  package init(file path: FilePath) {
    self =
      String(validating: path).map { .file(path: $0) } ?? .url("file://\(path.percentEncoded)")
  }
}
