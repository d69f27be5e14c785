"use strict";
// The panels beside the lock screen: the device's conditions, sessions, leases and the store.

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// A list that is drawn anew keeps the keyboard's place in it.
function fill(list, items, none) {
  const absence = state.lacksToken ? "Not known without the token." : none;
  const wanted = JSON.stringify([absence, ...items.map((item) => item.identity)]);
  if (list.dataset.drawn === wanted) return;
  const focused = list.contains(document.activeElement) ? document.activeElement.dataset.act : null;
  list.dataset.drawn = wanted;
  list.replaceChildren(...(items.length ? items.map((item) => item.draw()) : [make("li", "none", absence)]));
  if (focused) [...list.querySelectorAll("[data-act]")].find((button) => button.dataset.act === focused)?.focus();
}

const toggles = [["lowPower", "Low power"], ["lowData", "Low data"], ["reduceMotion", "Reduce motion"], ["autoPlayOff", "Auto-play off"]];

function drawConditions() {
  const conditions = state.nowPlaying?.conditions;
  const panel = byID("conditions");
  if (!panel.children.length) buildConditions(panel);
  for (const field of panel.querySelectorAll("[data-name]")) {
    field.disabled = !conditions;
    if (!conditions || field === document.activeElement && field.tagName === "SELECT") continue;
    if (field.tagName === "SELECT") field.value = conditions.thermal;
    else if (field.dataset.key) field.checked = conditions.supportedKeys.includes(field.dataset.key);
    else field.checked = Boolean(conditions[field.dataset.name]);
  }
}

function buildConditions(panel) {
  const box = (name, text, key) => {
    const label = make("label");
    const input = make("input");
    input.type = "checkbox";
    input.dataset.name = name;
    if (key) input.dataset.key = key;
    input.addEventListener("change", sendConditions);
    label.append(input, make("span", "", text));
    panel.append(label);
  };
  for (const [name, text] of toggles) box(name, text);
  for (const key of ["1x1", "3x4"]) box("supportedKeys", `Shows ${key}`, key);
  const label = make("label");
  const select = make("select");
  select.dataset.name = "thermal";
  for (const level of ["nominal", "fair", "serious", "critical"]) select.append(make("option", "", level));
  select.addEventListener("change", sendConditions);
  label.append(make("span", "", "Thermal"), select);
  panel.append(label);
}

function sendConditions() {
  const wanted = { supportedKeys: [] };
  for (const field of byID("conditions").querySelectorAll("[data-name]")) {
    if (field.tagName === "SELECT") wanted.thermal = field.value;
    else if (!field.dataset.key) wanted[field.dataset.name] = field.checked;
    else if (field.checked) wanted.supportedKeys.push(field.dataset.key);
  }
  send("PUT", "v1/conditions", wanted);
}

function drawSessions() {
  const sessions = state.nowPlaying?.sessions ?? [];
  byID("session-count").textContent = sessions.length || "";
  fill(byID("sessions"), sessions.map((session) => ({ identity: session, draw: () => sessionRow(session) })), "No session is active.");
}

function sessionRow(session) {
  const row = make("li", "wraps");
  const text = make("div", "grow");
  text.append(make("div", "name", session.content?.title ?? session.application));
  const published = Object.entries(session.artwork ?? {}).map(([key, id]) => `${key}: ${id}`);
  text.append(make("div", "detail", [session.application, session.id, ...published].join(" · ")));
  if (session.notShown) text.append(make("div", "detail", session.notShown.message));
  const acts = make("div", "acts");
  for (const [scope, isOne] of [["application", session.isApplicationPrimary], ["system", session.isSystemPrimary]]) {
    if (isOne) {
      acts.append(make("span", "mark", `${scope} primary`));
      continue;
    }
    const button = make("button", "", `Make ${scope} primary`);
    button.type = "button";
    button.dataset.act = `${scope} ${session.id}`;
    const [id, application] = [session.id, session.application].map(encodeURIComponent);
    button.addEventListener("click",
      () => send("POST", `v1/sessions/${id}/primary?application=${application}`, { scope }));
    acts.append(button);
  }
  row.append(text, acts);
  return row;
}

function drawLeases() {
  byID("lease-count").textContent = state.leases.length || "";
  fill(byID("leases"), state.leases.map((lease) => ({ identity: lease, draw: () => leaseRow(lease) })), "No leases.");
}

// A path that breaks after its slashes; only a name that is wider than its line breaks within.
function pathText(className, path) {
  const line = make("div", `${className} path`);
  for (const part of path.split(/(?<=[/])/)) line.append(part, document.createElement("wbr"));
  return line;
}

// The path of a file URL, if its bytes are text.
function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url;
  }
}

function leaseRow(lease) {
  const row = make("li");
  const text = make("div", "grow");
  text.append(make("div", "name", `${lease.artworkID} ${lease.key}`));
  const owner = lease.owner?.process ? ` · process ${lease.owner.process}` : "";
  text.append(make("div", "detail", `held by ${lease.sessionID}${owner}`));
  text.append(pathText("detail", pathOf(lease.url)));
  row.append(text, make("div", "right", bytes(lease.bytes)));
  return row;
}

function bytes(count) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let power = 0;
  while (count >= 1024 && power < units.length - 1) [count, power] = [count / 1024, power + 1];
  return `${power ? count.toFixed(1) : count} ${units[power]}`;
}

const mostArtworks = 100;

function drawStore() {
  const usage = state.usage;
  byID("store-count").textContent = state.artworks.length || "";
  const part = (count) => (usage?.byteBudget ? `${Math.min(100, (100 * count) / usage.byteBudget).toFixed(2)}%` : "0");
  byID("budget").querySelector(".leased").style.width = part(usage?.leasedBytes ?? 0);
  byID("budget").querySelector(".kept").style.width = part((usage?.bytes ?? 0) - (usage?.leasedBytes ?? 0));
  const told = usage ? `${bytes(usage.bytes)} of ${bytes(usage.byteBudget)}, ${bytes(usage.leasedBytes)} of them leased` : "";
  byID("budget-text").textContent = told;
  byID("budget").setAttribute("aria-label", told);
  const shown = state.artworks.slice(0, mostArtworks);
  const items = shown.map((artwork) => ({ identity: artwork, draw: () => artworkRow(artwork) }));
  const more = state.artworks.length - shown.length;
  if (more > 0) items.push({ identity: more, draw: () => make("li", "none", `and ${more} more`) });
  fill(byID("artworks"), items, "Nothing is stored.");
}

// Loads them when they come into view.
const thumbs = new IntersectionObserver((seen) => {
  for (const { target } of seen.filter((one) => one.isIntersecting)) {
    thumbs.unobserve(target);
    load(target, target.dataset.path).catch(() => {});
  }
});

function artworkRow(artwork) {
  const row = make("li");
  if (artwork.status === "ready") {
    const thumb = make("img", "thumb");
    thumb.alt = "";
    thumb.dataset.path = `${address(artwork.artworkID, artwork.key, "preview")}?height=128`;
    thumb.addEventListener("load", () => URL.revokeObjectURL(thumb.src));
    thumbs.observe(thumb);
    row.append(thumb);
  } else {
    row.append(make("span", "thumb"));
  }
  const text = make("div", "grow");
  text.append(make("div", "name", `${artwork.artworkID} ${artwork.key}`));
  const problem = artwork.error?.message;
  text.append(problem ? make("div", "detail refused", problem) : pathText("detail", artwork.source?.url ?? artwork.source?.path ?? ""));
  const figures = [artwork.bytes ? bytes(artwork.bytes) : "", artwork.leases ? `${artwork.leases} leased` : artwork.status];
  row.append(text, make("div", "right", figures.filter(Boolean).join(" · ")));
  return row;
}
