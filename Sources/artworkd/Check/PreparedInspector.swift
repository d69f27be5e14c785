import ArtworkPipeline

/// The inspector of a command.
struct PreparedInspector: Sendable {
  let inspector: any JobRunner
  /// Ends the workers.
  let stop: @Sendable () -> Void

  /// Inspects in this process.
  init(_ inspector: Inspector) {
    self.inspector = inspector
    stop = {}
  }

  /// Inspects in workers.
  init(_ inspector: IsolatedInspector) {
    self.inspector = inspector
    stop = { inspector.stop() }
  }
}
