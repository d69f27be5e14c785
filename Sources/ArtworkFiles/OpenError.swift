/// Why a file or folder was not opened.
package enum OpenError: Error, Equatable {
  /// A link, `..` or an absolute path leads out of the folder.
  case leadsOut
  /// It exists, but is neither a file nor a folder: a FIFO, a socket, a device.
  case notAFile
  case system(Errno)

  /// The text after `cannot be opened`.
  package var words: String {
    switch self {
    case .system(let error): error.description.lowercased()
    case .notAFile: "it is no regular file"
    case .leadsOut: "a link leads out of the folder"
    }
  }
}
