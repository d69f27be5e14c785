/// A still that lies beside a video: its preview, or the cover of its release.
public struct SuppliedPicture: Sendable, Equatable {
  /// Its file name.
  public var name: String
  public var picture: StillPicture?
  /// Why there is no picture.
  public var error: InspectionError?

  public init(name: String, picture: StillPicture? = nil, error: InspectionError? = nil) {
    self.name = name
    self.picture = picture
    self.error = error
  }
}
