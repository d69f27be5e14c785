// The animated cover of what plays, on the desktop of DankMaterialShell. Copy this folder to
// ~/.config/DankMaterialShell/plugins/artworkdCover, and run `artworkd companion`. Needs Qt 6 with QtMultimedia.
import QtMultimedia
import QtQuick
import qs.Modules.Plugins
import qs.Services

DesktopPluginComponent {
    id: root

    minWidth: 96
    minHeight: 96
    property real defaultWidth: 320
    property real defaultHeight: 320

    readonly property var metadata: MprisController.activePlayer?.metadata ?? ({})
    readonly property bool isTall: height > width * 1.15
    // Absent while the device is to show no videos: then the preview stays.
    readonly property url video: metadata["artworkd:video" + (isTall ? "3x4" : "1x1")] ?? ""

    Image {
        anchors.fill: parent
        fillMode: Image.PreserveAspectFit
        source: root.metadata["mpris:artUrl"] ?? ""
        onStatusChanged: if (status === Image.Ready) console.log("preview", sourceSize.width + "x" + sourceSize.height)
    }

    MediaPlayer {
        id: moving
        source: root.video
        loops: MediaPlayer.Infinite
        videoOutput: output
        onSourceChanged: if (moving.source.toString()) play()
        onErrorOccurred: (error, text) => console.log("error", text)
        onPositionChanged: if (moving.position > 0) console.log("plays at", moving.position)
        Component.onCompleted: if (moving.source.toString()) play()
    }

    // Before its first frame it is empty, and the preview shows the same.
    VideoOutput {
        id: output
        anchors.fill: parent
    }
}
