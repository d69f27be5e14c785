extension SeamMeasurement.Levels {
  init(_ pictures: SeamPictures) {
    func plane(_ values: KeyPath<Thumbnail, [Float]>, _ width: Int) -> (Level, residual: Double) {
      func cells(_ frames: [Thumbnail]) -> [[Double]] {
        frames.map { frame in
          PictureRegion.blockMeans(frame[keyPath: values], side: width).map(Double.init)
        }
      }
      // The head from the first frame on, the tail from the last one back.
      let (near, far) = pictures.nearest(8)
      let (head, tail) = (cells(near), cells(far))
      let across = head.prefix(3).flatMap { later in
        tail.prefix(3).map { Self.differences($0, later) }
      }
      let inside = [head, tail].flatMap { frames in
        frames.indices.flatMap { start in
          frames[start...].dropFirst().prefix(3).map { Self.differences(frames[start], $0) }
        }
      }
      let seam = Self.differences(tail[0], head[0])
      let middle = seam.median ?? 0
      let left = seam.map { abs($0 - middle) }.mean ?? 0
      let whole = seam.map(abs).mean ?? 0
      return (
        Level(
          shift: across.compactMap(\.median).median ?? 0,
          usualShift: inside.compactMap { $0.median.map(abs) }.largestButCuts(floor: 0.3),
          incoherence: left / max(0.1, whole)), left
      )
    }
    let luma = plane(\.luma, Thumbnail.lumaSide)
    self.init(
      luma: luma.0, blue: plane(\.blue, Thumbnail.chromaSide).0,
      red: plane(\.red, Thumbnail.chromaSide).0, residual: luma.residual)
  }

  private static func differences(_ a: [Double], _ b: [Double]) -> [Double] {
    zip(a, b).map { $1 - $0 }
  }
}
