import Glibc
package import SystemPackage

/// The folder of the socket, its lock and the token, accessible to this user only.
package struct RuntimeFolder: Sendable {
  package var path: FilePath

  /// Creates the folder with mode 0700 if it is missing.
  ///
  /// - Throws: ``StartError/folderNotPrivate(_:_:)`` if it is a link, belongs to another user or is open to others.
  package init(_ path: FilePath) throws(StartError) {
    self.path = path
    var made = path.root.map { FilePath(root: $0) } ?? FilePath()
    for component in path.components {
      made.append(component)
      // Missing folders above it become private as well.
      if unsafe made.withPlatformString({ unsafe mkdir($0, 0o700) }) != 0, errno != EEXIST,
        made == path
      {
        throw .failed("create \(path)", Errno(rawValue: errno))
      }
    }
    var status = stat()
    guard unsafe path.withPlatformString({ unsafe lstat($0, &status) }) == 0 else {
      throw .failed("read the state of \(path)", Errno(rawValue: errno))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw .folderNotPrivate(path, "is not a folder")
    }
    guard status.st_uid == geteuid() else {
      throw .folderNotPrivate(path, "belongs to user \(status.st_uid)")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .folderNotPrivate(
        path, "has mode \(String(status.st_mode & 0o777, radix: 8)), open to other users")
    }
  }
}
