extension InputFile {
  /// Opens `path` for reading. Never blocks, and does not open FIFOs, sockets and devices at all.
  ///
  /// - Parameter folder: see ``Candidate/folder``. The folder itself may be a link.
  /// - Throws: `not-found`, `unreadable`, `outside-folder`, `not-a-file`, `empty-file` or `too-large`.
  package static func open(
    _ path: FilePath, beneath folder: FilePath? = nil, limits: Limits = Limits()
  ) throws(InspectionError) -> InputFile {
    if let folder {
      let opened: Folder
      do throws(Errno) {
        opened = try Folder(opening: folder)
      } catch {
        throw InspectionError(.system(error))
      }
      var below = path
      guard below.removePrefix(folder) else { throw InspectionError(.leadsOut) }
      return try open(below, in: opened, limits: limits)
    }
    let descriptor: FileDescriptor
    do throws(OpenError) {
      descriptor = try Folder.openNamed(path)
    } catch {
      throw InspectionError(error)
    }
    return try InputFile(adopting: descriptor, limits: limits)
  }

  /// Opens a file that lies in `folder`, links followed, like ``open(_:beneath:limits:)``.
  ///
  /// - Parameter below: relative to the folder.
  package static func open(
    _ below: FilePath, in folder: borrowing Folder, limits: Limits = Limits()
  ) throws(InspectionError) -> InputFile {
    let descriptor: FileDescriptor
    do throws(OpenError) {
      descriptor = try folder.openFile(below)
    } catch {
      throw InspectionError(error)
    }
    return try InputFile(adopting: descriptor, limits: limits)
  }
}

extension InspectionError {
  fileprivate init(_ error: OpenError) {
    switch error {
    case .leadsOut:
      self.init(.outsideFolder, "its path leads out of the searched folder")
    case .notAFile:
      self.init(.notAFile, "this is not a regular file")
    case .system(let error):
      self.init(
        error == .noSuchFileOrDirectory ? .notFound : .unreadable,
        "cannot open the file: \(error.description.lowercased())")
    }
  }
}
