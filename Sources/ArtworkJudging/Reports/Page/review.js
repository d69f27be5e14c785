// What a person thought of the videos: accepted, or rejected. The browser remembers it; approved.json holds it for others.

/// By SHA-256: whether it was accepted, and when.
const reviews = new Map(Object.entries(remembered('artworkd-reviews') ?? {}));

function remembered(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return undefined;
  }
}

function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Then only the file holds it.
  }
}

/// - Returns: undefined unless all its videos were accepted, or one was rejected.
function reviewOf(card) {
  const all = card.members.map(({ sha256 }) => reviews.get(sha256)?.accepted);
  if (all.includes(false)) return false;
  return all.every((one) => one === true) ? true : undefined;
}

/// Accepts or rejects the current card, and goes on to the next. The same key again takes it back.
function review(accepted) {
  const card = document.activeElement?.closest?.('.card')?.card ?? state.current ?? sorted(state.shownCards)[0];
  if (!card?.isShown) return;
  const videos = card.members.filter(({ sha256 }) => sha256);
  if (videos.length === 0) return announce('There is no video to judge.');
  const isTakenBack = reviewOf(card) === accepted;
  for (const { sha256 } of videos) {
    if (isTakenBack) reviews.delete(sha256); else reviews.set(sha256, { accepted, when: new Date().toISOString() });
  }
  remember('artworkd-reviews', Object.fromEntries(reviews));
  card.showReview();
  showReviews();
  announce(`${cardName(card)}: ${isTakenBack ? 'not judged' : accepted ? 'accepted' : 'rejected'}`);
  if (isTakenBack) return choose(card);
  const shown = sorted(state.shownCards);
  choose(shown[Math.min(shown.length - 1, shown.indexOf(card) + 1)]);
}

/// The list of accepted and rejected videos of this page, as `artworkd check --approved` reads it.
function approvedList() {
  const who = element('who').value.trim();
  const entries = data.candidates.flatMap(({ result, sha256 }) => {
    const one = reviews.get(sha256);
    return one ? [{ accepted: one.accepted, path: result.path, sha256, who, when: one.when }] : [];
  });
  const list = (accepted) => entries.filter((one) => one.accepted === accepted).map(({ path, sha256, who: name, when }) => ({ path, sha256, who: name, when }));
  return `${JSON.stringify({ schemaVersion: 1, approved: list(true), rejected: list(false) }, null, 2)}\n`;
}

function saveReviews() {
  const link = make('a');
  link.href = URL.createObjectURL(new Blob([approvedList()], { type: 'application/json' }));
  link.download = 'approved.json';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/// Where nothing was repaired, it comes with the first judgement.
function showReviews() {
  element('review').hidden = !data.candidates.some(({ before, sha256 }) => before || reviews.has(sha256));
  const count = (verdict) => cards.filter((card) => reviewOf(card) === verdict).length;
  element('looked').textContent = `${count(true)} accepted, ${count(false)} rejected, ${count(undefined)} not looked at`;
  const isNew = cards.every((card) => reviewOf(card) === undefined);
  element('save').disabled = isNew;
}

function buildReview() {
  const box = element('review');
  const who = make('input');
  who.id = 'who';
  who.placeholder = 'your name';
  who.autocomplete = 'name';
  who.value = remembered('artworkd-who') ?? '';
  who.addEventListener('change', () => remember('artworkd-who', who.value));
  const label = make('label', '', 'Looked at by ');
  label.append(who);
  const save = make('button', '', 'Save approved.json');
  save.id = 'save';
  save.type = 'button';
  save.addEventListener('click', saveReviews);
  const count = make('span', 'looked');
  count.id = 'looked';
  const hint = make('span', 'hint');
  hint.append(make('kbd', '', 'a'), ' accepts, ', make('kbd', '', 'r'), ' rejects the current card');
  box.replaceChildren(count, hint, label, save);
  showReviews();
}
