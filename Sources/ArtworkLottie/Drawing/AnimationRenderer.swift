public import ArtworkModel

#if Lottie
  internal import CKernels
  import CLottie
#endif

/// Renders frames of an animation with rlottie.
///
/// Untrusted animations belong in a separate process: rlottie is C++ and may crash or never return. It uses its own
/// threads, one per processor; one renderer draws one frame at a time.
///
/// The only file that knows whether the package trait `Lottie` is on.
public struct AnimationRenderer: ~Copyable {
  public let frameCount: Int

  #if Lottie
    /// Whether this build can draw.
    public static let isAvailable = true

    private let open: OpenAnimation
    /// Whether to render at twice the size and average: rlottie scales pictures by nearest neighbour.
    private let smoothsPictures: Bool
    /// Larger pictures are rendered at their size, to save memory.
    private static let mostSmoothedPixels = 4_194_304

    /// Prepares to draw.
    ///
    /// - Throws: `decode-failed` for an animation that rlottie refuses.
    public init(_ animation: Animation) throws(InspectionError) {
      try self.init(
        document: animation.drawn.bytes, frameCount: animation.frameCount,
        remembersFrames: animation.remembersFrames, smoothsPictures: animation.hasPictures)
    }

    init(
      document: [UInt8], frameCount: Int, remembersFrames: Bool = false,
      smoothsPictures: Bool = false
    ) throws(InspectionError) {
      guard let open = OpenAnimation(document + [0], mostFrames: remembersFrames ? 1 : 20) else {
        throw InspectionError(
          .decodeFailed, "rlottie does not take this animation", operation: "draw the animation")
      }
      self.open = open
      self.smoothsPictures = smoothsPictures
      self.frameCount = frameCount
    }

    /// Draws a frame, scaled to `size`; an animation of another shape is fitted into its middle.
    ///
    /// - Parameter number: 0 for the first frame of the animation, below ``frameCount``.
    /// - Returns: four bytes for each pixel, rows top to bottom: R, G, B and straight alpha.
    public func draw(frame number: Int, size: PixelSize) -> [UInt8] {
      precondition((0..<frameCount).contains(number), "there is no frame \(number)")
      return unsafe [UInt8](unsafeUninitializedCapacity: size.area * 4) { buffer, used in
        unsafe buffer.initialize(repeating: 0)
        let handle = unsafe open.handleForNextFrame()
        unsafe buffer.withMemoryRebound(to: UInt32.self) { pixels in
          if smoothsPictures, size.area <= Self.mostSmoothedPixels {
            unsafe Self.drawSmoothly(handle, number, size, into: pixels)
          } else {
            unsafe lottie_animation_render(
              handle, number, pixels.baseAddress, size.width, size.height, size.width * 4)
          }
          // In memory, 0xAABBGGRR is R, G, B and A.
          unsafe artwork_straight(pixels.baseAddress, pixels.count)
        }
        used = buffer.count
      }
    }

    /// Premultiplied pixels, each the mean of four.
    private static func drawSmoothly(
      _ handle: OpaquePointer, _ number: Int, _ size: PixelSize,
      into pixels: UnsafeMutableBufferPointer<UInt32>
    ) {
      let row = size.width * 2
      var fine = [UInt32](repeating: 0, count: row * size.height * 2)
      unsafe fine.withUnsafeMutableBufferPointer { fine in
        unsafe lottie_animation_render(
          handle, number, fine.baseAddress, row, size.height * 2, row * 4)
        for y in 0..<size.height {
          for x in 0..<size.width {
            let corner = y * 2 * row + x * 2
            let four = unsafe SIMD4(
              fine[corner], fine[corner + 1], fine[corner + row], fine[corner + row + 1])
            // Two channels of 8 bits in one sum, which has room for four of them.
            let mask: UInt32 = 0x00ff_00ff
            let low = ((four & mask).wrappedSum() &+ 0x0002_0002) >> 2 & mask
            let high = (((four &>> 8) & mask).wrappedSum() &+ 0x0002_0002) >> 2 & mask
            unsafe pixels[y * size.width + x] = high << 8 | low
          }
        }
      }
    }

    /// Draws one frame of an animation with a built-in picture, so that all the system resources that rlottie needs
    /// exist before a sandbox closes: its threads, and the library for pictures.
    ///
    /// - Parameter startsThreads: if `false`, the process can still be forked, and only the library is loaded.
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

#if Lottie
  /// An animation that rlottie has open.
  ///
  /// For each visible layer, rlottie retains its rendering until the animation is closed: a document of 88 kB took
  /// more than a gigabyte for 1,001 frames of 780x608 pixels. So it is reopened from time to time, which takes a few
  /// milliseconds; the same frames then took 198 MB in the same time.
  @safe private final class OpenAnimation {
    /// The document as text that ends with 0.
    private let document: [UInt8]
    /// Number of frames that are drawn before it is opened again.
    private let mostFrames: Int
    private var handle: OpaquePointer
    private var drawnFrames = 0

    init?(_ document: [UInt8], mostFrames: Int) {
      guard let handle = unsafe Self.open(document) else { return nil }
      self.document = document
      self.mostFrames = mostFrames
      unsafe self.handle = unsafe handle
    }

    deinit { unsafe lottie_animation_destroy(handle) }

    func handleForNextFrame() -> OpaquePointer {
      if drawnFrames >= mostFrames, let next = unsafe Self.open(document) {
        unsafe lottie_animation_destroy(handle)
        unsafe handle = unsafe next
        drawnFrames = 0
      }
      drawnFrames += 1
      return unsafe handle
    }

    private static func open(_ document: [UInt8]) -> OpaquePointer? {
      // Without a name, rlottie keeps no copy of the document.
      unsafe document.withUnsafeBytes { bytes in
        unsafe lottie_animation_from_data(
          bytes.assumingMemoryBound(to: CChar.self).baseAddress, "", "")
      }
    }
  }
#endif
