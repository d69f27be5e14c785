import Glibc

extension FilePath {
  /// The base of relative paths; the root if it was removed.
  package static var currentFolder: FilePath {
    guard let name = getcwd(nil, 0) else { return "/" }
    defer { free(name) }
    return FilePath(platformString: name)
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
  package var exists: Bool { withPlatformString { access($0, F_OK) } == 0 }

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
      return try file.closeAfter {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
          let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
          if count == 0 { return bytes }
          bytes += chunk[..<count]
          if bytes.count > limit { throw Errno.fileTooLarge }
        }
      }
    } catch {
      throw error as? Errno ?? .ioError
    }
  }
}

extension FilePath.Component {
  fileprivate static var parent: FilePath.Component { ".." }
}

/// A separate function, because a path has its own `stat`.
private func leadsToFolder(_ path: FilePath) -> Bool {
  var status = stat()
  return path.withPlatformString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
}
