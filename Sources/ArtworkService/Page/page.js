"use strict";
// The Now Playing page: what a lock screen would show, from the service's events. All text is set as text.

const byID = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const state = { nowPlaying: null, received: 0, leases: [], artworks: [], usage: null, shape: "auto", stage: "", playsAnyway: false, lacksToken: false };

// MARK: The service

async function send(method, path, body) {
  try {
    await ask(path, { method, body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
    return notify(null);
  } catch (error) {
    if (error.status === 401) notify(tokenNeeded);
    else notify(error.status ? error.message : "The service did not respond; nothing was changed.", true);
  }
  refresh();
}

const tokenNeeded = "Open the address with #token=… that artworkd serve prints on a terminal. The token changes at each start, and is in the file named token beside the service's socket.";

function notify(text, isFailure = false) {
  const notice = byID("notice");
  notice.textContent = text ?? "";
  notice.hidden = !text;
  notice.classList.toggle("failure", isFailure);
}

// MARK: Events

let wait = 1;
let refreshing = null;
// Looks at everything: how many began, and the one that is shown.
let [looks, shownLook] = [0, 0];

async function connect() {
  try {
    await listen("v1/events", hear);
  } catch (error) {
    if (error.status === 401) {
      link("gone", "No valid token");
      notify(tokenNeeded);
      state.lacksToken = true;
      return take(null);
    }
  }
  const seconds = wait;
  wait = Math.min(30, wait * 2);
  link("gone", `Disconnected; retrying in ${seconds} s`);
  // What was playing may not be any more.
  take(null);
  setTimeout(connect, seconds * 1000);
}

function hear(name, data) {
  if (name === "now-playing") {
    wait = 1;
    link("live", "Live");
    take(JSON.parse(data));
  }
  refresh();
}

function link(kind, text) {
  byID("link").className = `link ${kind}`;
  byID("link").textContent = text;
}

// Many events come together: one look at everything serves them all. What comes late of an older look is not shown.
function refresh() {
  refreshing ??= setTimeout(async () => {
    refreshing = null;
    const look = ++looks;
    try {
      const [nowPlaying, leases, artworks] = await Promise.all([get("v1/now-playing"), get("v1/leases"), get("v1/artworks")]);
      if (look < shownLook) return;
      shownLook = look;
      Object.assign(state, { leases: leases.leases, artworks: artworks.artworks, usage: artworks.usage });
      take(nowPlaying);
    } catch {
      // The stream of events tells whether the service is there.
    }
  }, 80);
}

function take(nowPlaying) {
  Object.assign(state, { nowPlaying, received: performance.now() });
  if (!nowPlaying) Object.assign(state, { leases: [], artworks: [], usage: null });
  drawStage();
  drawConditions();
  drawSessions();
  drawLeases();
  drawStore();
}

// MARK: Artwork

const address = (id, key, what) => `v1/artworks/${encodeURIComponent(id)}/${encodeURIComponent(key)}/${what}`;

function shape(variants) {
  if (state.shape !== "auto") return state.shape;
  const isTall = innerWidth < innerHeight * 0.85;
  const usable = (key) => variants[key] && variants[key].show !== "cover";
  const wanted = isTall ? "3x4" : "1x1";
  const other = isTall ? "1x1" : "3x4";
  return !usable(wanted) && usable(other) ? other : wanted;
}

// Why the cover is shown of an artwork whose preview is not there yet: a request brings it.
const awaited = ["preparing", "low-power", "low-data", "thermal", "reduce-motion", "auto-play-off"];
const names = { video: "Video", preview: "Preview", cover: "Static cover" };

function drawStage() {
  const shown = state.nowPlaying?.shown;
  const variants = shown?.variants ?? {};
  const key = shape(variants);
  const variant = variants[key];
  const content = shown?.content;
  const title = said("title") ?? content?.title ?? (shown ? shown.application : state.lacksToken ? "No valid token" : "Nothing is playing");
  byID("application").textContent = shown ? [...new Set([shown.application, kinds[content?.kind]])].filter(Boolean).join(" · ") : "";
  byID("title").textContent = title;
  byID("subtitle").textContent = [said("subtitle") ?? content?.subtitle, content?.collection, said("content-rating") ?? content?.contentRating]
    .filter(Boolean).join(" — ");
  tellLine("credits", [content?.composer && `Composed by ${content.composer}`, content?.genre, content?.isExplicit && "Explicit"]
    .filter(Boolean).join(" — ") || null);
  tellLine("description", said("description") ?? content?.description);
  document.title = shown ? `${title} – Now Playing` : "Now Playing";
  byID("primary-reason").textContent = shown?.reason ?? "";
  const asked = variant?.show ?? "cover";
  const isHeld = asked === "video" && calm.matches && !state.playsAnyway;
  byID("shows").textContent = state.lacksToken ? "" : `${names[isHeld ? "preview" : asked]}${shown ? ` ${key}.` : "."}`;
  byID("reason").textContent = variant?.reason.message
    ?? (shown ? `The session publishes no ${key} artwork.` : state.nowPlaying ? "No session is active."
      : state.lacksToken ? "The service answers this page only with its token; the message above says where to find it."
        : "The service does not respond.");
  byID("play").hidden = !isHeld;
  tellBrowser(isHeld ? "Reduce Motion is on in this browser, so the video is paused here." : null);
  drawCover(title, shown);
  drawLayers(key, isHeld ? "preview" : asked, variant?.artworkID, shown?.cover, variant && awaited.includes(variant.reason.code));
  for (const button of document.querySelectorAll(".shapes button")) {
    button.setAttribute("aria-pressed", String(button.dataset.shape === state.shape));
  }
  tick();
}

const kinds = {
  music: "Music", podcast: "Podcast", movie: "Movie", "tv-show": "TV show", book: "Book", radio: "Radio", "home-media": "Home media",
};

// What the service has chosen of the metadata for the languages of this browser.
const said = (identifier) =>
  state.nowPlaying?.shown?.metadata?.find((item) => item.identifier === identifier && !item.dataType)?.value;

// The last choice for the cover.
const sentPicture = () => state.nowPlaying?.shown?.metadata?.find((item) => item.identifier === "artwork" && item.dataType);

function tellLine(id, text) {
  byID(id).textContent = text ?? "";
  byID(id).hidden = !text;
}

const tellBrowser = (text) => tellLine("browser", text);

function drawCover(title, shown) {
  const cover = byID("cover");
  let hue = 0;
  for (const character of title) hue = (hue * 31 + character.codePointAt(0)) % 360;
  cover.style.setProperty("--hue", hue);
  cover.classList.toggle("empty", !shown);
  cover.setAttribute("aria-label", shown ? `Static cover of ${title}` : "No artwork");
  const words = title.split(/\s+/).filter(Boolean);
  byID("cover-letters").textContent = shown ? words.slice(0, 2).map((word) => [...word][0]).join("").toUpperCase() : "–";
}

// An artworkID stands for its bytes: as long as it stays, so does the picture, and the video goes on.
let stageLoads = new AbortController();

function drawLayers(key, show, artworkID, cover, isAwaited) {
  const picture = show === "cover" ? cover : artworkID;
  const sent = show === "cover" && cover === undefined ? sentPicture() : undefined;
  const stage = JSON.stringify([key, show, picture, show === "cover" && isAwaited && artworkID, sent?.value]);
  if (stage === state.stage) return;
  state.stage = stage;
  const [screen, preview, video] = [byID("screen"), byID("preview"), byID("video")];
  screen.dataset.shape = key;
  screen.dataset.show = show;
  screen.classList.remove("moving");
  stageLoads.abort();
  stageLoads = new AbortController();
  const { signal } = stageLoads;
  video.pause();
  unload(video);
  video.load();
  video.hidden = true;
  preview.hidden = true;
  unload(preview);
  byID("backdrop").hidden = true;
  // Somebody looks: that brings what a system would ask for, and its event.
  if (show === "cover" && isAwaited) ask(`${address(artworkID, key, "preview")}?width=64&wait=28`, { signal }).catch(() => {});
  if (sent) {
    const bytes = Uint8Array.from(atob(sent.value), (character) => character.charCodeAt(0));
    preview.src = URL.createObjectURL(new Blob([bytes], { type: sent.dataType }));
    preview.alt = "Static cover";
  }
  if (picture === undefined) return;
  const pixels = Math.ceil((screen.clientWidth * devicePixelRatio) / 64) * 64;
  const part = show === "cover" ? "cover" : key;
  load(preview, `${address(picture, part, "preview")}?width=${Math.max(64, pixels)}`, signal).catch(() => {});
  preview.alt = show === "cover" ? "Static cover" : `First frame of the ${key} artwork`;
  if (show !== "video") return;
  video.hidden = false;
  video.muted = true;
  load(video, address(artworkID, key, "video"), signal).then(() => video.play()).catch(() => {});
}

byID("preview").addEventListener("load", () => {
  byID("preview").hidden = false;
  // The same picture, blurred, behind everything.
  byID("backdrop").src = byID("preview").src;
  byID("backdrop").hidden = false;
});
byID("preview").addEventListener("error", () => { byID("preview").hidden = true; });
byID("video").addEventListener("playing", () => byID("screen").classList.add("moving"));
byID("video").addEventListener("error", () => {
  if (!byID("video").getAttribute("src")) return;
  byID("video").hidden = true;
  tellBrowser("This browser cannot play the video, so its first frame is shown here.");
});

// MARK: Progress

function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${parts.join(":")}` : `${Number(parts[0])}:${parts[1]}`;
}

// Ranges of ads, in order and apart, within the item.
function ads(playback) {
  const end = playback.durationSeconds ?? Infinity;
  const merged = [];
  for (const part of [...(playback.adBreaks ?? [])].sort((a, b) => a.startSeconds - b.startSeconds)) {
    const [from, to] = [Math.max(0, part.startSeconds), Math.min(end, part.startSeconds + part.durationSeconds)];
    if (to <= from) continue;
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

// A place without the ads before it.
const netPlace = (playback, place) =>
  place - ads(playback).reduce((sum, part) => sum + Math.max(0, Math.min(place, part.to) - part.from), 0);

const rateNow = (playback) => (playback.state === "playing" ? (playback.rate ?? 1) : 0);

// Seconds from the beginning, ads included.
function positionNow(playback) {
  const passed = (rateNow(playback) * (performance.now() - state.received)) / 1000;
  return Math.min(playback.durationSeconds ?? Infinity, Math.max(0, playback.positionSeconds + passed));
}

const timeOfDay = new Intl.DateTimeFormat([], { hour: "numeric", minute: "2-digit" });

function tick() {
  byID("clock").textContent = timeOfDay.formatToParts().filter((part) => part.type !== "dayPeriod").map((part) => part.value).join("").trim();
  const playback = state.nowPlaying?.shown?.playback;
  byID("progress").hidden = !playback;
  drawControls();
  if (!playback) tellLine("chapter", null);
  const badge = byID("badge");
  badge.hidden = true;
  if (!playback) return;
  const moving = rateNow(playback);
  const total = playback.durationSeconds;
  const isLive = total === undefined || total === null;
  const endless = { continuous: "No end", live: "Live" }[playback.durationKind] ?? "";
  const position = positionNow(playback);
  const chapters = [...(state.nowPlaying.shown.content?.chapters ?? [])].sort((a, b) => a.startSeconds - b.startSeconds);
  tellLine("chapter", chapters.findLast((chapter) => chapter.startSeconds <= position)?.title);
  const breaks = ads(playback);
  const current = breaks.find((part) => position >= part.from && position < part.to);
  const without = (place) => netPlace(playback, place);
  // A player that goes on to nothing often says no more.
  const isFinished = !isLive && total > 0 && position >= total && playback.state !== "buffering";
  const rate = moving && moving !== 1 ? ` ×${moving}` : "";
  byID("state").textContent = isFinished ? "Finished" : states[playback.state] + rate;
  if (!isDragging) byID("elapsed").textContent = clock(without(position));
  byID("left").textContent = isLive ? "" : isFinished ? clock(without(total)) : `−${clock(without(total) - without(position))}`;
  const share = isLive || total <= 0 ? 0 : position / total;
  const bar = byID("bar");
  bar.classList.toggle("endless", isLive);
  byID("bar-done").style.width = isLive ? "" : `${(share * 100).toFixed(2)}%`;
  if (isLive) bar.removeAttribute("aria-valuenow");
  else bar.setAttribute("aria-valuenow", String(Math.round(share * 100)));
  bar.setAttribute("aria-valuetext", isLive ? endless || clock(without(position)) : isFinished ? "Finished" : `${clock(without(position))} of ${clock(without(total))}`);
  drawBreaks(bar, isLive ? [] : breaks, total);
  if (current || (isLive && endless)) {
    badge.hidden = false;
    badge.className = `badge ${current ? "ad" : endless === "Live" ? "live" : ""}`;
    badge.textContent = current ? `Ad · ${clock(current.to - position)} left` : endless;
  }
}

const states = { playing: "Playing", paused: "Paused", buffering: "Buffering", interrupted: "Interrupted" };

function drawBreaks(bar, breaks, total) {
  const wanted = JSON.stringify([breaks, total]);
  if (bar.dataset.breaks === wanted) return;
  bar.dataset.breaks = wanted;
  for (const old of bar.querySelectorAll(".break")) old.remove();
  for (const part of breaks) {
    const mark = make("div", "break");
    mark.style.left = `${(100 * part.from) / total}%`;
    mark.style.width = `${(100 * (part.to - part.from)) / total}%`;
    bar.append(mark);
  }
}

// MARK: Start

for (const button of document.querySelectorAll(".shapes button")) {
  button.addEventListener("click", () => {
    state.shape = button.dataset.shape;
    drawStage();
  });
}
byID("play").addEventListener("click", () => {
  state.playsAnyway = true;
  drawStage();
});
calm.addEventListener("change", drawStage);
addEventListener("resize", drawStage);
// All scripts are there.
addEventListener("DOMContentLoaded", () => {
  setInterval(tick, 250);
  notify(null);
  drawStage();
  drawConditions();
  connect();
});
