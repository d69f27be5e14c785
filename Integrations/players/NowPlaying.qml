// The animated cover of what plays, in a shell: from MPRIS, where `artworkd companion` exports every session of the service.
//
//     qml Integrations/players/NowPlaying.qml
//
// Needs Qt 5 with QtMultimedia and org.nemomobile.mpris (Debian: qml, qml-module-qtquick2, qml-module-qtquick-window2, qml-module-qtmultimedia,
// qml-module-org-nemomobile-mpris). Quickshell's MprisPlayer and Plasma's data source have the same `metadata`.
import QtMultimedia 5.12
import QtQuick 2.12
import org.nemomobile.mpris 1.0

Item {
    width: 480
    height: 480

    MprisManager { id: player }

    readonly property bool isTall: height > width * 1.15
    readonly property var metadata: player.metadata || ({})
    // Absent while the device is to show no videos: then the preview stays.
    readonly property url video: metadata["artworkd:video" + (isTall ? "3x4" : "1x1")] || ""

    Image {
        anchors.fill: parent
        fillMode: Image.PreserveAspectFit
        source: metadata["mpris:artUrl"] || ""
        onStatusChanged: if (status === Image.Ready) console.log("preview", sourceSize.width + "x" + sourceSize.height)
    }

    MediaPlayer {
        id: moving
        source: video
        autoPlay: true
        loops: MediaPlayer.Infinite
        muted: true
        onSourceChanged: console.log("video", source)
        onError: console.log("error", errorString)
        onPositionChanged: if (position > 0) console.log("plays at", position)
    }

    VideoOutput {
        anchors.fill: parent
        source: moving
        // Until the first frame is there, the preview shows the same.
        visible: moving.playbackState === MediaPlayer.PlayingState && moving.hasVideo
    }
}
