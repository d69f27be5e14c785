#!/usr/bin/env python3
"""Publishes what MPD plays, with the animated cover beside the song, and takes the commands of the desktop:

    pip install python-mpd2
    artworkd serve & PYTHONPATH=Integrations/clients/python python3 Integrations/players/mpd_artwork.py MUSIC_FOLDER [PORT]

Prints the video's own file for each song. The names are those of docs/bundle.md. Ends with Ctrl-C, and the session with it.
"""

import hashlib
import sys
from pathlib import Path

import mpd

from artworkd import ArtworkdError, Client, Content, Playback

NAMES = {"1x1": ("1x1", "cover_1x1", "cover", "canvas"), "3x4": ("3x4", "cover_3x4")}
STATES = {"play": "playing", "pause": "paused"}


def connected(port):
    player = mpd.MPDClient()
    player.connect("localhost", port)
    return player


def covers(client, song):
    """The IDs of what lies beside a song, which the service has taken in."""
    found = {}
    for key, names in NAMES.items():
        stems = (song.stem + f"_{key}", *names) if key == "3x4" else (song.stem, *names)
        files = (song.parent / f"{stem}.mp4" for stem in stems)
        if file := next((each for each in files if each.is_file() and each != song), None):
            # Other bytes need another ID; the songs of an album share one.
            artwork_id = f"{song.parent.name}-{hashlib.sha256(file.read_bytes()).hexdigest()[:12]}"
            if client.put_artwork(artwork_id, key, file).error is None:
                found[key] = artwork_id
    return found


def text(song, tag):
    """A tag that a song has several times is a list."""
    value = song.get(tag)
    return ", ".join(value) if isinstance(value, list) else value


def seen(player, client, music):
    song, status = player.currentsong(), player.status()
    state = STATES.get(status["state"])
    if not state or "file" not in song:
        return None
    name = Path(song["file"]).name
    return dict(
        content=Content("music", text(song, "title") or name, text(song, "artist"), text(song, "album"),
                        composer=text(song, "composer"), genre=text(song, "genre")),
        playback=Playback(state, float(status.get("elapsed", 0)), duration_seconds=float(status.get("duration", 0)) or None),
        artwork=covers(client, music / song["file"]))


def main(music, port=6600):
    client, player, other = Client(), connected(port), connected(port)

    def carry_out(command):
        # Other threads need connections of their own.
        {"play": lambda: other.pause(0), "pause": lambda: other.pause(1), "next": other.next, "previous": other.previous,
         "seekToPosition": lambda: other.seekcur(command.arguments["position"])}[command.name]()

    session, shown = None, None
    while True:
        now = seen(player, client, music)
        if session and (now is None or session.is_ended):
            session.end()
            session = None
        if now and session:
            session.update(**now)
        elif now:
            commands = {name: {} for name in ("play", "pause", "next", "previous", "seekToPosition")}
            session = client.publish(application="mpd", commands=commands, on_command=carry_out, **now)
        for key in now["artwork"] if now else ():
            video = session.video(key, 1080, 1080)
            line = f"{now['content'].title}: {video.path or video.reason.message}"
            if line != shown:
                print(line, flush=True)
            shown = line
        player.idle("player")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]).resolve(), *map(int, sys.argv[2:3]))
    except (ArtworkdError, mpd.ConnectionError, OSError) as error:
        sys.exit(f"mpd_artwork: {error}")
    except KeyboardInterrupt:
        pass
