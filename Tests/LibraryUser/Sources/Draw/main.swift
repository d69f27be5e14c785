import ArtworkLottie
import ArtworkModel
import Foundation

// A Lottie animation is read, and what a property matches is asked for.
var animation = try AnimationFile(Array(Data(contentsOf: URL(filePath: CommandLine.arguments[1]))))
  .animation
print(animation.duration, animation.limitations.count)
do {
  try animation.setValue(
    .color(red: 1, green: 0.2, blue: 0.3), for: AnimationKeypath(keypath: "**.Fill 1.Color"))
} catch { print(error) }
