/// Reads what a sound file says of its album.
package struct SoundTagsJob: Job {
  package static let name = "sound-tags"

  package init() {}

  package func run(
    on file: InputFile, limits: Limits, progress: @escaping JobProgress
  ) throws(InspectionError) -> JobAnswer<SoundTags> {
    JobAnswer(value: try file.soundTags(limits: limits))
  }

  package func outcome(of answer: JobAnswer<SoundTags>) -> SoundTags? { answer.value }
}
