import ArtworkModel
import FoundationEssentials

extension Animation {
  /// The files that the document names and does not hold, as it names them: a folder and a file name, relative to the
  /// document.
  public var externalImages: [String] { externalAssets.map(\.path) }

  /// Embeds PNG and JPEG files in place of the names in the document.
  ///
  /// - Parameter images: the bytes of files, by the last part of the names in ``externalImages``; others are ignored.
  public mutating func embed(_ images: [String: [UInt8]]) {
    embed(base64: images.mapValues { Data($0).base64EncodedString() })
  }

  /// Embeds files in base64, by the last part of the names in ``externalImages``.
  mutating func embed(base64 images: [String: String]) {
    for (index, path) in externalAssets {
      guard let image = images[path.lastName] else { continue }
      let place: Place = [.field("assets"), .item(index)]
      document[place + [.field("e")]] = .number(1)
      document[place + [.field("u")]] = .text("")
      // The renderer recognises formats by their bytes.
      document[place + [.field("p")]] = .text("data:image/png;base64," + image)
    }
  }

  /// The names of assets whose picture is not in the document, or in WebP, which rlottie does not read.
  var missingImages: Set<String> {
    let assets = document["assets"]?.items ?? []
    let outside = externalAssets.compactMap { assets[$0.index]["id"]?.text }
    let unread = assets.filter { ($0["p"]?.text ?? "").hasPrefix("data:image/webp") }
    return Set(outside + unread.compactMap { $0["id"]?.text })
  }

  var externalAssets: [(index: Int, path: String)] {
    (document["assets"]?.items ?? []).enumerated().compactMap { index, asset in
      guard let name = asset["p"]?.text, asset["layers"] == nil,
        !(asset["e"]?.isSet ?? false && name.hasPrefix("data:"))
      else { return nil }
      return (index, (asset["u"]?.text ?? "") + name)
    }
  }
}

extension String {
  /// The name of a file without its folders.
  var lastName: String { split(separator: "/").last.map(String.init) ?? self }
}
