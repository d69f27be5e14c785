"""A player of one clip: python3 example_player.py CLIP [TITLE [SECONDS]]

Publishes the clip as the cover of a song, shows its file, pauses half way, and ends. Needs a running `artworkd serve`.
"""

import hashlib
import sys
import time

from artworkd import ArtworkdError, Client, Content, Playback


def play(clip: str, title: str, seconds: float) -> None:
    client = Client()
    # Other bytes need another ID, so the ID comes from the bytes.
    with open(clip, "rb") as file:
        artwork_id = hashlib.sha256(file.read()).hexdigest()[:16]
    artwork = client.put_artwork(artwork_id, "1x1", clip)
    if artwork.error:
        print(f"only a still cover: {artwork.error.message}")

    with client.publish(
        "example", application="org.example.player", content=Content("music", title),
        artwork={"1x1": artwork_id}, playback=Playback("playing", duration_seconds=seconds),
    ) as session:
        video = session.video("1x1", 1080, 1080)
        if video.path:
            print(f"loop this file: {video.path}")
        else:
            print(f"show the {video.show}: {video.reason.message}")
        time.sleep(seconds / 2)
        session.pause()
        print("paused")
        time.sleep(seconds / 2)
    print("ended")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    try:
        play(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else sys.argv[1],
             float(sys.argv[3]) if len(sys.argv) > 3 else 10)
    except ArtworkdError as error:
        sys.exit(f"example_player: {error}")
