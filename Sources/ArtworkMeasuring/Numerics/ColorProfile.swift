internal import CLittleCMS
import Synchronization

/// How the samples of a picture become sRGB, by an ICC profile, or by numbers for its curve and primaries: Little CMS.
///
/// About 10 ns per pixel, 20 with the tables of a profile.
package final class ColorProfile: Sendable {
  private struct Conversion: ~Copyable {
    let source: LoadedProfile
    let form: cmsUInt32Number?
    var transform: Transform
    var channels: PixelImage.Channels
  }
  private let conversion: Mutex<Conversion>

  /// `nil` for what sRGB already is, to a code value.
  ///
  /// - Parameter isPrinted: see ``init(icc:isPrinted:)``.
  private init?(_ source: consuming sending LoadedProfile, isPrinted: Bool = false) {
    let channels: PixelImage.Channels = isPrinted ? .rgba : .rgb
    let form = isPrinted ? artwork_inks() : nil
    guard let transform = Transform(source, channels, from: form) else { return nil }
    conversion = Mutex(
      Conversion(source: source, form: form, transform: transform, channels: channels))
    let samples = (0..<729).flatMap { number -> [UInt8] in
      let ninths: [Int] = [number / 81, number / 9 % 9, number % 9, 8]
      return ninths.prefix(channels.rawValue).map { UInt8(min(255, $0 * 32)) }
    }
    let size = PixelSize(width: 729, height: 1)
    let converted = applied(to: PixelImage(size: size, channels: channels, bytes: samples)).bytes
    if zip(samples, converted).allSatisfy({ abs(Int($0) - Int($1)) <= 1 }) { return nil }
  }

  /// The picture in sRGB. Colours outside of it are cut off, as browsers do; alpha stays.
  package func applied(to image: PixelImage) -> PixelImage {
    var bytes = image.bytes
    conversion.withLock { conversion in
      if conversion.channels != image.channels,
        let transform = Transform(conversion.source, image.channels, from: conversion.form)
      {
        conversion.transform = transform
        conversion.channels = image.channels
      }
      conversion.transform.apply(to: &bytes, count: image.size.area)
    }
    return PixelImage(size: image.size, channels: image.channels, bytes: bytes)
  }

  /// The code points of ITU-T H.273 in an ICC profile, which count before all else in it (ICC.1:2022, 9.2.17).
  package static func codes(icc bytes: [UInt8]) -> (primaries: Int, transfer: Int)? {
    guard let profile = LoadedProfile(icc: bytes) else { return nil }
    var tag = [UInt8](repeating: 0, count: 12)
    // `cicp`, a signature that Little CMS knows from 2.14 on.
    guard
      unsafe cmsReadRawTag(profile.handle, cmsTagSignature(rawValue: 0x6369_6370), &tag, 12) == 12,
      tag.starts(with: "cicp".utf8)
    else { return nil }
    return (Int(tag[8]), Int(tag[9]))
  }

  /// Reads an ICC profile. `nil` for sRGB, and for a damaged one or one of another kind, which browsers pass over too.
  ///
  /// - Parameter isPrinted: whether the picture has four inks, black in place of alpha, as the light that they leave.
  package convenience init?(icc bytes: [UInt8], isPrinted: Bool = false) {
    guard let profile = LoadedProfile(icc: bytes) else { return nil }
    switch unsafe cmsGetColorSpace(profile.handle) {
    case cmsSigRgbData where !isPrinted, cmsSigCmykData where isPrinted:
      self.init(profile, isPrinted: isPrinted)
    case cmsSigGrayData where unsafe !isPrinted && cmsGetPCS(profile.handle) == cmsSigXYZData:
      // Pictures have three channels.
      guard let curve = unsafe cmsReadTag(profile.handle, cmsSigGrayTRCTag),
        let gray = unsafe LoadedProfile(.sRGB, curve: OpaquePointer(curve))
      else { return nil }
      self.init(gray)
    default: return nil
    }
  }

  // MARK: Numbers

  /// The light of codes.
  package enum Curve: Sendable, Equatable {
    case sRGB
    case power(Double)
    /// That of a screen for BT.709 (ITU-R BT.1886).
    package static let television = power(2.4)
  }

  package convenience init?(_ primaries: Primaries, _ curve: Curve) {
    if primaries == .sRGB, curve == .sRGB { return nil }
    guard let profile = LoadedProfile(primaries, curve) else { return nil }
    self.init(profile)
  }

  /// `nil` for sRGB, HDR, and what is not known.
  ///
  /// - Parameter television: the curve for BT.709 and its relatives, about which browsers differ by format.
  package convenience init?(_ color: ColorDescription, television: Curve) {
    guard !color.isHDR, let primaries = Primaries(named: color.primaries) else { return nil }
    let curve: Curve =
      switch color.transfer {
      case "bt470m", "gamma22": .power(2.2)
      case "bt470bg", "gamma28": .power(2.8)
      case "linear": .power(1)
      case "smpte428": .power(2.6)
      case "bt709", "smpte170m", "bt2020-10", "bt2020-12", "iec61966-2-4": television
      default: .sRGB
      }
    self.init(primaries, curve)
  }

  /// Chromaticities (x, y).
  package struct Primaries: Sendable, Equatable {
    /// Those of red, green, blue and white.
    let places: [Double]

    /// - Parameter places: eight: x and y of red, green, blue and white.
    package init(_ places: [Double]) {
      precondition(places.count == 8, "four places")
      self.places = places
    }

    private static let d65 = [0.3127, 0.3290]
    private static let c = [0.310, 0.316]

    package static let sRGB = Primaries([0.64, 0.33, 0.30, 0.60, 0.15, 0.06] + d65)
    package static let bt2020 = Primaries([0.708, 0.292, 0.170, 0.797, 0.131, 0.046] + d65)
    private static let ntsc = Primaries([0.63, 0.34, 0.31, 0.595, 0.155, 0.07] + d65)

    private static let named = [
      "bt709": sRGB, "bt2020": bt2020, "smpte170m": ntsc, "smpte240m": ntsc,
      "bt470m": Primaries([0.67, 0.33, 0.21, 0.71, 0.14, 0.08] + c),
      "bt470bg": Primaries([0.64, 0.33, 0.29, 0.60, 0.15, 0.06] + d65),
      "film": Primaries([0.681, 0.319, 0.243, 0.692, 0.145, 0.049] + c),
      "smpte431": Primaries([0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.314, 0.351]),
      "smpte432": Primaries([0.68, 0.32, 0.265, 0.69, 0.15, 0.06] + d65),
      "ebu3213": Primaries([0.63, 0.34, 0.295, 0.605, 0.155, 0.077] + d65),
    ]

    /// Primaries by FFmpeg's name (ITU-T H.273, table 2), sRGB for `nil`; `nil` for those that are not known.
    package init?(named name: String?) {
      guard let known = Self.named[name ?? "bt709"] else { return nil }
      self = known
    }

    /// The way of linear light to that of others: what becomes of red, green and blue.
    func light(in other: Primaries) -> (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)? {
      guard let source = LoadedProfile(self, .power(1)),
        let target = LoadedProfile(other, .power(1)),
        let transform = Transform(
          source, target, from: artwork_light_samples(), to: artwork_light_samples())
      else { return nil }
      var light: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]
      transform.apply(to: &light, count: 3)
      return (SIMD3(light[0..<3]), SIMD3(light[3..<6]), SIMD3(light[6..<9]))
    }
  }
}

/// A profile of Little CMS.
@safe private struct LoadedProfile: ~Copyable {
  let handle: cmsHPROFILE

  /// `cmsOpenProfileFromMem`.
  init?(icc bytes: [UInt8]) {
    guard let opened = unsafe cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else {
      return nil
    }
    unsafe handle = unsafe opened
  }

  init?(_ primaries: ColorProfile.Primaries, _ curve: ColorProfile.Curve) {
    let built =
      switch curve {
      // IEC 61966-2-1.
      case .sRGB:
        unsafe cmsBuildParametricToneCurve(
          nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
      case .power(let exponent): unsafe cmsBuildGamma(nil, min(20, max(0.05, exponent)))
      }
    defer { unsafe cmsFreeToneCurve(built) }
    unsafe self.init(primaries, curve: built)
  }

  /// `cmsCreateRGBProfile`, which adapts the white by Bradford's cones; `nil` for what are no primaries.
  ///
  /// - Parameter curve: copied.
  init?(_ primaries: ColorProfile.Primaries, curve: OpaquePointer?) {
    func place(_ number: Int) -> cmsCIExyY {
      cmsCIExyY(x: primaries.places[2 * number], y: primaries.places[2 * number + 1], Y: 1)
    }
    var white = place(3)
    var colors = cmsCIExyYTRIPLE(Red: place(0), Green: place(1), Blue: place(2))
    guard primaries.places.allSatisfy({ $0 >= 0 }), let curve = unsafe curve,
      let created = unsafe cmsCreateRGBProfile(&white, &colors, [curve, curve, curve])
    else { return nil }
    unsafe handle = unsafe created
  }

  deinit { unsafe cmsCloseProfile(handle) }
}

/// A conversion of samples by Little CMS.
@safe private struct Transform: ~Copyable {
  private let handle: cmsHTRANSFORM

  /// A conversion of pixels to sRGB in their place.
  ///
  /// - Parameter form: of the source; `nil` for that of the result.
  init?(
    _ source: borrowing LoadedProfile, _ channels: PixelImage.Channels, from form: cmsUInt32Number?
  ) {
    let samples = artwork_samples(Int32(channels.rawValue))
    guard let target = LoadedProfile(.sRGB, .sRGB) else { return nil }
    self.init(source, target, from: form ?? samples, to: samples, isPrinted: form != nil)
  }

  /// `cmsCreateExtendedTransform`: by the perceptual tables of the source as in Chromium, without a shift of black; of inks
  /// by the colorimetric ones, with their black shown as black, which is how Photoshop shows them unless told otherwise.
  init?(
    _ source: borrowing LoadedProfile, _ target: borrowing LoadedProfile, from: cmsUInt32Number,
    to: cmsUInt32Number, isPrinted: Bool = false
  ) {
    var profiles: [cmsHPROFILE?] = unsafe [source.handle, target.handle]
    var shiftsBlack = [cmsBool](repeating: isPrinted ? 1 : 0, count: 2)
    var intents = [
      cmsUInt32Number(isPrinted ? INTENT_RELATIVE_COLORIMETRIC : INTENT_PERCEPTUAL),
      cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC),
    ]
    var adaptation = [1.0, 1.0]
    guard
      let created = unsafe cmsCreateExtendedTransform(
        nil, 2, &profiles, &shiftsBlack, &intents, &adaptation, nil, 0, from, to,
        cmsUInt32Number(cmsFLAGS_NOCACHE))
    else { return nil }
    unsafe handle = unsafe created
  }

  deinit { unsafe cmsDeleteTransform(handle) }

  /// `cmsDoTransform`, in place.
  func apply<Sample>(to samples: inout [Sample], count: Int) {
    unsafe samples.withUnsafeMutableBytes {
      unsafe cmsDoTransform(handle, $0.baseAddress, $0.baseAddress, cmsUInt32Number(count))
    }
  }
}
