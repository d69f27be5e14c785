public import ArtworkModel

extension Animation {
  /// Makes the changes in their order, values before switches.
  ///
  /// - Returns: the numbers of the frames to draw, 0 for the first of the animation; at least one.
  /// - Throws: `no-match` for names that do not exist, and for a part without a frame.
  public mutating func apply(_ edits: AnimationEdits) throws(InspectionError) -> Range<Int> {
    embed(base64: edits.images)
    for setting in edits.values {
      try setValue(text: setting.value, for: AnimationKeypath(keypath: setting.keypath))
    }
    for change in edits.switches {
      try setEnabled(change.isShown, for: AnimationKeypath(keypath: change.keypath))
    }
    var part = Double(startFrame)..<Double(endFrame)
    if let marker = edits.marker { part = try frames(ofMarker: marker) }
    if let start = edits.start {
      // The frame that is shown then; at the end, the last one.
      let time = try frame(at: start)
      var first = (time + 1e-6).rounded(.down)
      if case .frame = start {} else if time == Double(endFrame) { first -= 1 }
      guard first >= Double(startFrame) else { throw noFrame(first) }
      part = first..<max(first, part.upperBound)
    }
    let first = wholeNumber(part.lowerBound.rounded(.up), as: Int.self) ?? endFrame
    let end = wholeNumber(part.upperBound.rounded(.up), as: Int.self) ?? endFrame
    let frames = max(first, startFrame)..<max(first, startFrame, min(end, endFrame))
    guard !frames.isEmpty else {
      throw noFrame(Double(first))
    }
    return frames.lowerBound - startFrame..<frames.upperBound - startFrame
  }

  private func noFrame(_ number: Double) -> InspectionError {
    InspectionError(
      .noMatch,
      "there is no frame \(wholeNumber(number, as: Int.self) ?? endFrame); the animation has frames "
        + "\(startFrame) to \(endFrame - 1)", advice: "name one of these frames")
  }
}

extension Animation {
  /// Reads a property at a frame.
  ///
  /// - Parameters:
  ///   - keypath: leads to the property; the first of several counts.
  ///   - frame: of the composition; the first if `nil`. Expressions and time remaps are not followed.
  /// - Returns: `nil` if nothing matches, and for a value without numbers.
  public func value(
    for keypath: AnimationKeypath, atFrame frame: Double? = nil
  ) -> AnimationValue? {
    guard let (element, property) = properties(keypath).first,
      let node = element.node[property.field]
    else { return nil }
    let local = element.clock.local(frame ?? Double(startFrame))
    return AnimationValue(AnimatedProperty(node).numbers(at: local), shape: property.shape)
  }

  /// Reads a property that must exist, like ``value(for:atFrame:)``.
  ///
  /// - Throws: `no-match` if nothing matches, with similar names.
  public func existingValue(
    for keypath: AnimationKeypath, atFrame frame: Double? = nil
  ) throws(InspectionError) -> AnimationValue {
    if let value = value(for: keypath, atFrame: frame) { return value }
    throw noMatch(keypath, among: propertyKeypaths, kind: "property")
  }

  /// Gives a property one value for the whole animation.
  ///
  /// - Parameter keypath: all properties that it matches are set. Layers of a precomposition that is used several
  ///   times change at each use.
  /// - Throws: `no-match` if nothing matches, with similar names, or if the value has another shape.
  public mutating func setValue(
    _ value: AnimationValue, for keypath: AnimationKeypath
  ) throws(InspectionError) {
    try set(keypath) { property throws(InspectionError) in
      guard value.fits(property.shape) else { throw Self.misfit(property, "\(value)") }
      return .object([
        JSONNode.Field(name: "a", value: .number(0)), JSONNode.Field(name: "k", value: value.node),
      ])
    }
  }

  /// Gives a property a value for each frame.
  ///
  /// - Parameter provider: called once for each frame from ``startFrame`` to ``endFrame``, with frames of the layer's
  ///   timeline: inside a precomposition, that of the precomposition.
  /// - Throws: as ``setValue(_:for:)``.
  public mutating func setValue(
    for keypath: AnimationKeypath, _ provider: (_ frame: Int) -> AnimationValue
  ) throws(InspectionError) {
    let frames = (startFrame..<endFrame).map { ($0, provider($0)) }
    try set(keypath) { property throws(InspectionError) in
      if let other = frames.first(where: { !$0.1.fits(property.shape) }) {
        throw Self.misfit(property, "\(other.1)")
      }
      let keyframes = frames.map { frame, value in
        JSONNode.object([
          JSONNode.Field(name: "t", value: .number(Double(frame))),
          JSONNode.Field(name: "s", value: .list(value.numbers.map(JSONNode.number))),
          // Holds until the next.
          JSONNode.Field(name: "h", value: .number(1)),
        ])
      }
      return .object([
        JSONNode.Field(name: "a", value: .number(1)),
        JSONNode.Field(name: "k", value: .list(keyframes)),
      ])
    }
  }

  /// Gives a property one value in text form for the whole animation: a number, `x,y` or `#rrggbb`.
  package mutating func setValue(
    text: String, for keypath: AnimationKeypath
  ) throws(InspectionError) {
    try set(keypath) { property throws(InspectionError) in
      guard let value = AnimationValue(text, shape: property.shape) else {
        throw Self.misfit(property, text)
      }
      return .object([
        JSONNode.Field(name: "a", value: .number(0)), JSONNode.Field(name: "k", value: value.node),
      ])
    }
  }

  private static func misfit(_ property: ElementProperty, _ value: String) -> InspectionError {
    InspectionError(
      .noMatch, "\(property.title) takes \(property.shape.expected), not '\(value)'",
      operation: "set a value")
  }

  private mutating func set(
    _ keypath: AnimationKeypath,
    _ node: (ElementProperty) throws(InspectionError) -> JSONNode
  ) throws(InspectionError) {
    let matches = properties(keypath)
    guard !matches.isEmpty else {
      throw noMatch(keypath, among: propertyKeypaths, kind: "property")
    }
    for (element, property) in matches {
      document[element.place + [.field(property.field)]] = try node(property)
    }
  }

  /// Shows or hides layers and shapes.
  ///
  /// - Parameter keypath: matches layers or shapes. The contents of a group are affected, too.
  /// - Throws: `no-match` if nothing matches, with similar names.
  public mutating func setEnabled(
    _ isEnabled: Bool, for keypath: AnimationKeypath
  ) throws(InspectionError) {
    let matches = elements.filter { $0.kind != .transform && keypath.matches($0.names) }
    guard !matches.isEmpty else {
      let known = elements.filter { $0.kind != .transform }.map(\.keypath)
      throw noMatch(keypath, among: known, kind: "layer or shape")
    }
    for element in matches {
      document[element.place + [.field("hd")]] = .bool(!isEnabled)
    }
  }

  var elements: [Element] { DocumentWalk(document).elements() }

  /// The properties that a keypath matches. Those of a transform also belong to the element that it moves.
  func properties(_ keypath: AnimationKeypath) -> [(element: Element, property: ElementProperty)] {
    elements.flatMap { element in
      ElementProperty.all(of: element.kind).compactMap { property in
        let isMatch =
          keypath.matches(element.names, property: property.title)
          || element.kind == .transform
            && keypath.matches(Array(element.names.dropLast()), property: property.title)
        return isMatch ? (element, property) : nil
      }
    }
  }

  /// Every property that ``setValue(_:for:)`` can change, as keypaths, each once.
  public var propertyKeypaths: [String] {
    var seen: Set<String> = []
    return elements.flatMap { element in
      ElementProperty.all(of: element.kind).map {
        AnimationKeypath(element.names + [$0.title]).description
      }
    }.filter { seen.insert($0).inserted }
  }

  private func noMatch(
    _ keypath: AnimationKeypath, among known: [String], kind: String
  ) -> InspectionError {
    InspectionError(
      .noMatch,
      "no \(kind) matches '\(keypath)'\(keypath.suggestion(among: known))")
  }
}

extension AnimationValue {
  fileprivate var node: JSONNode {
    if case .number(let number) = self { return .number(number) }
    return .list(numbers.map(JSONNode.number))
  }
}

extension AnimationKeypath {
  /// `; did you mean ...?` with a similar keypath, or an empty string. The part after a wildcard is compared with the
  /// ends of the known keypaths.
  fileprivate func suggestion(among known: [String]) -> String {
    let fixed = Array(keys.reversed().prefix { $0 != "*" && $0 != "**" }.reversed())
    guard !fixed.isEmpty else { return "" }
    let start = keys.dropLast(fixed.count)
    // The edit distance of two names takes a microsecond for each pair of letters.
    let ends = known.prefix(2000).map { path in
      AnimationKeypath(Array(AnimationKeypath(keypath: path).keys.suffix(fixed.count))).description
    }
    let end = AnimationKeypath(fixed).description
    guard let near = NearestWord.find(end, among: ends), near.lowercased() != end.lowercased() else {
      return start.contains { $0.count > 2 && $0.contains("*") } ? "; * stands for a whole name" : ""
    }
    return "; did you mean '\(AnimationKeypath(start + AnimationKeypath(keypath: near).keys))'?"
  }
}

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
