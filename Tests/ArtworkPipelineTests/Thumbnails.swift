extension Thumbnail {
  /// A frame of 64x64 luma: each value covers 2x2 cells of the detail.
  init(luma: [Float], blue: [Float], red: [Float], sharpness: Float = 0) {
    let (side, half) = (Self.detailSide, Self.lumaSide)
    let detail = unsafe [Float](unsafeUninitializedCapacity: side * side) { cells, used in
      for y in 0..<side { for x in 0..<side { unsafe cells[y * side + x] = luma[y / 2 * half + x / 2] } }
      used = side * side
    }
    self.init(detail: detail, blue: blue, red: red, sharpness: sharpness)
  }

  /// The same with other detail.
  func changed(sharpness: Float? = nil, _ change: (inout [Float]) -> Void = { _ in }) -> Thumbnail {
    var detail = detail
    change(&detail)
    return Thumbnail(detail: detail, blue: blue, red: red, sharpness: sharpness ?? self.sharpness)
  }

  /// The same with other chroma.
  func coloured(blue: Float = 0, red: Float = 0) -> Thumbnail {
    Thumbnail(detail: detail, blue: self.blue.map { $0 + blue }, red: self.red.map { $0 + red }, sharpness: sharpness)
  }
}
