public import ArtworkModel

#if Lottie
  internal import CKernels
  import CLottie
#endif

/// Draws frames of an animation with rlottie.
///
/// Untrusted animations belong into a process of their own: rlottie is C++ and may crash or never return. It draws with
/// threads of its own, one for each processor; one renderer draws one frame at a time.
///
/// The only file that knows whether the package trait `Lottie` is on.
public struct AnimationRenderer: ~Copyable {
  public let frameCount: Int

  #if Lottie
    /// Whether this build can draw.
    public static let isAvailable = true

    private let handle: OpaquePointer

    /// Prepares to draw.
    ///
    /// - Throws: `decode-failed` for an animation that rlottie refuses.
    public init(_ animation: Animation) throws(InspectionError) {
      try self.init(document: animation.drawn.bytes, frameCount: animation.frameCount)
    }

    init(document: [UInt8], frameCount: Int) throws(InspectionError) {
      // Without a name, rlottie keeps no copy of the document.
      let handle = (document + [0]).withUnsafeBytes { bytes in
        lottie_animation_from_data(bytes.assumingMemoryBound(to: CChar.self).baseAddress, "", "")
      }
      guard let handle else {
        throw InspectionError(
          .decodeFailed, "rlottie does not take this animation", operation: "draw the animation")
      }
      self.handle = handle
      self.frameCount = frameCount
    }

    deinit { lottie_animation_destroy(handle) }

    /// Draws a frame, scaled to `size`; an animation of another shape is fitted into its middle.
    ///
    /// - Parameter number: 0 for the first frame of the animation, below ``frameCount``.
    /// - Returns: four bytes for each pixel, rows top to bottom: R, G, B and straight alpha.
    public func draw(frame number: Int, size: PixelSize) -> [UInt8] {
      precondition((0..<frameCount).contains(number), "there is no frame \(number)")
      return [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, used in
        buffer.initialize(repeating: 0)
        buffer.withMemoryRebound(to: UInt32.self) { pixels in
          lottie_animation_render(
            handle, number, pixels.baseAddress, size.width, size.height, size.width * 4)
          // In memory, 0xAABBGGRR is R, G, B and A.
          artwork_straight(pixels.baseAddress, pixels.count)
        }
        used = buffer.count
      }
    }

    /// Draws one frame of an animation with a picture that is built in, so that everything that rlottie needs of the system is
    /// there before a sandbox closes: its threads, and the library for pictures.
    ///
    /// - Parameter startsThreads: without them, the process stays fit to be forked, and only the library is loaded.
    package static func warmUp(startsThreads: Bool) {
      guard
        let renderer = try? AnimationRenderer(document: Array(warmUpDocument.utf8), frameCount: 1)
      else { return }
      if startsThreads { _ = renderer.draw(frame: 0, size: PixelSize(width: 8, height: 8)) }
    }
  #else
    public static let isAvailable = false

    public init(_ animation: Animation) throws(InspectionError) {
      try self.init(document: animation.drawn.bytes, frameCount: animation.frameCount)
    }

    init(document: [UInt8], frameCount: Int) throws(InspectionError) {
      throw InspectionError(
        .unsupportedCodec, "this build lacks rlottie, which draws Lottie animations")
    }

    public func draw(frame number: Int, size: PixelSize) -> [UInt8] {
      [UInt8](repeating: 0, count: size.area * 4)
    }

    package static func warmUp(startsThreads: Bool) {}
  #endif

  /// A shape and a PNG file of one pixel.
  private static let warmUpDocument = #"""
    {"v":"5.5.0","fr":1,"ip":0,"op":1,"w":8,"h":8,"assets":[{"id":"i","w":1,"h":1,"e":1,"u":"","p":\#
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg=="}],\#
    "layers":[{"ty":2,"refId":"i","ks":{},"ip":0,"op":1,"st":0},{"ty":4,"ks":{},"ip":0,"op":1,"st":0,"shapes":[{"ty":"gr","it":[\#
    {"ty":"rc","p":{"k":[4,4]},"s":{"k":[4,4]},"r":{"k":0}},{"ty":"fl","c":{"k":[1,0,0,1]},"o":{"k":100}},{"ty":"tr"}]}]}]}
    """#
}
