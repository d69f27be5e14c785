"""A player of one clip: python3 example_player.py CLIP [TITLE [SECONDS]]

Publishes the clip as the cover of a song, shows its file, pauses half way, and ends. Needs a running `artworkd serve`.
"""

import hashlib
import sys
import time

from artworkd import ArtworkdError, Client, Content, Playback


def play(clip: str, artwork_id: str, title: str, seconds: float) -> None:
    client = Client()
    artwork = client.put_artwork(artwork_id, "1x1", clip)
    if artwork.error:
        print(f"only a still cover: {artwork.error.message}")

    with client.publish(
        application="org.example.player", content=Content("music", title), artwork={"1x1": artwork_id},
        playback=Playback("playing", duration_seconds=seconds),
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


def failed(message: str, status: int) -> int:
    print(f"example_player: {message}", file=sys.stderr)
    return status


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 3:
        return failed("usage: python3 example_player.py CLIP [TITLE [SECONDS]]", 64)
    clip, title, length = arguments + [arguments[0], "10"][len(arguments) - 1:]
    try:
        seconds = float(length)
    except ValueError:
        seconds = -1
    if not 0 <= seconds <= 1_000_000:
        return failed(f"SECONDS must be a number from 0 to 1000000, not {length!r}", 64)
    try:
        # Other bytes need another ID, so the ID comes from the bytes.
        with open(clip, "rb") as file:
            artwork_id = hashlib.sha256(file.read()).hexdigest()[:16]
    except OSError as error:
        return failed(f"cannot read {clip}: {error.strerror}", 2)
    try:
        play(clip, artwork_id, title, seconds)
    except ArtworkdError as error:
        return failed(str(error), 1)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
