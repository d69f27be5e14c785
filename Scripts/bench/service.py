#!/usr/bin/env python3
"""Measures `artworkd serve` beside nginx, beside another user, with many idle and slow clients, over a million requests,
and while a large video is copied or the next albums are taken in.

    swift build -c release
    Scripts/bench/service.py           # six minutes
    Scripts/bench/service.py --quick   # one minute, to see that it works
    Scripts/bench/service.py --only nginx,neighbour
    Scripts/bench/service.py --only nginx,reads --real-time  # by root: nobody waits for a time slice

Needs wrk, nginx and ffmpeg, and listens on loopback only. Run by root, the other user is nobody; otherwise it is the same
user without the token. ARTWORKD names another binary. Prints markdown; a missed
target is printed as MISSED and does not change the exit code.
"""

import http.client
import json
import os
from pathlib import Path
import pwd
import re
import resource
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from lib import ffmpeg
from lib.service import Connection, Service, ask
from lib.tool import Parser

SIZES = [10_000, 100_000, 400_000]
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0}


class BenchError(Exception):
    pass


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(500):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.02)
    raise BenchError(f"nobody listens at port {port}")


class TCPService(Service):
    """Asked over TCP, too."""

    def __init__(self, folder):
        self.port = free_port()
        super().__init__(folder, "--listen", f"127.0.0.1:{self.port}", "--budget", "8GiB", "--connections", "15000")
        wait_for(self.port)
        token = folder / "run/token"
        # Written once the service listens.
        for _ in range(500):
            if token.exists() and token.stat().st_size:
                break
            time.sleep(0.02)
        self.token = token.read_text().strip()
        self.proof = f"Authorization: Bearer {self.token}"

    def ask(self, method, target, document=None):
        client = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        client.request(method, target, json.dumps(document) if document else None,
                       {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
        answer = client.getresponse()
        body = answer.read()
        if answer.status >= 300:
            raise BenchError(f"{method} {target}: {answer.status} {body[:300]!r}")
        return body


class Nginx:
    def __init__(self, folder, files):
        self.port = free_port()
        web = folder / "web"
        web.mkdir(mode=0o755)
        for name, png in files.items():
            (web / name).write_bytes(png)
        os.chmod(folder, 0o755)
        configuration = folder / "nginx.conf"
        user = "user root;" if os.geteuid() == 0 else ""
        configuration.write_text(f"""
            {user} daemon off; worker_processes auto; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
            events {{ worker_connections 4096; }}
            http {{
              access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
              open_file_cache max=100; types {{ image/png png; }}
              client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
              uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
              server {{ listen 127.0.0.1:{self.port}; root {web}; }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-c", configuration, "-e", folder / "nginx.log"])
        wait_for(self.port)

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


# What wrk is started with.
WITH = []


def in_real_time(*processes):
    """Nothing else runs before these threads, and none of them waits for the slice of another to end."""
    for process in processes:
        subprocess.run(["chrt", "--rr", "--all-tasks", "--pid", "1", str(process)], check=True)
    WITH[:] = ["chrt", "--rr", "1"]


def wrk(url, field, seconds, connections=16, script=None):
    """Requests per second, the 99th percentile in seconds, and requests in all. Each request has the header field."""
    output = subprocess.run(
        [*WITH, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-H", field,
         *(["-s", script] if script else []), url], capture_output=True, text=True, timeout=seconds + 60, check=True).stdout
    if "Non-2xx" in output:
        raise BenchError(output)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s|m)", output).groups()
    count = int(re.search(r"(\d+) requests in", output)[1])
    return rate, float(value) * UNITS[unit], count


def previews(service, folder):
    """Targets of previews of about the wanted sizes, from a clip of noise, and their bytes."""
    clip = folder / "noise.mp4"
    ffmpeg.run("-f", "lavfi", "-i", "color=gray:s=1080x1080:r=24:d=1,noise=alls=60:allf=t", "-pix_fmt", "yuv420p", "-c:v", "libx264",
               "-crf", "20", clip)
    service.ask("PUT", "/v1/artworks/bench/1x1?wait=28", {"source": {"path": str(clip)}})
    found = {}
    for size in SIZES:
        low, high = 16, 1080
        while low < high:
            middle = (low + high) // 2
            if len(service.ask("GET", f"/v1/artworks/bench/1x1/preview?width={middle}")) < size:
                low = middle + 1
            else:
                high = middle
        target = f"/v1/artworks/bench/1x1/preview?width={low}"
        found[size] = (target, service.ask("GET", target))
    return found


def processor_time(*processes):
    """Seconds that processes have used."""
    fields = [Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split() for process in processes]
    return sum(int(each[11]) + int(each[12]) for each in fields) / os.sysconf("SC_CLK_TCK")


def with_time(url, field, seconds, processes):
    """What `wrk` says, and the processor time of one request."""
    before = processor_time(*processes)
    run = wrk(url, field, seconds)
    return *run[:2], (processor_time(*processes) - before) / run[2]


def judged(value, is_met):
    return value if is_met else f"{value} MISSED"


def beside_nginx(service, folder, found, seconds, repeats, is_real_time):
    nginx = Nginx(folder, {f"{size}.png": png for size, (_, png) in found.items()})
    workers = Path(f"/proc/{nginx.process.pid}/task/{nginx.process.pid}/children").read_text().split()
    if is_real_time:
        in_real_time(service.process.pid, nginx.process.pid, *workers)
    print("\n## Previews beside nginx\n")
    print("Medians of the runs, and of the ratios of two runs in turn.\n")
    print("| bytes | artworkd/s | nginx/s | ratio (>= 0.5) | p99 artworkd | p99 nginx | ratio (<= 3) | processor artworkd | nginx "
          "| ratio (<= 1.5; 1.3 for 400 kB) |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    try:
        for size, (target, png) in found.items():
            own, other = [], []
            # The store keeps few sizes of one artwork, and others were asked for since.
            service.ask("GET", target)
            # In turns, so that what else the machine does strikes both.
            for _ in range(repeats):
                own.append(with_time(
                    f"http://127.0.0.1:{service.port}{target}", service.proof, seconds, [service.process.pid]))
                other.append(with_time(f"http://127.0.0.1:{nginx.port}/{size}.png", service.proof, seconds, workers))
            rate, late, time = (statistics.median(run[index] for run in own) for index in (0, 1, 2))
            rate2, late2, time2 = (statistics.median(run[index] for run in other) for index in (0, 1, 2))
            speed, wait, cost = (
                statistics.median(one[index] / two[index] for one, two in zip(own, other)) for index in (0, 1, 2))
            most = 1.3 if size == SIZES[-1] else 1.5
            print(f"| {len(png)} | {rate:.0f} | {rate2:.0f} | {judged(f'{speed:.2f}', speed >= 0.5)} "
                  f"| {late * 1000:.2f} ms | {late2 * 1000:.2f} ms | {judged(f'{wait:.2f}', wait <= 3)} "
                  f"| {time * 1e6:.1f} us | {time2 * 1e6:.1f} us | {judged(f'{cost:.2f}', cost <= most)} |", flush=True)
    finally:
        nginx.stop()


# Opens connections and keeps them; then opens one for each that is closed, as fast as it can; tells how many were refused.
NEIGHBOUR = """
import os, resource, select, socket, sys, time
port, count, sits, user = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
if user:
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
watch, open_ones, made, refused = select.epoll(), {}, 0, 0
def connect():
    global made
    client = socket.socket()
    try:
        client.connect(("127.0.0.1", port))
    except OSError:
        return
    made += 1
    open_ones[client.fileno()] = client
    watch.register(client, select.EPOLLIN)
for _ in range(count):
    connect()
print(made, flush=True)
time.sleep(sits)
while True:
    for number, _ in watch.poll(0.05):
        refused += open_ones[number].recv(12).endswith(b" 503")
        open_ones.pop(number).close()
        connect()
    print(made, refused, flush=True)
"""


def ask_for(service, target, seconds):
    """Times of requests at the Unix socket in seconds, one after the other, each fifth on a connection of its own."""
    times, client, end = [], Connection(service.socket, timeout=30), time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.monotonic()
        client.request("GET", target)
        answer = client.getresponse()
        answer.read()
        times.append(time.monotonic() - start)
        if answer.status != 200:
            raise BenchError(f"at the Unix socket: {answer.status}")
        if len(times) % 5 == 0:
            client.close()
        time.sleep(0.001)
    client.close()
    return times


def neighbour(service, target, count, seconds):
    user = pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else 0
    print(f"\n## {count} TCP connections of {'another user' if user else 'a client without the token'}\n", flush=True)
    print("| requests at the Unix socket | p50 | p99 (< 20 ms) | longest |\n|---|---|---|---|")

    def measure(name):
        for what in ("/v1/now-playing", target):
            times = sorted(ask_for(service, what, seconds))
            late = times[len(times) * 99 // 100]
            print(f"| {name}: {what.split('?')[0].split('/')[-1]} | {times[len(times) // 2] * 1000:.2f} ms "
                  f"| {judged(f'{late * 1000:.2f} ms', late < 0.02)} | {times[-1] * 1000:.2f} ms |", flush=True)

    service.ask("GET", target)
    measure("alone")
    other = subprocess.Popen(
        [sys.executable, "-c", NEIGHBOUR, str(service.port), str(count), str(2 * seconds + 2), str(user)],
        stdout=subprocess.PIPE, text=True)
    try:
        made = int(other.stdout.readline())
        measure(f"beside {made} connections")
        reader = threading.Thread(target=lambda: last.extend(other.stdout))
        last = []
        reader.start()
        time.sleep(2)
        measure("while each that is closed comes back at once")
    finally:
        other.kill()
        other.wait()
    reader.join()
    made, refused = map(int, last[-2].split())
    print(f"\n{made} connections in all, {refused} refused with 503")


def crowd(service, target, count, slow, seconds):
    print(f"\n## {count} idle connections at the Unix socket and {slow} that send a byte a second\n", flush=True)
    before = service.memory()


    def connect():
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(service.socket))
        return client

    clients = [connect() for _ in range(count + slow)]
    stop = threading.Event()

    def dribble():
        head = b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"x" * 1000
        sent = 0
        while not stop.wait(1):
            for index in range(slow):
                try:
                    clients[index].send(head[sent % len(head):sent % len(head) + 1])
                except OSError:
                    # Cut off at its deadline: comes back, as such clients do.
                    clients[index].close()
                    clients[index] = connect()
            sent += 1

    worker = threading.Thread(target=dribble)
    worker.start()
    try:
        rate, late, _ = wrk(f"http://127.0.0.1:{service.port}{target}", service.proof, seconds, connections=1)
        closed = sum(1 for client in clients[slow:] if select.select([client], [], [], 0)[0]) if count < 1000 else None
        used = service.memory()
        print(f"- a good client: {rate:.0f} requests a second, p99 {judged(f'{late * 1000:.2f} ms', late < 0.1)} (< 100 ms)")
        print(f"- memory: {before:.0f} MiB before, {used:.0f} MiB then: {(used - before) * 1024 / (count + slow):.1f} KiB a connection")
        if closed:
            print(f"- {closed} were closed meanwhile")
    finally:
        stop.set()
        worker.join()
        for client in clients:
            client.close()


def million(service, target, requests):
    print(f"\n## {requests} requests\n", flush=True)
    url = f"http://127.0.0.1:{service.port}{target}"
    # What is kept for good is there after these.
    rate, _, done = wrk(url, service.proof, 10)
    first = service.memory()
    end = time.monotonic() + 240
    while done < requests and time.monotonic() < end:
        rate, _, count = wrk(url, service.proof, 20)
        done += count
    last = service.memory()
    print(f"- memory after the first ten seconds {first:.1f} MiB, after {done} requests {judged(f'{last:.1f} MiB', last < first * 1.1 + 4)}")


def reads(service, folder, megabytes, repeats, is_real_time):
    """64 clients read ten times a second what is playing, while a large video is taken in, and while it becomes the file of
    a session: its bytes are compared with their digest first, and it is copied, since it has another name."""
    print(f"\n## Reads while {megabytes} MiB are copied\n", flush=True)
    clip, pace = folder / "large.mp4", folder / "pace.lua"
    # Not all at once: then the last would wait for the others.
    pace.write_text("function delay() return math.random(50, 150) end\n")
    ffmpeg.run("-f", "lavfi", "-i", "testsrc2=s=300x300:r=10:d=2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", clip)
    # A box that is skipped, of bytes that no file system leaves out.
    block = os.urandom(1 << 20)
    with clip.open("ab") as file:
        file.write((1).to_bytes(4, "big") + b"free" + (16 + megabytes * len(block)).to_bytes(8, "big"))
        for _ in range(megabytes):
            file.write(block)
    url = f"http://127.0.0.1:{service.port}/v1/now-playing"
    if is_real_time:
        in_real_time(service.process.pid)

    def measured(name, work):
        """The worst 99th percentile of runs of a second while the work is under way."""
        failures = []

        def run():
            try:
                work()
            except Exception as error:
                failures.append(error)

        thread = threading.Thread(target=run)
        began = time.monotonic()
        thread.start()
        lates = []
        while not lates or thread.is_alive():
            lates.append(wrk(url, service.proof, 1, 64, pace)[1])
        thread.join()
        if failures:
            raise failures[0]
        print(f"- {name} ({time.monotonic() - began:.1f} s): 99 % within {judged(f'{max(lates) * 1e3:.1f} ms', max(lates) < 0.005)}",
              flush=True)

    def until_taken_in():
        """Answers are late while the work goes on."""
        while True:
            try:
                return service.ask("PUT", "/v1/artworks/large/1x1?wait=28", source)
            except BenchError as error:
                if ": 504 " not in str(error):
                    raise

    def until_leased():
        while True:
            answer = json.loads(service.ask(
                "POST", "/v1/sessions/large/artwork/1x1/video?wait=28", {"width": 300, "height": 300}))
            if answer["url"]:
                return
            if answer["reason"]["code"] != "late":
                raise BenchError(f"no file: {answer}")

    session = {"application": "bench", "content": {"kind": "music", "title": "Large"}, "artwork": {"1x1": "large"}}
    source = {"source": {"path": str(clip), "immutable": True}}
    for _ in range(repeats):
        measured("nothing else", lambda: time.sleep(3))
        measured("taken in", until_taken_in)
        service.ask("PUT", "/v1/sessions/large", session)
        os.utime(clip)
        measured("handed out", until_leased)
        service.ask("DELETE", "/v1/sessions/large")
        service.ask("DELETE", "/v1/artworks/large/1x1")


def queue(folder, puts, requests):
    """New sizes of previews of a stored video, and its lease, while the next albums are taken in; once more after a start."""
    print(f"\n## While {puts} videos of 1080 pixels wait\n", flush=True)
    folder = folder / "q"
    folder.mkdir()
    clip = folder / "clip.mp4"
    ffmpeg.run("-f", "lavfi", "-i", "testsrc2=s=1080x1080:r=30:d=4", "-pix_fmt", "yuv420p", "-movflags", "+faststart", clip)

    def copy(name):
        """The clip as other bytes: a box that is skipped follows."""
        path = folder / f"{name}.mp4"
        path.write_bytes(clip.read_bytes() + (24).to_bytes(4, "big") + b"free" + os.urandom(16))
        return {"source": {"path": str(path)}}

    def must(answer):
        if not isinstance(answer, dict) or answer.get("code") or answer.get("reason", {}).get("code") == "late":
            raise BenchError(f"unexpected: {answer}")
        return answer

    def percentile(times):
        return sorted(times)[-1 - len(times) // 100] * 1e3

    def take_in(service, prefix, answers):
        def put(name):
            status, _ = ask(service.socket, "PUT", f"/v1/artworks/{name}/1x1?wait=28", copy(name))
            answers.append((name, status, time.monotonic()))

        threads = [threading.Thread(target=put, args=(f"{prefix}{number}",)) for number in range(puts)]
        for thread in threads:
            thread.start()
        return threads

    def hear(service, ready):
        """Notes when videos become ready."""
        def run():
            connection = Connection(service.socket)
            connection.request("GET", "/v1/events")
            try:
                for line in connection.getresponse():
                    if line.startswith(b"data:") and b'"ready"' in line:
                        ready.setdefault(json.loads(line[5:])["artworkID"], time.monotonic())
            except (OSError, ValueError, http.client.HTTPException):
                pass

        threading.Thread(target=run, daemon=True).start()

    service = Service(folder)
    try:
        must(service.ask("PUT", "/v1/artworks/stored/1x1?wait=28", copy("stored")))
        session = {"application": "bench", "content": {"kind": "music", "title": "Stored"}, "artwork": {"1x1": "stored"}}
        must(service.ask("PUT", "/v1/sessions/queue", session))
        size = 100
        for name in ("running", "started again"):
            if name != "running":
                service.stop()
                os.utime(folder / "store/leases" / next(os.walk(folder / "store/leases"))[1][0] / "video.mp4")
                service = Service(folder)
            answers, ready = [], {}
            hear(service, ready)
            threads = take_in(service, name[0], answers)
            time.sleep(0.5)
            start = time.monotonic()
            must(service.ask("POST", "/v1/sessions/queue/artwork/1x1/video?wait=28", {"width": 1080, "height": 1080}))
            lease, times = (time.monotonic() - start) * 1e3, []
            for _ in range(requests):
                size, start = size + 1, time.monotonic()
                status, _ = ask(service.socket, "GET", f"/v1/artworks/stored/1x1/preview?width={size}&wait=28")
                times.append(time.monotonic() - start)
                if status != 200:
                    raise BenchError(f"a preview got {status}")
            waiting = sum(thread.is_alive() for thread in threads)
            for thread in threads:
                thread.join()
            late = sum(status != 201 for _, status, _ in answers)
            delays = [(when - ready[put]) * 1e3 for put, status, when in answers if status == 201 and put in ready]
            print(f"- {name}: previews 99 % within {judged(f'{percentile(times):.1f} ms', percentile(times) <= 100)}, "
                  f"lease after {judged(f'{lease:.1f} ms', lease <= 150)} ({waiting} PUTs still waited); answers at most "
                  f"{max(delays, default=0):.0f} ms after `ready`, {late} not 201", flush=True)
    finally:
        service.stop()


def main():
    parser = Parser(__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--real-time", action="store_true", help="for nginx and reads: nothing else runs")
    parser.add_argument("--only", help="sections: nginx, neighbour, crowd, million, reads, queue")
    options = parser.parse_args()
    sections = options.only.split(",") if options.only else ["nginx", "neighbour", "crowd", "million", "reads", "queue"]
    for tool in ("wrk", "nginx", "ffmpeg"):
        if not shutil.which(tool):
            raise BenchError(f"{tool} is not installed")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    # Short: a socket's path has little room.
    folder = Path(tempfile.mkdtemp(prefix="artworkd-"))
    service = None
    try:
        service = TCPService(folder)
        found = previews(service, folder) if set(sections) - {"reads", "queue"} else {SIZES[0]: ("", b"")}
        print(f"# artworkd serve\n\n{os.cpu_count()} processors, wrk on the same machine with 1 thread and 16 connections, "
              "loopback TCP")
        target = found[SIZES[0]][0]
        if "nginx" in sections:
            runs = (1, 5) if options.real_time else (2, 1) if options.quick else (8, 5)
            beside_nginx(service, folder, found, *runs, options.real_time)
        if "neighbour" in sections:
            neighbour(service, target, 2000, 3 if options.quick else 15)
        if "crowd" in sections:
            crowd(service, target, *((500, 50, 5) if options.quick else (10_000, 500, 30)))
        if "reads" in sections:
            reads(service, folder, *((256, 1) if options.quick else (1900, 3)), options.real_time)
        if "queue" in sections:
            queue(folder, *((4, 50) if options.quick else (12, 200)))
        if "million" in sections:
            million(service, target, 10_000 if options.quick else 1_000_000)
    finally:
        if service:
            service.stop()
        shutil.rmtree(folder)


if __name__ == "__main__":
    try:
        main()
    except (BenchError, subprocess.SubprocessError) as error:
        print(f"service: {error}", file=sys.stderr)
        sys.exit(1)
