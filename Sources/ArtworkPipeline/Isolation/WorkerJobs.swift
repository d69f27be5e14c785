/// The jobs that a worker knows.
enum WorkerJobs {
  static let all: [any WorkerJob.Type] = [
    AnimationSummaryJob.self,
    AnimationValueJob.self,
    CopyJob.self,
    DeriveJob.self,
    EncodeJob.self,
    GlanceJob.self,
    ImportJob.self,
    InspectJob.self,
    LoopJob.self,
    PacketsJob.self,
    SeamJob.self,
    ShownFramesJob.self,
    StillJob.self,
    TrialJob.self,
  ]
}
