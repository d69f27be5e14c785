"use strict";
// Requests to the service, with the token.

const token = takeToken();

// From the address into the tab's memory, so that it is neither bookmarked nor shown.
function takeToken() {
  const given = /(?:^#|&)token=([^&]+)/.exec(location.hash);
  if (given) {
    sessionStorage.setItem("token", decodeURIComponent(given[1]));
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("token");
}

// A fragment alone does not load the page again.
addEventListener("hashchange", () => location.reload());

// Only this script sends the token. A cookie would also go to other users' servers: those on other ports of this host.
async function ask(path, options = {}) {
  const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(path, { ...options, headers });
  if (response.ok) return response;
  let detail = `${path}: ${response.status}`;
  try {
    detail = (await response.json()).detail ?? detail;
  } catch {
    // Not a problem document.
  }
  throw Object.assign(new Error(detail), { status: response.status });
}

const get = async (path) => (await ask(path, { headers: { Accept: "application/json" } })).json();

// Elements cannot send the token either, so they get their bytes from memory.
async function load(element, path, signal) {
  const bytes = await (await ask(path, { signal })).blob();
  unload(element);
  element.src = URL.createObjectURL(bytes);
}

function unload(element) {
  URL.revokeObjectURL(element.src);
  element.removeAttribute("src");
}

// Calls `hear` with the name and the data of each event, in the forms that the service sends (HTML Living Standard, 9.2.6),
// until the stream ends. An EventSource cannot send the token.
async function listen(path, hear) {
  const response = await ask(path, { headers: { Accept: "text/event-stream" } });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const messages = (text + part.value).split("\n\n");
    text = messages.pop();
    for (const message of messages) {
      const name = /^event: (.*)$/m.exec(message)?.[1];
      if (name) hear(name, /^data: (.*)$/m.exec(message)?.[1]);
    }
  }
}
