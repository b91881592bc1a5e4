// SPDX-License-Identifier: Apache-2.0
// Plots over time: one card for each quantity, all with the same stretch of time and one cursor.
import uPlot from 'uplot';
import { paintBand } from './bands.js';
import { nearestIndex } from './data.js';
import { color, count, format, h, icon, seriesColor, shorten } from './dom.js';
import { on, resetView, setTime, setView, state, zoom } from './state.js';
import { thin } from './thin.js';

export const LEFT = 66, RIGHT = 14;
const DASHES = [undefined, [7, 4], [2, 3], [9, 3, 2, 3]];
const BAND = 5; // height of the band along the bottom of a plot

const cards = new Map(); // by the group's name
const SYNC = 'time';

const QUANTITIES = new Set(['position', 'velocity', 'orientation', 'angular_velocity', 'force', 'gap', 'rate', 'state', 'normal', 'value']);

// "sphere.position.x" belongs to "sphere.position", "arm.elbow.position" to "arm.*.position".
function baseOf(name) {
  const parts = name.split('.');
  if (parts.length === 3 && QUANTITIES.has(parts[1])) return `${parts[0]}.${parts[1]}`;
  if (parts.length === 3 && QUANTITIES.has(parts[2])) return `${parts[0]}.*.${parts[2]}`;
  if (parts.length === 4 && QUANTITIES.has(parts[2])) return parts.slice(0, 3).join('.');
  return name;
}

const groupNames = new Map(); // of every channel
export const groupOf = (name) => groupNames.get(name) || name;

// What is left of a channel's name beside its group.
function tailOf(name, group) {
  if (name === group) return '';
  const parts = name.split('.');
  return group.includes('.*.') ? parts[1] : parts[parts.length - 1];
}

// Groups of all runs: name -> {name, unit, channels: [names]}. A group has one unit.
export function groupsOf(runs) {
  const groups = new Map();
  for (const run of runs) {
    for (const { name, unit } of run.channels.values()) {
      if (groupNames.has(name)) continue;
      const base = baseOf(name);
      const key = groups.has(base) && groups.get(base).unit !== unit ? `${base} (${unit})` : base;
      if (!groups.has(key)) groups.set(key, { name: key, unit, channels: [] });
      groups.get(key).channels.push(name);
      groupNames.set(name, key);
    }
  }
  return groups;
}

export const axis = (label) => ({
  stroke: () => color('--muted'),
  font: '11px system-ui, sans-serif',
  grid: { stroke: () => color('--grid'), width: 1 },
  ticks: { stroke: () => color('--grid'), width: 1, size: 4 },
  label, labelSize: label ? 16 : 0, labelFont: '11px system-ui, sans-serif',
});

// Decimals that tell multiples of a step apart.
function decimals(step) {
  for (let digits = 0; digits < 12; ++digits) {
    const scaled = step * 10 ** digits;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return digits;
  }
  return 12;
}

const tickText = (u, ticks) => {
  const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 1;
  const size = Math.max(...ticks.map(Math.abs), 0);
  const minus = (text) => text.replace(/-/g, '−');
  if (size >= 1e5 || (size > 0 && size < 1e-3)) {
    const power = Math.floor(Math.log10(size));
    const digits = Math.min(8, decimals(step / 10 ** power));
    return ticks.map((t) => (t === 0 ? '0' : minus(`${(t / 10 ** power).toFixed(digits)}e${power}`)));
  }
  const digits = decimals(step);
  return ticks.map((t) => minus(t.toFixed(digits).replace(/^-0(\.0*)?$/, '0')));
};

// Room above and below; a constant gets some too.
export function padded(min, max) {
  if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
  if (min === max) {
    const room = Math.abs(min) * 0.1 || 1;
    return [min - room, max + room];
  }
  const room = (max - min) * 0.08;
  return [min - room, max + room];
}

const CHANNEL = 'application/x-holdfast-channel'; // what is dragged from plot to plot

class Card {
  constructor(group, shown, runs, groups, onClose) {
    this.group = group;
    this.runs = runs;
    this.allGroups = groups;
    this.shown = new Set(shown);
    this.guests = new Set(); // channels of other groups
    this.hidden = new Set();
    this.legend = h('div.legend');
    this.note = h('p.note', { hidden: true });
    this.holder = h('div.plot');
    this.marker = h('div.marker');
    this.element = h('div.card.plot-card', {},
      h('div.plot-head', {},
        h('h3', { title: `${group.name.slice(0, 300)}: drag it into another plot`, draggable: true, ondragstart: (event) => this.drag(event, this.group.channels.filter((name) => this.shown.has(name))) },
          shorten(group.name.replace('.*.', ' · '), 48), group.unit && h('span.unit', {}, ` ${group.unit}`)),
        this.legend, this.adder(),
        h('button.quiet.close', { title: 'Close this plot', 'aria-label': `Close ${shorten(group.name)}`, onclick: onClose },
          icon('M6 6l12 12M18 6L6 18'))),
      this.holder, this.note);
    this.element.addEventListener('dragover', (event) => {
      if (event.dataTransfer.types.includes(CHANNEL)) event.preventDefault();
    });
    this.element.addEventListener('drop', (event) => {
      const names = event.dataTransfer.getData(CHANNEL).split('\n').filter(Boolean);
      if (!names.length) return;
      event.preventDefault();
      this.invite(names);
    });
  }

  drag(event, names) {
    event.dataTransfer.setData(CHANNEL, names.join('\n'));
    event.dataTransfer.effectAllowed = 'copy';
  }

  // The same without a mouse: a list of channels, filled when it is wanted.
  adder() {
    const list = h('select.quiet.adder', { title: 'Add a channel to this plot', 'aria-label': `Add a channel to ${shorten(this.group.name)}`,
      onchange: () => { if (list.value) this.invite([list.value]); list.value = ''; } }, h('option', { value: '' }, '+'));
    const fill = () => {
      if (list.options.length > 1) return;
      for (const group of this.allGroups.values()) for (const name of group.channels) list.append(h('option', { value: name }, shorten(name, 60)));
    };
    list.addEventListener('pointerdown', fill);
    list.addEventListener('focus', fill);
    return list;
  }

  // Takes in channels of other plots. Curves of one other unit get the axis on the right.
  async invite(names) {
    const unitOf = (name) => this.allGroups.get(groupOf(name))?.unit;
    for (const name of names) {
      const units = new Set([this.group.unit, ...[...this.guests].map(unitOf), unitOf(name)]);
      if (unitOf(name) === undefined) continue;
      if (units.size > 2) {
        this.refused = `${shorten(name, 40)} is not added: a plot has two units at most.`;
      } else if (this.group.channels.includes(name)) {
        this.shown.add(name);
      } else {
        this.guests.add(name);
      }
    }
    await this.load();
    this.refused = '';
  }

  async load() {
    this.entries = []; // one a line
    this.groups = [];  // one a run
    const names = [...this.group.channels.filter((name) => this.shown.has(name)), ...this.guests];
    for (const run of this.runs) {
      const there = names.map((name) => run.channels.get(name)).filter(Boolean);
      if (!there.length) continue;
      await Promise.all([run.time.load(), ...there.map((channel) => channel.column.load())]);
      this.groups.push({ times: run.time.values, columns: there.map((channel) => channel.column) });
      for (const channel of there) this.entries.push({ run, channel, place: names.indexOf(channel.name) });
    }
    const byRun = names.length === 1 && this.runs.length > 1;
    this.entries.forEach((entry) => {
      entry.color = () => seriesColor(byRun ? entry.run.index : entry.place);
      entry.dash = byRun ? undefined : DASHES[entry.run.index % DASHES.length];
      entry.guest = this.guests.has(entry.channel.name);
      entry.scale = entry.channel.unit === this.group.unit ? 'y' : 'other';
      const tail = entry.guest ? entry.channel.name : tailOf(entry.channel.name, this.group.name);
      entry.text = this.runs.length > 1 ? [tail, entry.run.label].filter(Boolean).join(' · ') : tail;
    });
    this.regimes = this.findRegimes();
    this.build();
  }

  // The band of the force that the channels belong to, or of the only friction there is.
  findRegimes() {
    const all = this.runs[state.front].regimes || [];
    const owner = this.group.name.split('.')[0];
    return all.find((one) => one.force === owner) || (all.length === 1 ? all[0] : null);
  }

  build() {
    this.plot?.destroy();
    this.legend.replaceChildren();
    this.values = this.entries.map((entry) => {
      const value = h('b');
      const swatch = h(entry.dash ? 'i.swatch.dashed' : 'i.swatch');
      swatch.style.setProperty('--c', entry.color());
      entry.swatch = swatch;
      const button = h('button.entry', {
        title: `Show or hide ${entry.channel.name.slice(0, 300)}; drag it into another plot${entry.guest ? '; double click takes it out of this one' : ''}`,
        'aria-pressed': 'true', draggable: true, ondragstart: (event) => this.drag(event, [entry.channel.name]),
        ondblclick: () => {
          if (this.guests.delete(entry.channel.name)) this.load();
        },
        onclick: () => {
          const key = this.entries.indexOf(entry) + 1;
          const show = !this.plot.series[key].show;
          this.plot.setSeries(key, { show });
          button.setAttribute('aria-pressed', String(show));
        },
      }, swatch, entry.text && h('span', {}, shorten(entry.text, 28)), value);
      this.legend.append(button);
      return value;
    });
    const bad = this.entries.reduce((sum, { channel }) => sum + channel.column.bad, 0);
    const notes = [bad && `${count(bad)} ${bad === 1 ? 'value is' : 'values are'} not a finite number: a gap in the curve.`, this.refused].filter(Boolean);
    this.note.hidden = !notes.length;
    this.note.textContent = notes.join(' ');
    const empty = !this.groups.some((group) => group.times.length);
    if (empty) {
      this.plot = null;
      this.holder.replaceChildren(h('p.empty', {}, 'This run has no samples.'));
      return;
    }
    this.plot = new uPlot(this.options(), this.data(), this.holder);
    this.plot.over.append(this.marker);
    this.gestures();
    this.mark();
    this.read();
  }

  options() {
    const few = this.groups.every((group) => group.times.length < 3);
    const other = this.entries.find(({ scale }) => scale === 'other');
    return {
      width: Math.max(200, this.holder.clientWidth || 600),
      height: this.height(),
      pxAlign: 0,
      padding: [8, RIGHT, 0, 0],
      legend: { show: false },
      series: [{}, ...this.entries.map((entry) => ({
        scale: entry.scale, stroke: () => entry.color(), width: 1.6, dash: entry.dash, points: { show: few, size: 7 },
      }))],
      axes: [
        { ...axis('time [s]'), size: 28, space: 70, values: tickText },
        { ...axis(), size: LEFT, space: 34, values: tickText },
        ...(other ? [{ ...axis(`[${other.channel.unit || '1'}]`), side: 1, scale: 'other', size: LEFT, space: 34, values: tickText, grid: { show: false } }] : []),
      ],
      scales: {
        x: { time: false, range: () => [state.view.min, state.view.max] },
        y: { range: (u, min, max) => padded(min, max) },
        ...(other ? { other: { range: (u, min, max) => padded(min, max) } } : {}),
      },
      cursor: {
        sync: { key: SYNC, setSeries: false, scales: ['x', null] },
        drag: { x: true, y: false, setScale: false, dist: 4 },
        points: { size: 6 },
        bind: { dblclick: () => () => { resetView(); } },
      },
      hooks: {
        setSelect: [(u) => {
          const { left, width } = u.select;
          if (width > 3) {
            const from = u.posToVal(left, 'x'), to = u.posToVal(left + width, 'x');
            u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            setView(from, to);
          }
        }],
        setCursor: [() => this.read()],
        setSize: [() => this.mark()],
        draw: [(u) => this.drawBand(u)],
      },
    };
  }

  height() {
    return innerWidth < 700 ? 168 : 190;
  }

  data() {
    const width = Math.max(200, (this.holder.clientWidth || 600) - LEFT - RIGHT);
    return thin(this.groups, state.view, Math.round(width * Math.min(2, devicePixelRatio || 1)), uPlot.join);
  }

  drawBand(u) {
    if (!this.regimes) return;
    const ratio = u.pxRatio || devicePixelRatio || 1;
    const tall = BAND * ratio;
    paintBand(u.ctx, this.regimes, state.view, u.bbox.left, u.bbox.top + u.bbox.height - tall, u.bbox.width, tall);
  }

  // A click moves the shown moment; the wheel with a key, or two fingers, zooms.
  gestures() {
    const { over } = this.plot;
    let down = null;
    over.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
    over.addEventListener('pointerup', (event) => {
      if (down && Math.hypot(event.clientX - down[0], event.clientY - down[1]) < 4 && event.button === 0) {
        setTime(this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x'));
      }
      down = null;
    });
    over.addEventListener('wheel', (event) => {
      if (!(event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      const around = this.plot.posToVal(event.clientX - over.getBoundingClientRect().left, 'x');
      zoom(Math.exp((event.deltaY || event.deltaX) * 0.002), around);
    }, { passive: false });
    let pinch = null;
    const places = (event) => {
      const { left } = over.getBoundingClientRect();
      return [event.touches[0].clientX - left, event.touches[1].clientX - left].sort((a, b) => a - b);
    };
    over.addEventListener('touchstart', (event) => {
      pinch = event.touches.length === 2 ? places(event).map((x) => this.plot.posToVal(x, 'x')) : null;
    }, { passive: true });
    over.addEventListener('touchmove', (event) => {
      if (!pinch || event.touches.length !== 2) return;
      event.preventDefault();
      const [a, b] = places(event), width = over.clientWidth;
      if (b - a < 20) return;
      const span = ((pinch[1] - pinch[0]) * width) / (b - a);
      const min = pinch[0] - (a / width) * span;
      setView(min, min + span);
    }, { passive: false });
  }

  // Values at the cursor; without one, at the shown moment.
  read() {
    const u = this.plot;
    if (!u) return;
    const pointed = u.cursor.left >= 0;
    const t = pointed ? u.posToVal(u.cursor.left, 'x') : state.time;
    this.entries.forEach(({ run, channel }, i) => {
      const times = run.time.values;
      const inside = times.length && t >= times[0] - 1e-12 && t <= times[times.length - 1] + 1e-12;
      this.values[i].textContent = times.length && (inside || times.length === 1)
        ? format(channel.column.values[nearestIndex(times, t)], 5) : '–';
    });
  }

  mark() {
    const u = this.plot;
    if (!u?.over) return;
    const { view, time } = state;
    const part = (time - view.min) / (view.max - view.min);
    this.marker.hidden = !(part >= 0 && part <= 1);
    this.marker.style.transform = `translateX(${part * u.over.clientWidth}px)`;
    if (!(u.cursor.left >= 0)) this.read();
  }

  refresh() {
    if (!this.plot) return;
    this.plot.setData(this.data());
    this.mark();
  }

  resize(width) {
    if (!this.plot) return;
    this.plot.setSize({ width: Math.max(200, width || this.holder.clientWidth), height: this.height() });
    this.refresh();
  }

  recolor() {
    this.entries?.forEach((entry) => entry.swatch?.style.setProperty('--c', entry.color()));
    this.plot?.redraw();
  }
}

// ---------------------------------------------------------------------------------------------
// The stack of plots

const NICE = ['position', 'velocity', 'force', 'gap', 'rate', 'angular_velocity', 'value'];
const MOST_AT_FIRST = 5, MOST_LINES = 6;

// The groups that tell most, when nothing was chosen yet.
export function firstGroups(groups, runs) {
  const moving = (group) => group.channels.some((name) =>
    runs.some((run) => run.channels.has(name) && !run.channels.get(name).column.constant));
  const all = [...groups.values()].filter((group) => !group.name.endsWith('.mode'));
  const rank = (group) => {
    const kind = NICE.findIndex((word) => group.name.endsWith(`.${word}`));
    return (moving(group) ? 0 : 100) + (kind < 0 ? NICE.length : kind);
  };
  const chosen = new Set(all.map((group, i) => ({ group, i }))
    .sort((a, b) => rank(a.group) - rank(b.group) || a.i - b.i)
    .slice(0, MOST_AT_FIRST).map(({ group }) => group.name));
  return all.filter((group) => chosen.has(group.name));
}

export class PlotStack {
  constructor(runs, groups, onChange) {
    Object.assign(this, { runs, groups, onChange });
    this.element = h('div.plots');
    on('view', () => cards.forEach((card) => card.refresh()));
    on('time', () => cards.forEach((card) => card.mark()));
    on('size', () => cards.forEach((card) => card.resize()));
    on('theme', () => cards.forEach((card) => card.recolor()));
    on('front', () => cards.forEach((card) => { card.regimes = card.findRegimes(); card.plot?.redraw(); }));
  }

  has(channel) {
    return cards.get(groupOf(channel))?.shown.has(channel) || false;
  }

  async set(channels, show) {
    const touched = new Set();
    for (const channel of channels) {
      const group = this.groups.get(groupOf(channel));
      let card = cards.get(group.name);
      if (show && !card) {
        card = new Card(group, [], this.runs, this.groups, () => this.set(group.channels, false));
        cards.set(group.name, card);
        this.element.append(card.element);
      }
      if (!card) continue;
      if (show) card.shown.add(channel);
      else card.shown.delete(channel);
      touched.add(card);
    }
    for (const card of touched) {
      if (card.shown.size) {
        await card.load();
      } else {
        card.plot?.destroy();
        card.element.remove();
        cards.delete(card.group.name);
      }
    }
    this.onChange?.();
  }

  // Shows the channels of a body and brings its first plot into view. False when it has none.
  async showBody(name) {
    const own = [...this.groups.values()].flatMap((group) => group.channels).filter((channel) => channel.startsWith(`${name}.`));
    if (!own.length) return false;
    await this.set(own.slice(0, MOST_LINES).filter((channel) => !this.has(channel)), true);
    const { element } = cards.get(groupOf(own[0]));
    element.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    element.classList.remove('called');
    requestAnimationFrame(() => element.classList.add('called'));
    return true;
  }

  // Shows what tells most. Comes back when the first plots are there; `rest` is done with all.
  async first() {
    const [a, b, ...others] = firstGroups(this.groups, this.runs);
    const show = (group) => this.set(group.channels.slice(0, MOST_LINES), true);
    for (const group of [a, b]) if (group) await show(group);
    return { rest: async () => { for (const group of others) await show(group); } };
  }

  get cards() {
    return [...cards.values()];
  }

  // For paper: all plots at a given width; without one, back to the window's.
  resize(width) {
    cards.forEach((card) => card.resize(width));
  }
}

export { tailOf, tickText };
