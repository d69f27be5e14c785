#!/usr/bin/python3
"""What the companion costs: the way from a player's signal to the file, wake-ups while nothing plays, and many players.

    Scripts/bench/companion.py [--changes 200] [--idle 60] [--players 50] [--seconds 60]

Needs dist/artworkd (Scripts/dist makes it) or ARTWORKD, dbus-run-session, strace, python3-dbus and python3-gi. It starts a
message bus, a service and a companion of its own. Prints markdown.

- The way: a player in this process goes to a track of another album. A screen in this process hears of the session,
  asks for its video and gets the file. Both albums were played before. Python's time is part of it.
- Wake-ups: how often a thread of the companion returns from waiting while no player is there, by strace.
- Many players: each a process of its own that plays, and goes to the next track every three minutes.
"""

import json
import os
from pathlib import Path
import queue
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib.service import Connection, Service
from lib.tool import MEDIA, Parser, tool

BUILT = "dist/artworkd"
PATH, PLAYER = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Player:
    """A player on the session bus, with one thread that answers."""

    def __init__(self, name, root):
        import dbus.bus
        import dbus.mainloop.glib
        from gi.repository import GLib

        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        self.dbus, self.root, self.loop, self.glib = dbus, root, GLib.MainLoop(), GLib
        self.state = {"PlaybackStatus": "Stopped"}
        self.bus = dbus.bus.BusConnection(dbus.bus.BusConnection.TYPE_SESSION)
        self.bus.add_message_filter(self.answer)
        self.bus.request_name("org.mpris.MediaPlayer2." + name)

    def answer(self, connection, message):
        if message.get_type() != 1 or message.get_member() != "GetAll":
            return self.dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        reply = self.dbus.lowlevel.MethodReturnMessage(message)
        state = self.state if message.get_args_list()[0] == PLAYER else {"Identity": "Bench"}
        reply.append(self.dbus.Dictionary(state, signature="sv"), signature="a{sv}")
        connection.send_message(reply)
        return self.dbus.lowlevel.HANDLER_RESULT_HANDLED

    def play(self, album, title):
        self.state = {
            "PlaybackStatus": "Playing", "Position": self.dbus.Int64(0),
            "Metadata": self.dbus.Dictionary({
                "mpris:trackid": self.dbus.ObjectPath("/0"), "mpris:length": self.dbus.Int64(180_000_000),
                "xesam:title": title, "xesam:album": album,
                "xesam:url": f"file://{self.root}/{album}/{title}.flac"}, signature="sv")}
        message = self.dbus.lowlevel.SignalMessage(PATH, PROPERTIES, "PropertiesChanged")
        message.append(PLAYER, self.dbus.Dictionary(self.state, signature="sv"), [], signature="sa{sv}as")
        self.bus.send_message(message)
        self.bus.flush()


def screen(service, found):
    """Hears of sessions and asks for their videos; tells when each is there."""
    connection = Connection(service.socket, timeout=None)
    connection.request("GET", "/v1/events")
    stream = connection.getresponse()
    shown = None
    for line in stream:
        if not line.startswith(b"data: "):
            continue
        session = json.loads(line[6:]).get("session") or {}
        artwork = (session.get("artwork") or {}).get("1x1")
        if artwork and artwork != shown:
            shown, heard = artwork, time.perf_counter()
            answer = service.ask("POST", f"/v1/sessions/{session['id']}/artwork/1x1/video", {"width": 500, "height": 500})
            found.put((artwork, answer["url"], heard, time.perf_counter()))


def processor_seconds(process):
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure_way(service, process, music, changes):
    found = queue.Queue()
    threading.Thread(target=screen, args=(service, found), daemon=True).start()
    player = Player("bench", music)
    threading.Thread(target=player.loop.run, daemon=True).start()
    times, before = [], processor_seconds(process)
    for number in range(changes + 2):
        album = "AB"[number % 2]
        start = time.perf_counter()
        player.glib.idle_add(player.play, album, f"Song {number}")
        artwork, url, heard, end = found.get(timeout=30)
        assert artwork.startswith(f"{album}-") and url, (artwork, url, album)
        times.append((1e3 * (heard - start), 1e3 * (end - start)))
        # A companion looks ten times a second at most; a person takes longer between two tracks.
        time.sleep(0.3)
    used = 1e3 * (processor_seconds(process) - before) / (changes + 2)
    print(f"| processor of the companion for a change | {used:.1f} ms |")
    for name, found in zip(("the session's event", "the file"), zip(*times[2:])):
        found = sorted(found)
        print(f"| from a signal to {name}, median of {changes} | {statistics.median(found):.1f} ms |")
        print(f"| p95 | {found[int(len(found) * 0.95)]:.1f} ms |")


def measure_idle(process, seconds):
    with tempfile.NamedTemporaryFile() as log:
        tracer = subprocess.Popen(["strace", "-f", "-q", "-o", log.name, "-p", str(process)])
        time.sleep(seconds)
        tracer.send_signal(signal.SIGINT)
        tracer.wait()
        lines = Path(log.name).read_text().splitlines()
    waits = [line for line in lines if re.search(r"\b(poll|ppoll|epoll_wait|epoll_pwait|futex|read|select)\b.* = \d", line)]
    print(f"| wake-ups in {seconds} s while nothing plays | {len(waits)} |")


def measure_many(service, process, music, players, seconds):
    children = []
    for number in range(players):
        child = os.fork()
        if child == 0:
            player = Player(f"many{number}", music)

            def go_on(track=[0]):
                track[0] += 1
                player.play("AB"[number % 2], f"Song {number} {track[0]}")
                return True

            go_on()
            # The first change is at a moment of its own, so that changes spread over three minutes.
            player.glib.timeout_add(1 + 180_000 * number // players, lambda: go_on() and player.glib.timeout_add(180_000, go_on) and False)
            player.loop.run()
            os._exit(0)
        children.append(child)
    try:
        while len(service.ask("GET", "/v1/sessions")["sessions"]) < players:
            time.sleep(0.2)
        # Timers of the requests that published them run out.
        time.sleep(50)
        before = processor_seconds(process)
        time.sleep(seconds)
        used = processor_seconds(process) - before
        print(f"| processor of {players} players in {seconds} s | {100 * used / seconds:.2f} % of a core |")
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)


def main():
    parser = Parser(__doc__)
    parser.add_argument("--changes", type=int, default=200)
    parser.add_argument("--idle", type=int, default=60)
    parser.add_argument("--players", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    if "BENCH_BUS" not in os.environ:
        os.execvpe("dbus-run-session", ["dbus-run-session", "--", *sys.argv], {**os.environ, "BENCH_BUS": "1"})
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for album, clip in ("A", "good-1x1.mp4"), ("B", "good-1x1-2s.mp4"):
            (folder / "music" / album).mkdir(parents=True)
            shutil.copy(MEDIA / clip, folder / "music" / album / "1x1.mp4")
        service = Service(folder, built=BUILT)
        companion = subprocess.Popen([tool(BUILT), "companion", "--socket", service.socket, "--music", folder / "music"],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(2)
            print("| | |\n|---|---:|")
            time.sleep(20)
            measure_idle(companion.pid, options.idle)
            # Before libraries of a player are loaded and threads run in this process, which forks players.
            measure_many(service, companion.pid, folder / "music", options.players, options.seconds)
            while service.ask("GET", "/v1/sessions")["sessions"]:
                time.sleep(0.2)
            measure_way(service, companion.pid, folder / "music", options.changes)
        finally:
            companion.terminate()
            companion.wait()
            service.stop()
    # The player's thread still runs, which Python does not end well.
    sys.stdout.flush()
    os._exit(0)


main()
