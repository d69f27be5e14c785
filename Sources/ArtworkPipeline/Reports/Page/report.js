const data = JSON.parse(document.getElementById('data').textContent);
const element = (id) => document.getElementById(id);
const state = { verdicts: new Set(), words: [], rule: '', profile: '', sort: 'worst', order: '' };
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');
let paused = calm.matches;

// Only videos near the window have a source and play.

function loadPictures(card) {
  for (const image of card.querySelectorAll('img')) {
    if (image.lazySource && !image.src) image.src = image.lazySource;
  }
}

function play(video) {
  // If the browser refuses, the video stays paused with its button.
  video.element.play().catch(() => {});
}

function comeNear(candidate) {
  loadPictures(candidate.card);
  const video = candidate.video;
  if (!video.element) return;
  if (!video.element.hasAttribute('src')) video.element.src = video.source;
  if (!(video.isPaused ?? paused)) play(video);
}

function goAway(candidate) {
  const video = candidate.video;
  if (!video.element?.hasAttribute('src')) return;
  video.element.pause();
  video.element.removeAttribute('src');
  video.element.load();
  video.element.parentElement.classList.remove('moving');
}

const near = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const candidate = data.candidates[Number(entry.target.id.slice(1))];
    candidate.isNear = entry.isIntersecting;
    if (entry.isIntersecting) comeNear(candidate); else goAway(candidate);
  }
}, { rootMargin: '150px 0px' });

function connect(candidate) {
  near.observe(candidate.card);
  const video = candidate.video;
  video.button?.addEventListener('click', () => {
    video.isPaused = !video.element.paused;
    if (video.isPaused) video.element.pause(); else play(video);
  });
}

function setPaused(now) {
  paused = now;
  element('motion').textContent = paused ? 'Play videos' : 'Pause videos';
  for (const candidate of data.candidates) {
    const video = candidate.video;
    video.isPaused = undefined;
    if (!video.element?.hasAttribute('src')) continue;
    if (paused) video.element.pause(); else if (candidate.isNear) play(video);
  }
}

// Filter and sort, in one pass.

const orders = {
  worst: (a, b) => ranks[a.verdict] - ranks[b.verdict] || b.errors - a.errors || b.warnings - a.warnings,
  verdict: (a, b) => ranks[b.verdict] - ranks[a.verdict],
  path: () => 0,
  size: (a, b) => (b.result.facts?.fileBytes ?? -1) - (a.result.facts?.fileBytes ?? -1),
  duration: (a, b) => (b.result.facts?.durationSeconds ?? -1) - (a.result.facts?.durationSeconds ?? -1),
};

function judge(candidate) {
  candidate.verdict = verdictOf(candidate, state.profile);
  const found = candidate.result.findings.filter((finding) => !state.profile || finding.profile === state.profile);
  candidate.errors = found.filter((finding) => finding.severity === 'error').length;
  candidate.warnings = found.filter((finding) => finding.severity === 'warning').length;
  candidate.rules = new Set(found.map((finding) => finding.rule));
  if (candidate.result.error) candidate.rules.add(candidate.result.error.code);
}

function matches(candidate) {
  return (!state.rule || candidate.rules.has(state.rule)) && state.words.every((word) => candidate.text.includes(word));
}

function apply() {
  const counts = { pass: 0, warn: 0, fail: 0, error: 0 };
  let shown = 0;
  for (const candidate of data.candidates) {
    const fits = matches(candidate);
    if (fits) counts[candidate.verdict] += 1;
    const isShown = fits && (state.verdicts.size === 0 || state.verdicts.has(candidate.verdict));
    if (isShown) shown += 1;
    candidate.card.hidden = !isShown;
    if (candidate.row) candidate.row.hidden = !isShown;
  }
  for (const button of element('verdicts').children) {
    button.querySelector('b').textContent = counts[button.dataset.verdict];
    button.setAttribute('aria-pressed', String(state.verdicts.has(button.dataset.verdict)));
  }
  const order = `${state.sort} ${state.profile}`;
  if (order !== state.order) {
    state.order = order;
    const sorted = data.candidates.toSorted((a, b) => orders[state.sort](a, b) || a.place - b.place);
    element('cards').replaceChildren(...sorted.map((candidate) => candidate.card), empty);
    element('matrix').querySelector('tbody')?.replaceChildren(...sorted.map((candidate) => candidate.row));
  }
  empty.hidden = shown > 0;
  empty.textContent = data.candidates.length === 0 ? 'No candidate videos were found.' : 'No candidates match the filters.';
  const total = data.candidates.length;
  element('shown').textContent = shown === total ? `${total} shown` : `${shown} of ${total} shown`;
}

function chooseProfile(name) {
  state.profile = name;
  for (const candidate of data.candidates) {
    judge(candidate);
    candidate.show(name);
  }
  apply();
}

// The parts around the cards.

function option(value, text) {
  const choice = make('option', '', text);
  choice.value = value;
  return choice;
}

function buildTools() {
  for (const verdict of ['error', 'fail', 'warn', 'pass']) {
    const button = make('button', verdict);
    button.type = 'button';
    button.dataset.verdict = verdict;
    button.append(make('b', '', '0'), ` ${verdict}`);
    button.addEventListener('click', () => {
      if (!state.verdicts.delete(verdict)) state.verdicts.add(verdict);
      apply();
    });
    element('verdicts').append(button);
  }
  const rules = new Map();
  for (const candidate of data.candidates) {
    for (const rule of candidate.rules) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  }
  element('rule').append(option('', 'all rules'));
  for (const [rule, count] of [...rules].sort()) element('rule').append(option(rule, `${rule} (${count})`));
  element('rule').addEventListener('change', (event) => { state.rule = event.target.value; apply(); });
  element('profile-label').hidden = data.profiles.length < 2;
  element('profile').append(option('', 'all profiles'), ...data.profiles.map(({ name, title }) => option(name, title)));
  element('profile').addEventListener('change', (event) => chooseProfile(event.target.value));
  element('sort').addEventListener('change', (event) => { state.sort = event.target.value; apply(); });
  let waiting = 0;
  element('search').addEventListener('input', (event) => {
    state.words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(apply);
  });
  document.querySelector('form').addEventListener('submit', (event) => event.preventDefault());
}

/// The folders that all candidates share, with the last slash.
function sharedFolder() {
  const folders = data.candidates.map(({ result }) => result.path.split('/').slice(0, -1));
  let count = Math.min(...folders.map((parts) => parts.length));
  while (folders.some((parts) => parts.slice(0, count).join('/') !== folders[0].slice(0, count).join('/'))) count -= 1;
  return folders[0].slice(0, count).map((part) => `${part}/`).join('');
}

function buildMatrix() {
  if (data.profiles.length < 2 || data.candidates.length === 0) return;
  const matrix = element('matrix');
  matrix.hidden = false;
  matrix.open = data.candidates.length <= 40;
  const heading = make('tr');
  const corner = make('th', '', 'candidate');
  corner.scope = 'col';
  heading.append(corner);
  for (const profile of data.profiles) {
    const cell = make('th', '', profile.name);
    cell.scope = 'col';
    cell.title = profile.title;
    heading.append(cell);
  }
  const head = make('thead');
  head.append(heading);
  const shared = sharedFolder().length;
  for (const candidate of data.candidates) {
    const link = make('a', '', printable(candidate.result.path.slice(shared)));
    link.title = printable(candidate.result.path);
    link.href = `#${candidate.card.id}`;
    const name = make('th');
    name.scope = 'row';
    name.append(link);
    candidate.row = make('tr');
    candidate.row.append(name, ...data.profiles.map(({ name: profile }) => matrixCell(candidate, profile)));
  }
  matrix.querySelector('table').append(head, make('tbody'));
}

function matrixCell(candidate, profile) {
  if (!(profile in (candidate.result.destinations ?? {}))) return make('td', 'none', '–');
  const verdict = verdictOf(candidate, profile);
  const serious = grouped(candidate.result.findings, profile).filter((group) => group.severity !== 'info');
  const rules = candidate.result.error ? [candidate.result.error.code] : [...new Set(serious.map((group) => group.rule))];
  const cell = make('td');
  const link = make('a', verdict, marks[verdict]);
  link.href = `#${candidate.card.id}`;
  if (rules.length) link.append(` ${rules[0]}`);
  if (rules.length > 1) link.append(make('span', 'more', ` +${rules.length - 1}`));
  link.title = rules.length ? rules.join(', ') : verdict;
  if (!rules.length) link.setAttribute('aria-label', verdict);
  cell.append(link);
  return cell;
}

function describe() {
  const { summary, profiles } = data;
  const names = profiles.map((profile) => profile.title).join(', ');
  const parts = [`${summary.total} checked in ${decimal(summary.seconds, 2)} s`, `artworkd ${printable(data.toolVersion)}`];
  if (names) parts.splice(1, 0, `for ${printable(names)}`);
  element('about').textContent = parts.join(' · ');
  let known = 0;
  for (const { result } of data.candidates) known += (result.known?.length ?? 0) + (result.errorIsKnown ? 1 : 0);
  if (known) element('end').textContent = `${known} known finding${known === 1 ? '' : 's'} from the baseline: shown, but not counted.`;
  document.title = `Animated artwork: ${summary.fail + summary.error} of ${summary.total} fail`;
}

/// Remembers the choice if the browser allows it.
function buildTheme() {
  const themes = ['system', 'light', 'dark'];
  const remember = (value) => {
    try {
      return value ? localStorage.setItem('artworkd-theme', value) : localStorage.getItem('artworkd-theme');
    } catch {
      return null;
    }
  };
  const choose = (theme) => {
    document.documentElement.dataset.theme = theme;
    element('theme').textContent = `Theme: ${theme}`;
  };
  choose(themes.includes(remember()) ? remember() : 'system');
  element('theme').addEventListener('click', () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
    choose(next);
    remember(next);
  });
}

const empty = make('p', 'empty');
data.candidates.forEach((candidate, place) => {
  candidate.place = place;
  const { result } = candidate;
  const ids = [...result.findings, ...(result.known ?? [])].map((finding) => finding.rule);
  const words = [result.path, result.artworkID, result.key, result.error?.code, result.facts?.codec, result.seam?.verdict, ...ids];
  candidate.text = words.filter(Boolean).join('\n').toLowerCase();
  makeCard(candidate, place, data);
  if (!candidate.video.element) candidate.video = {};
  judge(candidate);
});
describe();
buildTheme();
buildTools();
buildMatrix();
chooseProfile('');
for (const candidate of data.candidates) connect(candidate);
setPaused(paused);
element('motion').addEventListener('click', () => setPaused(!paused));
calm.addEventListener('change', () => setPaused(calm.matches));
window.addEventListener('beforeprint', () => data.candidates.forEach((candidate) => loadPictures(candidate.card)));
