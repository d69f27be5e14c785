import CFFmpeg

/// Digests the decoder's input for a track: its configuration, and its packets in decoding order with their position
/// in presentation order. If two tracks have the same digest, they decode to the same frames.
///
/// H.264 and HEVC only: the output of other decoders may depend on container metadata.
@safe struct DecoderInput: ~Copyable {
  private let hash: OpaquePointer
  private let units: NALUnits
  private let places: [UInt32]
  private var count = 0
  private var isReadable = true

  /// - Parameters:
  ///   - order: see ``PacketTable/presentationOrder``; every packet is in it.
  /// - Returns: `nil` for other codecs.
  /// - Throws: `out-of-memory`.
  static func digesting(
    _ parameters: UnsafePointer<AVCodecParameters>, order: [Int]
  ) throws(InspectionError) -> DecoderInput? {
    guard let units = unsafe NALUnits(parameters) else { return nil }
    guard let hash = unsafe av_murmur3_alloc() else {
      throw InspectionError(.outOfMemory, "out of memory", operation: "compare packets")
    }
    unsafe av_murmur3_init(hash)
    var places = [UInt32](repeating: 0, count: order.count)
    for (place, index) in order.enumerated() { places[index] = UInt32(clamping: place) }
    let input = unsafe DecoderInput(hash: hash, units: units, places: places)
    // H.264 crops to the size that the container states.
    unsafe input.add(numbers: [
      parameters.pointee.codec_id.rawValue, UInt32(bitPattern: parameters.pointee.width),
      UInt32(bitPattern: parameters.pointee.height), UInt32(clamping: order.count),
    ])
    // Containers sort them in their own ways.
    for unit in units.setup.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      unsafe unit.withUnsafeBytes { unsafe input.add($0) }
    }
    return input
  }

  private init(hash: OpaquePointer, units: NALUnits, places: [UInt32]) {
    unsafe self.hash = unsafe hash
    self.units = units
    self.places = places
  }

  deinit { unsafe av_free(UnsafeMutableRawPointer(hash)) }

  /// Adds the next packet.
  mutating func add(_ packet: borrowing Packet) {
    guard count < places.count else {
      isReadable = false
      return
    }
    add(numbers: [places[count]])
    count += 1
    let isWhole = unsafe packet.withBytes { bytes in
      guard let found = unsafe units.units(of: bytes), unsafe !found.isEmpty else { return false }
      unsafe add(numbers: [UInt32(clamping: found.count)])
      for index in unsafe found.indices { unsafe add(found[index]) }
      return true
    }
    if !isWhole { isReadable = false }
  }

  /// The digest as text; `nil` if a packet could not be read, or is missing.
  consuming func finish() -> String? {
    guard isReadable, count == places.count else { return nil }
    var digest = [UInt8](repeating: 0, count: 16)
    unsafe av_murmur3_final(hash, &digest)
    return digest.hexadecimal
  }

  private func add(numbers: [UInt32]) {
    unsafe numbers.withUnsafeBytes { bytes in
      unsafe av_murmur3_update(hash, bytes.bindMemory(to: UInt8.self).baseAddress, bytes.count)
    }
  }

  private func add(_ unit: UnsafeRawBufferPointer) {
    add(numbers: [UInt32(clamping: unit.count)])
    unsafe av_murmur3_update(hash, unit.bindMemory(to: UInt8.self).baseAddress, unit.count)
  }
}

extension NALUnits {
  /// - Returns: `nil` for other codecs, too.
  package init?(_ parameters: UnsafePointer<AVCodecParameters>) {
    let codec: Codec
    switch unsafe parameters.pointee.codec_id {
    case AV_CODEC_ID_H264: codec = .h264
    case AV_CODEC_ID_HEVC: codec = .hevc
    default: return nil
    }
    let count = unsafe Int(parameters.pointee.extradata_size)
    let data = unsafe parameters.pointee.extradata
    unsafe self.init(
      codec: codec,
      setupData: count > 0 && data != nil
        ? Array(UnsafeBufferPointer(start: data, count: count)) : [])
  }
}
