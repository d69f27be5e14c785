/// A still that lies beside a video: its preview, or the cover of its release.
package struct SuppliedPicture: Sendable, Equatable {
  /// Its file name.
  package var name: String
  package var picture: StillPicture?
  /// Why there is no picture.
  package var error: InspectionError?

  package init(name: String, picture: StillPicture? = nil, error: InspectionError? = nil) {
    self.name = name
    self.picture = picture
    self.error = error
  }
}
