// SPDX-License-Identifier: Apache-2.0
// One channel against another: phase portraits and force-velocity loops, coloured by regime.
import { nearestIndex, regimeAt } from './data.js';
import { color, h, niceStep, seriesColor, shorten } from './dom.js';
import { padded, tickText } from './plots.js';
import { on, state } from './state.js';
import { outline, windowOf } from './thin.js';

const BUCKETS = 1500, MOST_PANELS = 6, MOST_TRIED = 40;

// What a channel spans, from its least to its largest value.
async function spanOf(column) {
  await column.load();
  const { values, lows, highs } = column;
  let low = Infinity, high = -Infinity;
  lows.forEach((at) => { if (at >= 0) low = Math.min(low, values[at]); });
  highs.forEach((at) => { if (at >= 0) high = Math.max(high, values[at]); });
  return { span: high > low ? high - low : 0, largest: Math.max(Math.abs(low), Math.abs(high)) };
}

// Whether a channel moves by more than rounding: beside its own size, and beside the other axes of
// the same vector. A box that slides along x has a portrait of x, none of its last bits along y.
async function moves(run, name) {
  const whole = /^(.*)\.[xyz]$/.exec(name)?.[1];
  const axes = whole ? ['x', 'y', 'z'].map((axis) => `${whole}.${axis}`).filter((one) => run.channels.has(one)) : [name];
  const spans = await Promise.all(axes.map((one) => spanOf(run.channels.get(one).column)));
  const own = spans[axes.indexOf(name)];
  return own.span > 1e-9 * own.largest && own.span > 1e-6 * Math.max(...spans.map(({ span }) => span));
}

// Pairs that people look at: position and velocity; velocity (or rate) and force of a friction.
export async function usualPairs(runs) {
  const run = runs[0];
  const has = (name) => run.channels.has(name) && !run.channels.get(name).column.constant;
  const pairs = [];
  for (const force of run.scene.forces) {
    if (!force.friction) continue;
    const owner = run.scene.bodies[(force.on?.body || 0) - 1];
    for (const tail of ['', '.x', '.y', '.z', '.angle']) {
      const y = `${force.name}.force${tail}`;
      const rates = [`${owner?.name}.velocity${tail}`, `${force.name}.rate${tail}`];
      const x = rates.find(has);
      if (has(y) && x) {
        pairs.push({ x, y, kind: 'force and velocity', regimes: force.name });
        break;
      }
    }
  }
  for (const name of run.channels.keys()) {
    const match = /^(.*)\.(position|gap)(\.[a-z]+)?$/.exec(name);
    const other = match && `${match[1]}.${match[2] === 'gap' ? 'rate' : 'velocity'}${match[3] || ''}`;
    if (match && has(name) && has(other)) pairs.push({ x: name, y: other, kind: 'phase portrait' });
  }
  const friction = pairs.filter((pair) => pair.regimes), phase = pairs.filter((pair) => !pair.regimes);
  const chosen = [];
  const take = async (pair) => {
    if (pair && chosen.length < 4 && await moves(run, pair.x) && await moves(run, pair.y)) chosen.push(pair);
  };
  for (let i = 0; chosen.length < 4 && i < Math.min(MOST_TRIED, Math.max(friction.length, phase.length)); ++i) {
    await take(friction[i]);
    await take(phase[i]);
  }
  return chosen;
}

class Portrait {
  constructor(runs, names, pair) {
    this.runs = runs;
    this.pair = { ...pair };
    this.canvas = h('canvas', { role: 'img' });
    this.note = h('p.note', { hidden: true });
    this.dots = [];
    const select = (key, label) => {
      const box = h('select', {
        'aria-label': label, onchange: () => { this.pair[key] = box.value; this.pair.regimes = null; this.load(); },
      }, names.map((name) => h('option', { value: name, selected: name === pair[key] }, shorten(name, 46))));
      return h('label', {}, h('span', {}, label), box);
    };
    this.element = h('div.card.portrait', {},
      h('div.pair', {}, select('y', 'up'), select('x', 'across')), h('div.portrait-plot', {}, this.canvas), this.note);
  }

  async load() {
    this.curves = [];
    this.dots.forEach((dot) => { dot.hidden = true; });
    for (const run of this.runs) {
      const x = run.channels.get(this.pair.x), y = run.channels.get(this.pair.y);
      if (!x || !y) continue;
      await Promise.all([run.time.load(), x.column.load(), y.column.load()]);
      this.curves.push({ run, x: x.column.values, y: y.column.values, bad: x.column.bad + y.column.bad });
    }
    const unit = (name) => this.runs.map((run) => run.channels.get(name)?.unit).find(Boolean);
    this.units = [unit(this.pair.x), unit(this.pair.y)];
    const bad = this.curves.reduce((sum, curve) => sum + curve.bad, 0);
    this.note.hidden = !bad;
    this.note.textContent = 'Values that are not finite are left out.';
    this.choose();
    this.draw();
  }

  // Points and their colours for the stretch of time in view.
  choose() {
    this.bounds = [Infinity, -Infinity, Infinity, -Infinity];
    for (const curve of this.curves) {
      const times = curve.run.time.values;
      const [from, to] = windowOf(times, state.view);
      curve.kept = outline(curve.x, curve.y, from, to, BUCKETS);
      const owner = this.pair.regimes || this.pair.y.split('.')[0];
      const all = curve.run.regimes || [];
      const regimes = all.find((one) => one.force === owner) || (all.length === 1 ? all[0] : null);
      curve.regime = regimes && this.runs.length === 1 ? curve.kept.map((i) => regimeAt(regimes, times[i])) : null;
      for (const i of curve.kept) {
        const x = curve.x[i], y = curve.y[i];
        if (!(Math.abs(x) < Infinity && Math.abs(y) < Infinity)) continue;
        const b = this.bounds;
        if (x < b[0]) b[0] = x;
        if (x > b[1]) b[1] = x;
        if (y < b[2]) b[2] = y;
        if (y > b[3]) b[3] = y;
      }
    }
  }

  draw() {
    const ratio = devicePixelRatio || 1;
    const wide = this.width || this.canvas.parentElement.clientWidth, tall = Math.min(320, Math.max(220, wide * 0.72));
    if (!wide) return;
    this.canvas.width = wide * ratio;
    this.canvas.height = tall * ratio;
    this.canvas.style.height = `${tall}px`;
    const c = this.canvas.getContext('2d');
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    const box = { left: 58, right: wide - 14, top: 10, bottom: tall - 42 };
    const [x0, x1] = padded(this.bounds[0], this.bounds[1]), [y0, y1] = padded(this.bounds[2], this.bounds[3]);
    const px = (x) => box.left + ((x - x0) / (x1 - x0)) * (box.right - box.left);
    const py = (y) => box.bottom - ((y - y0) / (y1 - y0)) * (box.bottom - box.top);
    this.axes(c, box, [x0, x1, y0, y1], px, py);
    c.save();
    c.beginPath();
    c.rect(box.left, box.top, box.right - box.left, box.bottom - box.top);
    c.clip();
    for (const curve of this.curves) this.trace(c, curve, px, py);
    c.restore();
    this.place = { px, py };
    this.dot();
    this.canvas.setAttribute('aria-label', `${shorten(this.pair.y)} over ${shorten(this.pair.x)}`);
  }

  axes(c, box, [x0, x1, y0, y1], px, py) {
    c.font = '11px system-ui, sans-serif';
    c.lineWidth = 1;
    const ticks = (from, to, wanted) => {
      const step = niceStep(to - from, wanted), found = [];
      for (let t = Math.ceil(from / step) * step; t <= to + step * 1e-9; t += step) found.push(Math.abs(t) < step * 1e-9 ? 0 : t);
      return found;
    };
    const xs = ticks(x0, x1, (box.right - box.left) / 80), ys = ticks(y0, y1, (box.bottom - box.top) / 42);
    c.textAlign = 'center';
    c.textBaseline = 'top';
    tickText(null, xs).forEach((text, i) => {
      c.strokeStyle = xs[i] === 0 ? color('--axis') : color('--grid');
      c.beginPath();
      c.moveTo(px(xs[i]), box.top);
      c.lineTo(px(xs[i]), box.bottom);
      c.stroke();
      c.fillStyle = color('--muted');
      c.fillText(text, px(xs[i]), box.bottom + 6);
    });
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    tickText(null, ys).forEach((text, i) => {
      c.strokeStyle = ys[i] === 0 ? color('--axis') : color('--grid');
      c.beginPath();
      c.moveTo(box.left, py(ys[i]));
      c.lineTo(box.right, py(ys[i]));
      c.stroke();
      c.fillStyle = color('--muted');
      c.fillText(text, box.left - 7, py(ys[i]));
    });
    c.fillStyle = color('--muted');
    c.textAlign = 'center';
    c.textBaseline = 'bottom';
    const label = (name, unit) => shorten(name, 40) + (unit ? ` [${unit}]` : '');
    c.fillText(label(this.pair.x, this.units[0]), (box.left + box.right) / 2, box.bottom + 38);
  }

  trace(c, curve, px, py) {
    const paints = ['--open', '--stick', '--slip'];
    c.lineWidth = 1.5;
    c.lineJoin = 'round';
    let pen = false, regime;
    const start = (i) => {
      c.beginPath();
      regime = curve.regime ? curve.regime[i] : 0;
      c.strokeStyle = curve.regime ? color(paints[regime] || '--muted') : seriesColor(curve.run.index);
    };
    start(0);
    curve.kept.forEach((k, i) => {
      const x = curve.x[k], y = curve.y[k];
      if (!(Math.abs(x) < Infinity && Math.abs(y) < Infinity)) {
        pen = false;
        return;
      }
      if (pen) c.lineTo(px(x), py(y));
      else c.moveTo(px(x), py(y));
      pen = true;
      if (curve.regime && curve.regime[i] !== regime) {
        c.stroke();
        start(i);
        c.moveTo(px(x), py(y));
      }
    });
    c.stroke();
  }

  // The shown moment: a dot above the picture.
  dot() {
    if (!this.place) return;
    this.curves.forEach((curve, k) => {
      const times = curve.run.time.values;
      this.dots[k] ||= this.canvas.parentElement.appendChild(h('i.moment'));
      const i = times.length ? nearestIndex(times, state.time) : -1;
      const x = this.place.px(curve.x[i]), y = this.place.py(curve.y[i]);
      const seen = x >= 0 && y >= 0 && x <= this.canvas.clientWidth && y <= this.canvas.clientHeight;
      this.dots[k].hidden = !seen;
      if (!seen) return;
      this.dots[k].style.transform = `translate(${x}px, ${y}px)`;
      this.dots[k].style.background = this.runs.length > 1 ? seriesColor(curve.run.index) : color('--accent');
    });
  }
}

export function phaseSection(runs, names) {
  const grid = h('div.portraits');
  const portraits = [];
  const add = (pair) => {
    const portrait = new Portrait(runs, names, pair);
    portraits.push(portrait);
    grid.append(portrait.element);
    return portrait.load();
  };
  const more = h('button', {
    onclick: () => {
      add({ x: names[0], y: names[Math.min(1, names.length - 1)] });
      more.hidden = portraits.length >= MOST_PANELS;
    },
  }, 'Add a portrait');
  const each = (method) => () => portraits.forEach((portrait) => portrait.curves && method(portrait));
  // Portraits look through all samples in view: when the view has come to rest.
  let waiting = 0;
  on('view', () => {
    clearTimeout(waiting);
    waiting = setTimeout(each((portrait) => { portrait.choose(); portrait.draw(); }), 150);
  });
  on('time', each((portrait) => portrait.dot()));
  on('theme', each((portrait) => portrait.draw()));
  on('size', each((portrait) => portrait.draw()));
  return {
    grid, more, portraits,
    async first() {
      for (const pair of await usualPairs(runs)) await add(pair);
      if (!portraits.length && names.length) await add({ x: names[0], y: names[Math.min(1, names.length - 1)] });
    },
    resize(width) {
      portraits.forEach((portrait) => { portrait.width = width; portrait.draw(); });
    },
  };
}
