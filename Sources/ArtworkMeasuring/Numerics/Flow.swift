internal import CKernels

/// The luma of a reduced frame, ready for the search of motion; 150 KB.
final class FlowPicture {
  fileprivate let picture: UnsafeMutablePointer<artwork_flow_picture>

  convenience init(_ frame: Thumbnail) { self.init(detail: frame.detail) }

  /// - Parameter detail: see ``Thumbnail/detail``.
  init(detail: [Float]) {
    picture = .allocate(capacity: 1)
    detail.withUnsafeBufferPointer { artwork_flow_prepare($0.baseAddress, picture) }
  }

  deinit { picture.deallocate() }
}

/// The position of each of 16x16 blocks of a frame in another frame, row by row.
struct Flow {
  static let blocksAcross = Int(ARTWORK_FLOW_ACROSS)
  static let blockCount = Int(ARTWORK_FLOW_BLOCKS)

  private let vectors: [artwork_flow_vector]

  /// Searches within an eighth of the picture each way, to a quarter of a pixel of 128. Takes 0.15 ms.
  init(of current: FlowPicture, from reference: FlowPicture) {
    vectors = [artwork_flow_vector](unsafeUninitializedCapacity: Self.blockCount) { buffer, used in
      artwork_flow_search(current.picture, reference.picture, buffer.baseAddress)
      used = Self.blockCount
    }
  }

  /// How badly `reference` predicts each block of `current` if it moves like this: mean squared differences in code
  /// values. A block takes the best of its own vector, those near by, or none; a common gain and offset do not count.
  /// Takes 0.05 ms.
  ///
  /// - Parameter pace: the length of the motion in multiples of this one, 0.8 to 1.25.
  func errors(
    predicting current: FlowPicture, from reference: FlowPicture, pace: Float = 1
  ) -> [Float] {
    [Float](unsafeUninitializedCapacity: Self.blockCount) { buffer, used in
      artwork_flow_predict(
        current.picture, reference.picture, vectors, pace, buffer.baseAddress)
      used = Self.blockCount
    }
  }

  /// The mean squared difference of two frames in each block: luma, and half of each chroma plane. Takes 5 us.
  static func change(_ a: Thumbnail, _ b: Thumbnail) -> [Float] {
    [Float](unsafeUninitializedCapacity: blockCount) { buffer, used in
      a.withPlanes { a in b.withPlanes { b in artwork_flow_change(a, b, buffer.baseAddress) } }
      used = blockCount
    }
  }
}

extension Thumbnail {
  fileprivate func withPlanes<R>(_ body: (artwork_flow_planes) -> R) -> R {
    detail.withUnsafeBufferPointer { luma in
      blue.withUnsafeBufferPointer { blue in
        red.withUnsafeBufferPointer { red in
          body(
            artwork_flow_planes(
              luma: luma.baseAddress, blue: blue.baseAddress, red: red.baseAddress))
        }
      }
    }
  }
}
