'use strict';

/// An element with a class and text. Text is only ever text: no name can become markup.
function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/// Makes control and format characters visible: they could reverse a line, or hide a part of it.
function printable(text) {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => `\\u{${found.codePointAt(0).toString(16)}}`);
}

function decimal(value, places) {
  return String(Number(value.toFixed(places)));
}

function vector(tag, attributes) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/// The change from each frame to the next, and last the change at the loop point.
function stepCurve(candidate) {
  const { steps, seamStep } = candidate.reportImages;
  const [width, height] = [400, 80];
  const all = seamStep === undefined ? steps : [...steps, seamStep];
  const top = Math.max(1, ...all) * 1.08;
  const slots = all.length;
  const x = (index) => ((index + 0.5) / slots) * width;
  const y = (value) => height - (value / top) * height;
  const round = (value) => Math.round(value * 10) / 10;

  const figure = make('figure', 'curve');
  const plot = make('div', 'plot');
  const seam = candidate.result.seam;
  const picture = vector('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img' });
  const title = vector('title', {});
  const said = seamStep === undefined ? '' : `; at the loop point ${decimal(seamStep, 1)}`;
  title.textContent = `${steps.length} changes from frame to frame, at most ${decimal(Math.max(0, ...steps), 1)}${said}`;
  picture.append(title);
  if (seam && seam.ownStep <= top) {
    picture.append(vector('line', { class: 'own', x1: 0, x2: width, y1: y(seam.ownStep), y2: y(seam.ownStep) }));
  }
  const points = steps.map((step, index) => `${round(x(index))},${round(y(step))}`);
  if (points.length > 0) {
    const area = `M${round(x(0))},${height} L${points.join(' L')} L${round(x(points.length - 1))},${height} Z`;
    picture.append(vector('path', { class: 'area', d: area }), vector('polyline', { points: points.join(' ') }));
  }
  plot.append(picture);
  if (seamStep !== undefined) {
    const place = x(slots - 1);
    picture.append(vector('line', { class: 'seam', x1: place, x2: place, y1: height, y2: y(seamStep) }));
    const mark = make('span', 'dot');
    mark.style.left = `${(place / width) * 100}%`;
    mark.style.top = `${(y(seamStep) / height) * 100}%`;
    plot.append(mark);
  }
  const ends = seam?.measurement?.scope === 'ends' ? ' (ends only)' : '';
  const caption = make('figcaption', '', `change per frame${ends}`);
  if (seamStep !== undefined) caption.append(make('span', 'seam-text', `at the loop point ${decimal(seamStep, 1)}`));
  figure.append(plot, caption);
  return figure;
}
