public import ArtworkModel

extension Animation {
  /// The frame of the timeline that is meant.
  ///
  /// - Throws: `no-match` for a marker that does not exist, with the names of those that do.
  public func frame(at time: AnimationTime) throws(InspectionError) -> Double {
    switch time {
    case .frame(let frame): return frame
    case .progress(let progress): return self.frame(atProgress: progress)
    case .seconds(let seconds): return self.frame(atTime: seconds)
    case .marker(let name): return try existingMarker(name).frame
    }
  }

  private func existingMarker(_ name: String) throws(InspectionError) -> Marker {
    if let marker = marker(named: name) { return marker }
    if markers.isEmpty { throw InspectionError(.noMatch, "the animation has no markers") }
    let known = NearestWord.suggestion(for: name, among: markers.map(\.name))
    throw InspectionError(.noMatch, "the animation has no marker '\(name)'\(known)")
  }

  /// The frames of a marker, for its duration; one without a duration lasts to the next, or to the end.
  func frames(ofMarker name: String) throws(InspectionError) -> Range<Double> {
    let marker = try existingMarker(name)
    let next = markers.map(\.frame).filter { $0 > marker.frame }.min() ?? Double(endFrame)
    let end = marker.duration > 0 ? marker.frame + marker.duration : next
    return marker.frame..<max(marker.frame, end)
  }
}
