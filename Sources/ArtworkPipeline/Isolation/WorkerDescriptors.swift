/// Where a worker finds what it was handed. Below them are its standard streams, all /dev/null (or an empty pipe
/// where there is none); above
/// them is nothing.
enum WorkerDescriptors {
  /// The candidate, read-only.
  static let candidate: Int32 = 3
  /// The request, then the reply.
  static let exchange: Int32 = 4
  /// A pipe that nobody reads: it closes when the worker ends.
  static let life: Int32 = 5
  static let count = 6
}
