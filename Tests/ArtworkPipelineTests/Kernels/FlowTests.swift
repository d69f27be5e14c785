import CKernels

@testable import ArtworkMeasuring
@testable import ArtworkPipeline

/// Block motion compared with its reference implementation, with numbers from another program, and on pictures with
/// known motion.
@Suite struct FlowTests {
  static let blocks = 0..<256

  /// Frees the buffers of the kernels.
  @safe final class Picture {
    let detail: [Float]
    let prepared = UnsafeMutablePointer<artwork_flow_picture>.allocate(capacity: 1)

    init(_ detail: [Float]) {
      self.detail = detail
      unsafe artwork_flow_prepare(detail, prepared)
    }

    deinit { unsafe prepared.deallocate() }

    func vectors(from reference: Picture) -> [artwork_flow_vector] {
      var vectors = [artwork_flow_vector](repeating: .init(dx: .nan, dy: .nan), count: blocks.count)
      unsafe artwork_flow_search(prepared, reference.prepared, &vectors)
      return vectors
    }

    func errors(from reference: Picture, _ vectors: [artwork_flow_vector], pace: Float = 1) -> [Float] {
      var errors = [Float](repeating: .nan, count: blocks.count)
      unsafe artwork_flow_predict(prepared, reference.prepared, vectors, pace, &errors)
      return errors
    }
  }

  static func noise(_ values: Range<Int>, seed: UInt64) -> [Float] {
    var noise = Noise(seed: seed)
    return (0..<128 * 128).map { _ in Float(values.lowerBound + Int(noise.next() >> 40) % values.count) }
  }

  /// Fractions of code values, smooth over some pixels.
  static func clouds(seed: UInt64, shiftedBy shift: Int = 0) -> [Float] {
    let grain = noise(0..<4096, seed: seed)
    func value(_ x: Int, _ y: Int) -> Float { grain[(y & 127) * 128 + (x & 127)] / 16 }
    return (0..<128 * 128).map { index in
      let (x, y) = (index % 128 + shift, index / 128 + shift / 2)
      var sum: Float = 0
      for row in y..<y + 4 { for column in x..<x + 4 { sum += value(column, row) } }
      return sum / 16
    }
  }

  /// Whole numbers from 0 to 31: whatever the order of the sums, no digit is lost, so that the plain form is bit-identical.
  static let exact: [(current: [Float], reference: [Float])] = {
    let still = noise(0..<32, seed: 1)
    let moved = (0..<128 * 128).map { index in
      // Three to the right and six up, but for a corner that stands still.
      let (x, y) = (index % 128, index / 128)
      return x < 40 && y < 40 ? still[index] : still[min(127, y + 6) * 128 + max(0, x - 3)]
    }
    let stripes = (0..<128 * 128).map { (index: Int) -> Float in Float((index % 128 / 3 + index / 128 / 5) % 4 * 10) }
    return [(noise(0..<32, seed: 2), still), (moved, still), (stripes, still), (still, stripes), (stripes, stripes)]
  }()

  @Test func `the search finds what the plain search finds: to the bit in whole numbers, else within rounding`() throws {
    let pairs = Self.exact + [3, 4].map { (Self.clouds(seed: $0, shiftedBy: 6), Self.clouds(seed: $0)) }
    let found = pairs.map { Picture($0.0).vectors(from: Picture($0.1)) }
    let golden = try GoldenValue.all("search")
    #expect(Set(golden.map(\.scene)).count == pairs.count)
    var different = 0
    for value in golden {
      let scene = try #require(Int(value.scene))
      let vector = found[scene][value.block]
      if (vector.dx, vector.dy) == (Float(value.x), Float(value.y)) { continue }
      #expect(scene >= Self.exact.count, "scene \(scene), block \(value.block)")
      different += 1
    }
    #expect(different <= 2)
  }

  @Test func `the prediction's errors are those of the plain form within a thousandth`() throws {
    let scenes = [
      (Self.clouds(seed: 5, shiftedBy: 8), Self.clouds(seed: 5, shiftedBy: 4), Self.clouds(seed: 5)),
      (Self.exact[0].current, Self.exact[1].current, Self.exact[1].reference),
      // Brighter and with more contrast.
      (Self.clouds(seed: 6, shiftedBy: 4).map { 1.1 * $0 + 7 }, Self.clouds(seed: 6, shiftedBy: 2), Self.clouds(seed: 6)),
    ]
    let golden = try GoldenValue.all("errors")
    for (number, (next, current, reference)) in scenes.enumerated() {
      let pictures = [next, current, reference].map(Picture.init)
      let vectors = pictures[1].vectors(from: pictures[2])
      for pace in [1, 0.8, 1.25] as [Float] {
        let errors = pictures[0].errors(from: pictures[1], vectors, pace: pace)
        for value in golden where value.scene == "\(number)" && Float(value.x) == pace {
          let difference = abs(Double(errors[value.block]) - value.y)
          #expect(difference <= 0.001 * max(1, value.y), "\(number), \(pace), \(value.block)")
        }
      }
    }
  }

  @Test(arguments: [(0, 0), (3, 0), (-10, 4), (2.5, -2), (14, 14), (-16, 7.5)] as [(Double, Double)])
  func `whole and broken displacements are found, to the end of the reach`(x: Double, y: Double) {
    // The content moves to the right when the place it is seen from moves to the left. Halves are of x only.
    let current = TestScene.texture(x: 50 - x, y: 50 - Int(y.rounded()))
    let vectors = Picture(current.detail).vectors(from: Picture(TestScene.texture(x: 50, y: 50).detail))
    for block in Self.blocks {
      // Blocks at the border may come from outside.
      guard (3...12).contains(block % 16), (3...12).contains(block / 16) else { continue }
      #expect(abs(Double(vectors[block].dx) + x) <= 0.5, "block \(block)")
      #expect(abs(Double(vectors[block].dy) + y.rounded()) <= 0.5, "block \(block)")
    }
  }

  @Test func `what moves on as before is predicted; what does not is not; brightness does not matter`() {
    let frames = [0.0, 4, 8, 12].map { FlowPicture(TestScene.texture(x: 40 - $0, y: 9)) }
    let flow = Flow(of: frames[1], from: frames[0])
    func error(_ current: FlowPicture, pace: Float = 1) -> Double {
      flow.errors(predicting: current, from: frames[1], pace: pace).meanOfLargest(64)
    }
    let next = error(frames[2])
    #expect(next < 40)
    #expect(error(frames[3]) > 10 * next)
    #expect(error(FlowPicture(TestScene.texture(x: 32, y: 9, brighter: 12, contrast: 0.9))) < 2 * next + 1)
    let late = FlowPicture(TestScene.texture(x: 31, y: 9))
    #expect(error(late, pace: 1.25) < 0.5 * error(late), "a quarter more")
  }

  @Test func `flat pictures stand still, and nothing is predicted to differ`() {
    let (dark, light) = (Picture([Float](repeating: 16, count: 128 * 128)), Picture([Float](repeating: 235, count: 128 * 128)))
    let vectors = light.vectors(from: dark)
    #expect(vectors.allSatisfy { $0.dx == 0 && $0.dy == 0 })
    #expect(light.errors(from: dark, vectors).allSatisfy { $0 < 1e-3 })
  }

  @Test func `vectors beyond what is searched are no way out of the picture`() throws {
    let pictures = [Picture(Self.clouds(seed: 7)), Picture(Self.clouds(seed: 8))]
    for value in try GoldenValue.all("edges") {
      let vector = value.scene.split(separator: "/").compactMap { Float($0) }
      let vectors = Self.blocks.map { _ in artwork_flow_vector(dx: vector[0], dy: vector[1]) }
      let errors = pictures[0].errors(from: pictures[1], vectors, pace: Float(value.x))
      #expect(abs(Double(errors[value.block]) - value.y) <= 0.001 * max(1, value.y))
    }
  }

  @Test("the change of a block is that of its luma and half of that of each chroma plane")
  func change() {
    for seed in 1...4 {
      let (a, b) = (FrameStepTests.detailed(seed: UInt64(seed)), FrameStepTests.detailed(seed: UInt64(seed + 50)))
      let change = Flow.change(a, b)
      for block in Self.blocks {
        func mean(_ plane: KeyPath<Thumbnail, [Float]>, side: Int) -> Double {
          let size = side / 16
          var sum = 0.0
          for y in 0..<size {
            for x in 0..<size {
              let at = (block / 16 * size + y) * side + block % 16 * size + x
              let d = Double(a[keyPath: plane][at]) - Double(b[keyPath: plane][at])
              sum += d * d
            }
          }
          return sum / Double(size * size)
        }
        let expected = mean(\.detail, side: 128) + mean(\.blue, side: 32) / 2 + mean(\.red, side: 32) / 2
        #expect(abs(Double(change[block]) - expected) < 1e-5 * expected)
      }
      #expect(change == Flow.change(b, a))
      #expect(Flow.change(a, a).allSatisfy { $0 == 0 })
    }
  }

  @Test func `the largest values are those of the busiest blocks`() {
    let values = (0..<256).map { Float($0 * 37 % 256) }
    #expect(values.meanOfLargest(8) == 251.5)
    #expect(values.meanOfLargest(1) == 255)
    #expect([Float]().meanOfLargest(8) == 0 && [Float](repeating: 3, count: 4).meanOfLargest(8) == 3)
  }
}
