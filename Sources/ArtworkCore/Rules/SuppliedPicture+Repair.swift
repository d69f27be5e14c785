extension SuppliedPicture {
  /// The name with the extension that `artworkd preview` writes.
  private var pngName: String {
    var path = FilePath(name)
    path.extension = "png"
    return path.string
  }

  package var advice: String {
    pngName == name
      ? "make it from the video" : "make \(pngName) from the video, and remove \(name)"
  }

  /// Makes it from the video, as a PNG of the same name.
  package var repair: Repair { .preview(pngName, removing: pngName == name ? nil : name) }
}
