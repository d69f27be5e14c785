"use strict";
// The controls of the shown session: buttons for the commands that it offers, the scrubber, and the keyboard.

const icons = {
  play: "M8 5v14l11-7z", pause: "M7 5h4v14H7zM13 5h4v14h-4z", stop: "M6 6h12v12H6z",
  next: "M5 5v14l9-7zM16 5h3v14h-3z", previous: "M19 5v14l-9-7zM5 5h3v14H5z",
  skipForward: "M12 5V1l5 5-5 5V7a5 5 0 1 0 5 5h2a7 7 0 1 1-7-7z", skipBackward: "M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z",
  shuffle: "M4 6h4l9 11h3v2h-4L7 8H4zM4 17h3l2-3 1 2-2 3H4zM14 9l2-3h4v2h-3l-2 3z",
  repeat: "M7 7h9V4l4 4-4 4V9H9v3H7zM17 17H8v3l-4-4 4-4v3h7v-3h2z",
  like: "M12 20l-1-1C6 14 3 11 3 8a4.500 4.500 0 0 1 9-1 4.500 4.500 0 0 1 9 1c0 3-3 6-8 11z",
  dislike: "M4 5.400L5.400 4 20 18.600 18.600 20zM12 20C6 14 3 11 3 8l9 12zM21 8c0 2-1 4-4 7L10 8a4.500 4.500 0 0 1 11 0z",
  bookmark: "M6 3h12v18l-6-4-6 4z",
};

const commandTitles = {
  play: "Play", pause: "Pause", stop: "Stop", next: "Next", previous: "Previous", like: "Like", dislike: "Dislike", bookmark: "Bookmark",
};
const repeats = { off: ["all", "Repeat is off"], all: ["one", "Repeats all"], one: ["off", "Repeats one"] };
const shuffles = { off: ["items", "Shuffle is off"], items: ["off", "Shuffles items"], collections: ["off", "Shuffles collections"] };

// The session that is shown, with its commands.
function shownSession() {
  const shown = state.nowPlaying?.shown;
  return shown && state.nowPlaying.sessions.find((one) => one.id === shown.sessionID && one.application === shown.application);
}

async function command(name, fields = {}) {
  const session = shownSession();
  if (!session) return;
  const path = `v1/sessions/${encodeURIComponent(session.id)}/commands?application=${encodeURIComponent(session.application)}`;
  try {
    const answer = await ask(path, { method: "POST", body: JSON.stringify({ command: name, ...fields }), headers: { "Content-Type": "application/json" } });
    const { status, message } = await answer.json();
    notify(status === "success" ? null : message ?? `The player answered: ${status}.`, true);
  } catch (error) {
    notify(error.status ? error.message : "The service did not respond.", true);
  }
}

function icon(name) {
  const [picture, shape] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("aria-hidden", "true");
  shape.setAttribute("d", icons[name]);
  picture.append(shape);
  return picture;
}

// Each control: its place, what it looks like, and what it asks for.
function controls(session) {
  const offers = session?.commands ?? {};
  const playback = state.nowPlaying?.shown?.playback;
  const isAd = Boolean(adNow());
  const isLive = playback?.durationKind === "live";
  const isEnabled = (name) => Boolean(offers[name]) && offers[name].enabled !== false && !(isAd && offers[name].enabledInAds === false)
    && !(isLive && name.startsWith("skip"));
  const list = [];
  const add = (name, row, title, picture, act, more) => {
    if (offers[name]) list.push({ name, row, title, icon: picture, act, isEnabled: isEnabled(name), ...more });
  };
  const simple = (name, row, more) => add(name, row, commandTitles[name], name, {}, more);
  const choice = (name, modes, picture) => {
    const mode = offers[name]?.mode ?? "off";
    add(name, "main", modes[mode][1], picture, { mode: modes[mode][0] }, { isOn: mode !== "off", mark: mode === "one" ? "1" : "" });
  };
  const skip = (name, word) => {
    const seconds = offers[name]?.preferredIntervals?.[0];
    add(name, "main", seconds ? `Skip ${word} ${seconds} s` : `Skip ${word}`, name, {}, { mark: seconds ?? "" });
  };
  choice("changeShuffleMode", shuffles, "shuffle");
  simple("previous", "main");
  skip("skipBackward", "back");
  const toggle = toggled(session);
  if (toggle) list.push({ name: toggle.command, row: "main", title: commandTitles[toggle.icon], icon: toggle.icon, act: {}, isMain: true, isEnabled: isEnabled(toggle.command) });
  skip("skipForward", "ahead");
  simple("next", "main");
  choice("changeRepeatMode", repeats, "repeat");
  simple("stop", "more");
  for (const name of ["like", "dislike", "bookmark"]) {
    const isOn = offers[name]?.active === true;
    add(name, "more", isOn ? `${commandTitles[name]}: on` : commandTitles[name], name, { active: !isOn }, { isOn });
  }
  const choices = (name, field, values, present) => values.map(([value, text]) => (
    { text, value: JSON.stringify(value), isOn: value === present, isEnabled: isEnabled(name), command: name, act: { [field]: value } }));
  // Where no entry is what is on now, one for that comes first: a select otherwise shows its first entry as if it were on, and
  // does not tell when that is chosen.
  const select = (name, title, entries, present) => {
    if (!offers[name] || !entries.length) return;
    if (!entries.some((one) => one.isOn)) entries.unshift({ text: present, value: "", isOn: true });
    list.push({ name, row: "more", title, entries, isEnabled: entries.some((one) => one.isEnabled) });
  };
  const rates = offers.changePlaybackRate?.supportedRates ?? [];
  const rate = playback?.rate ?? offers.changePlaybackRate?.rate ?? 1;
  select("changePlaybackRate", "Rate", choices("changePlaybackRate", "rate", (rates.length ? rates : [0.5, 0.75, 1, 1.25, 1.5, 2]).map((one) => [one, `${one}×`]), rate), `${rate}×`);
  const most = offers.rating?.maximum ?? 5;
  const stars = Math.floor(most);
  const step = Math.max(1, Math.ceil(stars / 10));
  const rated = offers.rating?.rating ?? 0;
  select("rating", "Rating", choices("rating", "rating", Array.from({ length: Math.floor(stars / step) + 1 }, (_, count) => [count * step, `${count * step} of ${most}`]), rated), `${rated} of ${most}`);
  const languages = offers.enableLanguageOption?.options ?? [];
  const language = [...languages, ...(offers.disableLanguageOption?.options ?? [])].find((one) => one.active);
  const spoken = choices("enableLanguageOption", "option", languages.map(({ id, name }) => [id, name]), language?.id);
  if (language && offers.disableLanguageOption) {
    spoken.unshift({ text: "Off", value: "off", isOn: false, isEnabled: isEnabled("disableLanguageOption"), command: "disableLanguageOption", act: { option: language.id } });
  }
  select(offers.enableLanguageOption ? "enableLanguageOption" : "disableLanguageOption", "Language", spoken, language?.name ?? "Off");
  return list;
}

// What the large button does.
function toggled(session) {
  const offers = session?.commands ?? {};
  const isPlaying = ["playing", "buffering"].includes(session?.playback?.state);
  const wanted = isPlaying ? "pause" : "play";
  const name = offers[wanted] ? wanted : offers.togglePlayPause ? "togglePlayPause" : null;
  return name && { command: name, icon: wanted };
}

function adNow() {
  const playback = state.nowPlaying?.shown?.playback;
  return playback && ads(playback).find((part) => positionNow(playback) >= part.from && positionNow(playback) < part.to);
}

// Drawn anew only when something differs, so that the keyboard's place stays.
function drawControls() {
  const session = shownSession();
  const list = controls(session);
  const panel = byID("controls");
  const wanted = JSON.stringify(list);
  if (panel.dataset.drawn !== wanted) {
    panel.dataset.drawn = wanted;
    const focused = panel.contains(document.activeElement) ? document.activeElement.dataset.name : null;
    for (const row of ["main", "more"]) {
      byID(`controls-${row}`).replaceChildren(...list.filter((one) => one.row === row).map(one => one.entries ? picker(one) : button(one)));
    }
    if (focused) panel.querySelector(`[data-name="${focused}"]`)?.focus();
    panel.hidden = !list.length;
  }
  drawScrubber(session);
}

function button(control) {
  const element = make("button", [control.isMain ? "large" : "", control.isOn ? "on" : ""].join(" ").trim());
  element.type = "button";
  element.dataset.name = control.isMain ? "toggle" : control.name;
  element.disabled = !control.isEnabled;
  element.title = control.title;
  element.setAttribute("aria-label", control.title);
  if (control.isOn !== undefined) element.setAttribute("aria-pressed", String(control.isOn));
  element.append(icon(control.icon));
  if (control.mark) element.append(make("span", "mark", String(control.mark)));
  element.addEventListener("click", () => command(control.name, control.act));
  return element;
}

function picker(control) {
  const label = make("label", "", control.title);
  const select = make("select");
  select.dataset.name = control.name;
  select.disabled = !control.isEnabled;
  for (const entry of control.entries) {
    const option = make("option", "", entry.text);
    option.value = entry.value;
    option.selected = entry.isOn;
    option.disabled = !entry.isOn && !entry.isEnabled;
    select.append(option);
  }
  select.addEventListener("change", async () => {
    const entry = control.entries[select.selectedIndex];
    if (entry.command) await command(entry.command, entry.act);
    // What is on shows in the session, whatever the player answered.
    select.selectedIndex = control.entries.findIndex((one) => one.isOn);
  });
  label.append(select);
  return label;
}

// MARK: The scrubber

// A position is sent when the thumb is let go, not while it is dragged.
let isDragging = false;

function drawScrubber(session) {
  const scrubber = byID("scrubber");
  const playback = state.nowPlaying?.shown?.playback;
  const total = playback?.durationSeconds ?? 0;
  const offer = session?.commands?.seekToPosition;
  scrubber.hidden = !offer || total <= 0;
  scrubber.disabled = !offer || offer.enabled === false || (offer.enabledInAds === false && Boolean(adNow()));
  if (scrubber.hidden || isDragging) return;
  scrubber.max = String(total);
  scrubber.value = String(positionNow(playback));
  scrubber.setAttribute("aria-valuetext", byID("bar").getAttribute("aria-valuetext") ?? "");
}

byID("scrubber").addEventListener("input", () => {
  isDragging = true;
  byID("elapsed").textContent = clock(netPlace(state.nowPlaying.shown.playback, Number(byID("scrubber").value)));
});
byID("scrubber").addEventListener("change", () => {
  isDragging = false;
  command("seekToPosition", { position: Number(byID("scrubber").value) });
});

// MARK: The keyboard

const keys = { " ": "toggle", k: "toggle", j: "skipBackward", l: "skipForward", n: "next", p: "previous" };

addEventListener("keydown", (event) => {
  const isTaken = event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey
    || event.target.closest("input:not(#scrubber), select, textarea");
  const isPressed = event.key === " " && event.target.closest("button, a");
  const name = keys[event.key];
  if (isTaken || isPressed || !name) return;
  const target = byID("controls").querySelector(`[data-name="${name}"]`);
  if (!target) return;
  event.preventDefault();
  target.click();
});
