const data = JSON.parse(document.getElementById('data').textContent);
const element = (id) => document.getElementById(id);
const verdicts = { error: 'could not be read', fail: 'breaks a rule', warn: 'shows, but not everywhere or not well', pass: 'nothing to do' };
/// What is shown. The address holds what is not as it is at first, so that a view can be sent to others.
const state = { verdicts: new Set(), search: '', rule: '', profile: '', sort: 'fix', order: '', current: undefined };
const cards = makeCards(data);
const empty = make('p', 'empty');

// What can be done about a candidate, from the quickest remedy to none.

const remedies = ['Can be fixed with a command', 'Can be fixed in part with a command', 'Need a new export', 'Could not be read', 'Nothing to do'];
const headings = remedies.map((text) => {
  const heading = make('h2', 'remedy', text);
  heading.append(' ', make('span', 'count'));
  return heading;
});

function judge(candidate) {
  const { result } = candidate;
  const found = result.findings.filter((finding) => !state.profile || finding.profile === state.profile);
  candidate.verdict = verdictOf(candidate, state.profile);
  candidate.errors = found.filter((finding) => finding.severity === 'error').length;
  candidate.warnings = found.filter((finding) => finding.severity === 'warning').length;
  candidate.rules = new Set(found.map((finding) => finding.rule));
  if (result.error) candidate.rules.add(result.error.code);
  const serious = found.filter((finding) => finding.severity !== 'info');
  const mendable = serious.filter((finding) => finding.command).length;
  const remedy = mendable === 0 ? 2 : mendable < serious.length ? 1 : 0;
  candidate.remedy = result.error ? 3 : candidate.verdict === 'pass' ? 4 : remedy;
}

/// A card sorts by its most urgent candidate.
function judgeCard(card) {
  const least = (what) => Math.min(...card.members.map(what));
  const most = (what) => Math.max(...card.members.map((candidate) => what(candidate) ?? -1));
  Object.assign(card, {
    remedy: least((candidate) => candidate.remedy), rank: least((candidate) => ranks[candidate.verdict]),
    errors: most((candidate) => candidate.errors), warnings: most((candidate) => candidate.warnings),
    bytes: most((candidate) => candidate.result.facts?.fileBytes), seconds: most((candidate) => candidate.result.facts?.durationSeconds),
  });
}

const worst = (a, b) => a.rank - b.rank || b.errors - a.errors || b.warnings - a.warnings;
const orders = {
  fix: (a, b) => a.remedy - b.remedy || worst(a, b),
  worst,
  verdict: (a, b) => b.rank - a.rank,
  path: () => 0,
  size: (a, b) => b.bytes - a.bytes,
  duration: (a, b) => b.seconds - a.seconds,
};

// Filter and sort, in one pass.

function matches(candidate, words) {
  return (!state.rule || candidate.rules.has(state.rule)) && words.every((word) => candidate.text.includes(word));
}

function apply() {
  const words = state.search.toLowerCase().split(/\s+/).filter(Boolean);
  const counts = { pass: 0, warn: 0, fail: 0, error: 0 };
  let shown = 0;
  for (const card of cards) {
    let fits = 0;
    for (const candidate of card.members) {
      const isMatch = matches(candidate, words);
      if (isMatch) counts[candidate.verdict] += 1;
      const isShown = isMatch && (state.verdicts.size === 0 || state.verdicts.has(candidate.verdict));
      if (isShown) fits += 1;
      if (candidate.row) candidate.row.hidden = !isShown;
    }
    shown += fits;
    card.element.hidden = fits === 0;
  }
  for (const button of element('verdicts').children) {
    button.querySelector('b').textContent = counts[button.dataset.verdict];
    button.setAttribute('aria-pressed', String(state.verdicts.has(button.dataset.verdict)));
  }
  sort();
  empty.hidden = shown > 0;
  empty.textContent = data.candidates.length === 0 ? 'No candidate videos were found.' : 'No candidates match the filters.';
  const total = data.candidates.length;
  element('shown').textContent = shown === total ? `${total} shown` : `${shown} of ${total} shown`;
}

function sort() {
  const order = `${state.sort} ${state.profile}`;
  if (order !== state.order) {
    state.order = order;
    cards.sort((a, b) => orders[state.sort](a, b) || a.members[0].place - b.members[0].place);
    const rows = [];
    const shownHeadings = new Set();
    for (const card of cards) {
      if (state.sort === 'fix' && !shownHeadings.has(card.remedy)) {
        shownHeadings.add(card.remedy);
        rows.push(headings[card.remedy]);
      }
      rows.push(card.element);
    }
    element('cards').replaceChildren(...rows, empty);
    element('matrix').querySelector('tbody')?.replaceChildren(...cards.flatMap((card) => card.members.map((candidate) => candidate.row)));
  }
  for (const [remedy, heading] of headings.entries()) {
    const count = cards.filter((card) => card.remedy === remedy && !card.element.hidden).length;
    heading.hidden = count === 0;
    heading.querySelector('.count').textContent = count;
  }
}

function judgeAll() {
  data.candidates.forEach(judge);
  for (const card of cards) {
    judgeCard(card);
    card.show(state.profile);
  }
  state.order = '';
}

// The address. Scripts may change its fragment also on pages without a server.

let waitingToWrite = 0;

/// Not at once: browsers refuse more than some changes in a row.
function writeAddress() {
  clearTimeout(waitingToWrite);
  waitingToWrite = setTimeout(() => {
    const { verdicts: chosen, search, rule, profile, sort: order, current } = state;
    const parts = { q: search, verdict: [...chosen].join(' '), rule, profile, sort: order === 'fix' ? '' : order, file: current && state.candidate.result.path };
    const words = new URLSearchParams(Object.entries(parts).filter(([, value]) => value));
    history.replaceState(null, '', `#${words}`);
  }, 200);
}

function readAddress() {
  clearTimeout(waitingToWrite);
  const words = new URLSearchParams(location.hash.slice(1));
  const choice = (name, id, first) => {
    const value = words.get(name) ?? first;
    const isKnown = [...element(id).options].some((one) => one.value === value);
    return isKnown ? value : first;
  };
  state.verdicts = new Set((words.get('verdict') ?? '').split(' ').filter((verdict) => verdict in ranks));
  state.search = words.get('q') ?? '';
  state.rule = choice('rule', 'rule', '');
  state.sort = choice('sort', 'sort', 'fix');
  state.profile = choice('profile', 'profile', '');
  element('search').value = state.search;
  for (const id of ['rule', 'sort', 'profile']) element(id).value = state[id];
  judgeAll();
  apply();
  const file = words.get('file');
  const candidate = file ? data.candidates.find(({ result }) => result.path === file) : undefined;
  choose(candidate?.card, candidate);
}

/// Changes what is shown, and the address with it.
function change(changes) {
  Object.assign(state, changes);
  if ('profile' in changes) judgeAll();
  apply();
  writeAddress();
}

/// Makes a card the current one, which keys act on, and brings it into view.
function choose(card, candidate = card?.members[0]) {
  state.current?.element.classList.remove('current');
  [state.current, state.candidate] = [card, candidate];
  if (!card) return;
  card.build();
  card.element.classList.add('current');
  card.element.focus({ preventScroll: true });
  (candidate === card.members[0] ? card.element : candidate.part).scrollIntoView({ block: 'start' });
  writeAddress();
}

/// The address of a view with this candidate.
function addressOf(candidate) {
  return `#${new URLSearchParams({ file: candidate.result.path })}`;
}

// Keys.

function move(step) {
  const shown = cards.filter((card) => !card.element.hidden);
  if (shown.length === 0) return;
  const place = shown.indexOf(state.current);
  choose(shown[place < 0 ? 0 : Math.max(0, Math.min(shown.length - 1, place + step))]);
}

/// Of the current card, or of the card that has the focus: the candidate whose loop is the worst.
function watchCurrent() {
  const card = document.activeElement?.closest?.('.card')?.card ?? state.current;
  if (!card || card.element.hidden) return;
  const order = ['fail', 'warn', 'pass'];
  const [candidate] = card.members.filter(({ result }) => result.facts)
    .toSorted((a, b) => order.indexOf(loops[a.result.seam?.verdict] ?? 'fail') - order.indexOf(loops[b.result.seam?.verdict] ?? 'fail'));
  if (candidate) seamPlayer().open(candidate); else announce('There is no video to play.');
}

const keys = {
  '/': () => { element('search').focus(); element('search').select(); },
  j: () => move(1), k: () => move(-1), s: watchCurrent,
  c: () => (state.current?.element.querySelector('.copy'))?.click(),
  '?': () => element('help').showModal(),
};

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, select, textarea');
  if (event.key === 'Escape' && event.target === element('search')) element('search').blur();
  if (isTyping || document.querySelector('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
