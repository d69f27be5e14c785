/// The loop point at large: the last second of a clip into its first one, slowly or frame by frame.
///
/// Two copies of the video play in turns. The second one waits at its first frame while the first one plays to its end,
/// so that nothing but the clip itself shows at the loop point. After each round the picture dims for a moment, because
/// the way back to the start of the last second is no part of the loop.
class SeamPlayer {
  /// Seconds at each side of the loop point, and milliseconds between two rounds.
  static seconds = 1;
  static pause = 600;

  constructor(calm) {
    this.calm = calm;
    this.dialog = make('dialog', 'player');
    this.dialog.setAttribute('aria-labelledby', 'player-title');
    const head = make('header', 'player-head');
    this.title = make('h2');
    this.title.id = 'player-title';
    this.choices = make('div', 'choices');
    this.choices.setAttribute('role', 'group');
    this.choices.setAttribute('aria-label', 'Videos of the release');
    head.append(this.title, this.choices, this.button('Close', 'close', () => this.dialog.close()));
    this.screen = make('div', 'seam-screen');
    [this.tail, this.head] = ['last frames', 'first frames'].map((what) => {
      const video = make('video', 'seam-video');
      video.muted = video.playsInline = true;
      video.disablePictureInPicture = true;
      video.preload = 'auto';
      video.setAttribute('aria-label', what);
      video.addEventListener('error', () => { if (video.hasAttribute('src')) this.useFilm(); });
      video.addEventListener('loadeddata', () => this.begin());
      return video;
    });
    this.film = make('img', 'film');
    this.film.hidden = true;
    this.screen.append(this.tail, this.head, this.film);
    this.note = make('p', 'player-note');
    this.note.setAttribute('role', 'status');
    this.slider = make('input');
    this.slider.type = 'range';
    this.slider.step = 1;
    this.slider.setAttribute('aria-label', 'Frame');
    this.slider.addEventListener('input', () => this.stop(Number(this.slider.value)));
    const scale = make('div', 'scale');
    this.before = make('span');
    this.after = make('span');
    scale.append(this.before, make('span', 'loop-point', 'loop point'), this.after);
    this.place = make('p', 'place');
    const controls = make('div', 'controls');
    this.toggle = this.button('Pause', 'toggle', () => (this.isPlaying ? this.stop() : this.play()));
    this.speeds = [[1, '1x'], [0.25, '1/4']].map(([speed, text]) => {
      const button = this.button(text, 'speed', () => this.setSpeed(speed));
      button.setAttribute('aria-label', `Speed ${text}`);
      button.speed = speed;
      return button;
    });
    const steps = [[-1, '‹ frame', 'One frame back'], [1, 'frame ›', 'One frame on']].map(([step, text, label]) => {
      const button = this.button(text, 'step', () => this.step(step));
      button.setAttribute('aria-label', label);
      return button;
    });
    controls.append(this.toggle, ...this.speeds, ...steps, this.place);
    const hint = make('p', 'hint', 'Space plays and pauses, 1 and 4 set the speed, ← and → go frame by frame, Esc closes.');
    this.dialog.append(head, this.screen, this.slider, scale, controls, this.note, hint);
    this.dialog.addEventListener('keydown', (event) => this.press(event));
    this.dialog.addEventListener('close', () => { if (!this.dialog.open) this.leave(); });
    document.body.append(this.dialog);
  }

  button(text, className, act) {
    const button = make('button', className, text);
    button.type = 'button';
    button.addEventListener('click', act);
    return button;
  }

  /// Shows a candidate of a release, or the only one of its card.
  open(candidate) {
    const { facts } = candidate.result;
    if (!facts) return;
    this.leave();
    this.candidate = candidate;
    const release = candidate.release === undefined ? '' : `${printable(candidate.result.artworkID)}, `;
    this.title.textContent = `The loop point of ${release}${printable(candidate.name)}`;
    const others = candidate.card.members.filter((member) => member.result.facts);
    this.choices.replaceChildren(...(others.length < 2 ? [] : others.map((member) => {
      const button = this.button(member.result.key ?? printable(member.name), 'choice', () => this.open(member));
      button.setAttribute('aria-pressed', String(member === candidate));
      return button;
    })));
    this.rate = facts.frameRate ?? 24;
    this.setCount(Math.max(1, Math.min(facts.frameCount, Math.round(SeamPlayer.seconds * this.rate))));
    this.screen.style.setProperty('--aspect', facts.displayAspect);
    this.note.textContent = '';
    this.isFilm = this.isReady = this.isPlaying = false;
    this.film.hidden = true;
    this.frame = -1;
    this.setSpeed(0.25);
    for (const video of [this.tail, this.head]) {
      video.hidden = false;
      video.src = candidate.embedded ?? candidate.video;
    }
    this.showSide('tail');
    if (!this.dialog.open) this.dialog.showModal();
    this.toggle.focus();
  }

  /// How many frames are shown at each side.
  setCount(count) {
    this.count = count;
    this.slider.min = -count;
    this.slider.max = count - 1;
    const seconds = decimal(count / this.rate, 2);
    this.before.textContent = `${seconds} s before`;
    this.after.textContent = `${seconds} s after`;
  }

  /// Starts once both copies have their first picture.
  begin() {
    if (this.isReady || Math.min(this.tail.readyState, this.head.readyState) < 2) return;
    this.isReady = true;
    const { facts } = this.candidate.result;
    const whole = Number.isFinite(this.tail.duration) ? this.tail.duration : facts.durationSeconds;
    // Sound that is longer than the picture holds the last frame.
    this.end = facts.hasAudio ? Math.min(whole, facts.startSeconds + facts.durationSeconds) : whole;
    this.start();
  }

  /// The browser cannot play the video: the report's own pictures of the frames beside the loop point.
  useFilm() {
    if (this.isFilm) return;
    this.isFilm = true;
    const { reportImages } = this.candidate;
    for (const video of [this.tail, this.head]) {
      video.hidden = true;
      video.removeAttribute('src');
    }
    const why = whyNotPlayed(this.candidate);
    const reason = why[0].toUpperCase() + why.slice(1);
    this.note.textContent = reportImages?.strip
      ? `${reason}. These are the last ${reportImages.framesBeforeSeam} frames and the first ones, as the report has them.`
      : `${reason}. The report has no pictures of the loop point either.`;
    if (!reportImages?.strip) return;
    this.setCount(reportImages.framesBeforeSeam);
    this.film.src = reportImages.strip;
    this.film.alt = 'frames beside the loop point';
    this.film.style.width = `${200 * reportImages.framesBeforeSeam}%`;
    this.film.hidden = false;
    this.isReady = true;
    this.start();
  }

  start() {
    if (this.calm.matches) this.stop(-1); else this.restart();
    this.last = performance.now();
    this.ticking = requestAnimationFrame(() => this.tick());
  }

  /// From the start of the last second.
  restart() {
    this.frame = -this.count;
    this.exact = this.frame;
    this.rest = 0;
    this.screen.classList.remove('between');
    if (!this.isFilm) {
      this.tail.currentTime = Math.max(0, this.end - this.count / this.rate);
      this.head.currentTime = 0;
      this.head.pause();
    }
    this.showSide('tail');
    this.play();
  }

  play() {
    if (!this.isReady) return;
    this.setPlaying(true);
    this.exact = this.frame;
    if (!this.isFilm) this[this.side].play().catch(() => this.stop());
  }

  /// Stops, at a frame if one is given.
  stop(frame) {
    this.setPlaying(false);
    this.rest = 0;
    this.screen.classList.remove('between');
    for (const video of [this.tail, this.head]) video.pause();
    if (frame !== undefined) this.seek(frame);
  }

  step(count) {
    const all = 2 * this.count;
    this.stop(((this.frame + count + this.count + all) % all) - this.count);
  }

  seek(frame) {
    if (!this.isReady) return;
    this.frame = frame;
    if (!this.isFilm) {
      // The middle of a frame is that frame however times are rounded.
      if (frame < 0) this.tail.currentTime = Math.max(0, this.end + (frame + 0.5) / this.rate);
      else this.head.currentTime = (frame + 0.5) / this.rate;
    }
    this.showSide(frame < 0 ? 'tail' : 'head');
    this.tell();
  }

  setSpeed(speed) {
    this.speed = speed;
    for (const video of [this.tail, this.head]) video.defaultPlaybackRate = video.playbackRate = speed;
    for (const button of this.speeds) button.setAttribute('aria-pressed', String(button.speed === speed));
  }

  setPlaying(isPlaying) {
    this.isPlaying = isPlaying;
    this.toggle.textContent = isPlaying ? 'Pause' : 'Play';
  }

  showSide(side) {
    this.side = side;
    this.tail.classList.toggle('shown', side === 'tail');
    this.head.classList.toggle('shown', side === 'head');
    if (this.isFilm) this.film.style.transform = `translateX(${(-100 * (this.frame + this.count)) / (2 * this.count)}%)`;
  }

  tick() {
    const now = performance.now();
    const passed = now - this.last;
    this.last = now;
    if (this.rest && now >= this.rest) this.restart();
    else if (this.isPlaying && !this.rest) this.advance(passed / 1000);
    this.ticking = requestAnimationFrame(() => this.tick());
  }

  advance(seconds) {
    if (this.isFilm) {
      this.exact += seconds * this.speed * this.rate;
      this.frame = Math.min(this.count - 1, Math.floor(this.exact));
      if (this.exact >= this.count) return this.finishRound();
      this.showSide(this.frame < 0 ? 'tail' : 'head');
    } else if (this.side === 'tail') {
      this.frame = Math.min(-1, Math.floor((this.tail.currentTime - this.end) * this.rate + 0.01));
      if (this.tail.ended || this.tail.currentTime >= this.end) {
        this.head.currentTime = 0;
        this.tail.pause();
        this.frame = 0;
        this.showSide('head');
        this.head.play().catch(() => this.stop());
      }
    } else {
      this.frame = Math.min(this.count - 1, Math.floor(this.head.currentTime * this.rate + 0.01));
      if (this.head.ended || this.head.currentTime >= this.count / this.rate) return this.finishRound();
    }
    this.tell();
  }

  finishRound() {
    this.head.pause();
    this.screen.classList.add('between');
    this.rest = performance.now() + SeamPlayer.pause;
  }

  /// Where it is, in words that change with each frame.
  tell() {
    const { frame } = this;
    if (frame === this.told) return;
    this.told = frame;
    const counted = (count) => (count === 1 ? '1 frame' : `${count} frames`);
    const text = frame === -1 ? 'the last frame' : frame === 0 ? 'the first frame'
      : frame < 0 ? `${counted(-1 - frame)} before the last` : `${counted(frame)} after the first`;
    this.place.textContent = text;
    this.slider.value = frame;
    this.slider.setAttribute('aria-valuetext', text);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isSlider = event.target === this.slider;
    const acts = {
      ' ': event.target.localName === 'button' ? undefined : () => this.toggle.click(),
      1: () => this.setSpeed(1), 4: () => this.setSpeed(0.25),
      ArrowLeft: isSlider ? undefined : () => this.step(-1), ArrowRight: isSlider ? undefined : () => this.step(1),
    };
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /// Lets go of the video.
  leave() {
    cancelAnimationFrame(this.ticking);
    this.told = undefined;
    this.rest = 0;
    for (const video of [this.tail, this.head]) {
      if (!video.hasAttribute('src')) continue;
      video.pause();
      video.removeAttribute('src');
      video.load();
    }
  }
}

let theSeamPlayer;
/// Made when it is first asked for.
function seamPlayer() {
  theSeamPlayer ??= new SeamPlayer(window.matchMedia('(prefers-reduced-motion: reduce)'));
  return theSeamPlayer;
}
