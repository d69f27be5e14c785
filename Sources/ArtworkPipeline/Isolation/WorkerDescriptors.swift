/// The numbers of a worker's descriptors. Below them are its standard streams, all /dev/null (or an empty pipe on a
/// system without it). Above them, nothing is open.
enum WorkerDescriptors {
  /// The candidate, read-only.
  static let candidate: Int32 = 3
  /// The request, then the reply.
  static let exchange: Int32 = 4
  /// A pipe that carries nothing: it closes when the worker ends.
  static let life: Int32 = 5
  static let count = 6
}
