import ArtworkModel

extension AssetStore {
  /// What a presentation goes by. May read the index once.
  func availability(_ reference: ArtworkReference) -> ArtworkAvailability {
    guard let artwork = describe(reference) else { return .unknown }
    switch artwork.status {
    case .ready: return .ready(broken: broken(reference) ?? [])
    case .registered, .preparing: return .registered
    case .refused:
      return .refused(
        code: artwork.error?.code.rawValue ?? "refused", message: artwork.error?.message ?? "")
    }
  }
}
