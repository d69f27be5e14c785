import ArtworkPipeline

/// The inspector of a command, with the details that only the command line needs.
struct PreparedInspector: Sendable {
  let inspector: any JobRunner
  /// How files are isolated, for the log.
  let isolation: String
  /// Ends the workers.
  let stop: @Sendable () -> Void

  /// Inspects in this process.
  init(_ inspector: Inspector) {
    self.inspector = inspector
    isolation = "none: --no-isolation"
    stop = {}
  }

  /// Inspects in workers.
  init(_ inspector: IsolatedInspector) {
    self.inspector = inspector
    isolation = inspector.sandbox.description
    stop = { inspector.stop() }
  }
}
