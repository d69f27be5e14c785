extension Candidate {
  /// The bytes of the file; `nil` for one that cannot be opened or is larger.
  package func contents(atMost limit: Int) -> [UInt8]? {
    guard let input = try? InputFile.open(path, beneath: folder),
      input.size <= Int64(limit)
    else {
      return nil
    }
    let bytes = input.bytes(at: 0, count: Int(input.size))
    return Int64(bytes.count) == input.size ? bytes : nil
  }

  /// The first bytes of a file; `nil` for one that cannot be read or has more than `most` bytes.
  package func start(_ count: Int, ofAtMost most: Int) -> [UInt8]? {
    guard let input = try? InputFile.open(path, beneath: folder),
      input.size <= Int64(most)
    else { return nil }
    return input.bytes(at: 0, count: min(count, Int(input.size)))
  }

  /// Opens the file for `body`. If it changed meanwhile, the result is discarded.
  ///
  /// - Throws: the errors of ``InputFile/open(_:beneath:limits:)`` and ``InputFile/whileUnchanged(_:)``.
  func whileUnchanged<R>(
    limits: Limits, _ body: (InputFile) throws(InspectionError) -> R
  ) throws(InspectionError) -> R {
    let input =
      isPlaylist
      ? try InputFile.joining(path, beneath: folder, limits: limits)
      : try InputFile.open(path, beneath: folder, limits: limits)
    do throws(InspectionError) {
      return try input.whileUnchanged { () throws(InspectionError) in try body(input) }
    } catch {
      throw error.code == .streamPart ? namingPlaylist(error) : error
    }
  }

  /// The error of a part of a stream with the names of the playlists beside it.
  private func namingPlaylist(_ error: InspectionError) -> InspectionError {
    let place = path.removingLastComponent()
    let names = ((try? Folder(opening: place.isEmpty ? "." : place).entries(of: FilePath())) ?? [])
      .map(\.name).filter { ["m3u8", "mpd"].contains($0.extension?.lowercased() ?? "") }
      .map(\.string).sorted()
    if names.isEmpty { return error }
    let ending =
      names.contains { $0.hasSuffix(".m3u8") } ? "import joins its parts" : "export it as one file"
    return InspectionError(
      .streamPart, "\(error.message); the playlist beside it is \(names.listed("and"))",
      advice: "use the clip that \(names.listed("and")) plays: \(ending)")
  }
}
