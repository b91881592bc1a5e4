// SPDX-License-Identifier: Apache-2.0
// Stick and slip as coloured bands over time.
import { indexAt, regimeAt } from './data.js';
import { append, color, h, shorten } from './dom.js';
import { on, setTime, state } from './state.js';

const NAMES = ['open', 'sticks', 'slips'];
const variables = ['--open', '--stick', '--slip'];
const MOST_ROWS = 12;

export const regimeName = (regime) => NAMES[regime] || 'unknown';

// Paints a band of one force: each column of pixels shows by its height how long it was in which
// regime, so that nothing short is lost.
export function paintBand(context, regimes, view, x, y, width, height) {
  const { starts, regimes: kinds, end } = regimes;
  if (!starts.length || !(view.max > view.min)) return;
  const scale = width / (view.max - view.min);
  const colors = variables.map(color);
  const parts = [0, 0, 0];
  let k = Math.max(0, indexAt(starts, view.min));
  let column = -1;
  const finish = () => {
    const total = parts[0] + parts[1] + parts[2];
    if (column < 0 || total <= 0) return;
    let from = y;
    [2, 1, 0].forEach((kind) => {
      const tall = (height * parts[kind]) / total;
      if (tall <= 0) return;
      context.fillStyle = colors[kind];
      context.fillRect(x + column, from, 1, tall);
      from += tall;
    });
    parts.fill(0);
  };
  for (; k < starts.length; ++k) {
    const from = Math.max(0, (starts[k] - view.min) * scale);
    const to = Math.min(width, ((k + 1 < starts.length ? starts[k + 1] : end) - view.min) * scale);
    if (from >= width) break;
    const kind = kinds[k];
    if (kind < 0 || to <= from) continue;
    let at = from;
    while (at < to) {
      const here = Math.floor(at);
      if (here !== column) {
        finish();
        column = here;
      }
      if (at === here && to >= here + 2) { // whole columns at once
        const whole = Math.floor(to) - here;
        context.fillStyle = colors[kind];
        context.fillRect(x + here, y, whole, height);
        at = here + whole;
        column = -1;
        continue;
      }
      const next = Math.min(to, here + 1);
      parts[kind] += next - at;
      at = next;
    }
  }
  finish();
}

// The panel with one band for each friction of every run.
export function bandsPanel(runs, plotLeft, plotRight) {
  const rows = [];
  let left = 0;
  for (const run of runs) {
    for (const regimes of run.regimes || []) {
      if (rows.length < MOST_ROWS) rows.push({ run, regimes });
      else left++;
    }
  }
  if (!rows.length) return null;
  const labels = h('div.band-labels');
  const canvas = h('canvas.band-canvas', { tabIndex: -1 });
  const head = h('div.band-head');
  const now = rows.map(({ run, regimes }) => {
    const text = runs.length > 1 ? `${regimes.force} · ${run.label}` : regimes.force;
    const word = h('span.band-now');
    labels.append(h('div.band-label', { title: text.slice(0, 300) },
      h('span.band-name', {}, shorten(text, 40)), word));
    return word;
  });
  append(head, [
    h('h3', {}, 'Stick and slip'),
    h('div.key', {},
      h('span', {}, h('i.dot.stick'), 'sticks'), h('span', {}, h('i.dot.slip'), 'slips'),
      h('span', {}, h('i.dot.open'), 'open')),
  ]);
  const marker = h('div.band-marker');
  const holder = h('div.band-holder', {}, canvas, marker);
  const panel = h('div.card.bands', {}, head, labels, holder,
    left > 0 && h('p.note', {}, `${left} more are not shown.`),
    rows.some(({ regimes }) => !regimes.exact) &&
      h('p.note', {}, 'Seen at the frames of the 3-D view; record the mode channel for every sample.'));

  const ROW = 22;
  function draw(wanted) {
    const ratio = devicePixelRatio || 1;
    const width = wanted || holder.clientWidth;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(rows.length * ROW * ratio);
    canvas.style.height = `${rows.length * ROW}px`;
    const context = canvas.getContext('2d');
    const from = Math.round(plotLeft() * ratio);
    const wide = canvas.width - from - Math.round(plotRight() * ratio);
    rows.forEach(({ regimes }, i) => {
      const top = (i * ROW + 3) * ratio, tall = (ROW - 6) * ratio;
      context.fillStyle = color('--track');
      context.fillRect(from, top, wide, tall);
      paintBand(context, regimes, state.view, from, top, wide, tall);
      if (rows.length > 1) {
        context.fillStyle = color('--muted');
        context.font = `${11 * ratio}px system-ui, sans-serif`;
        context.textAlign = 'right';
        context.textBaseline = 'middle';
        context.fillText(String(i + 1), from - 8 * ratio, top + tall / 2);
      }
    });
    mark();
  }
  function mark() {
    const { view, time } = state;
    const width = holder.clientWidth - plotLeft() - plotRight();
    const part = (time - view.min) / (view.max - view.min);
    marker.hidden = !(part >= 0 && part <= 1);
    marker.style.transform = `translateX(${plotLeft() + part * width}px)`;
    rows.forEach(({ regimes }, i) => {
      const regime = regimeAt(regimes, time);
      now[i].textContent = regimeName(regime);
      now[i].dataset.regime = regime;
    });
  }
  holder.addEventListener('pointerdown', (event) => {
    const width = holder.clientWidth - plotLeft() - plotRight();
    const part = (event.clientX - holder.getBoundingClientRect().left - plotLeft()) / width;
    setTime(state.view.min + part * (state.view.max - state.view.min));
  });
  for (const what of ['view', 'theme', 'size']) on(what, () => draw());
  on('time', mark);
  return { panel, draw };
}
