// SPDX-License-Identifier: Apache-2.0
// The energy ledger: what the machine holds and what became heat, stacked, against what it had and
// was given. Where the stack and the line part, the method made or lost energy.
import uPlot from 'uplot';
import { color, format, h, shorten } from './dom.js';
import { axis, LEFT, padded, RIGHT, tickText } from './plots.js';
import { indexAt } from './data.js';
import { on, setTime, setView, state } from './state.js';

const PARTS = [
  ['dissipated', 'turned into heat', '--e-heat'],
  ['stored', 'in springs', '--e-stored'],
  ['potential', 'potential, from lowest', '--e-potential'],
  ['kinetic', 'kinetic', '--e-kinetic'],
];

function tableOf(frames) {
  const { energy, time } = frames;
  const n = frames.count;
  let lowest = Infinity;
  for (const value of energy.potential) lowest = Math.min(lowest, value);
  const columns = PARTS.map(() => new Float64Array(n));
  const given = new Float64Array(n);
  // What there was at first follows from the ledger at any moment.
  for (let i = 0; i < n; ++i) {
    let sum = 0;
    PARTS.forEach(([name], k) => {
      sum += name === 'potential' ? energy.potential[i] - lowest : energy[name][i];
      columns[k][i] = sum;
    });
    given[i] = sum - energy.residual[i];
  }
  return { time, columns, given, lowest, energy };
}

export function energyPanel(runs) {
  const holder = h('div.plot');
  const legend = h('div.legend');
  const name = h('span.unit');
  const marker = h('div.marker');
  const note = h('p.note');
  const panel = h('div.card.plot-card', {},
    h('div.plot-head', {}, h('h3', {}, 'Energy', h('span.unit', {}, ' J '), name), legend), holder, note);
  let plot = null, table = null, values = [];

  function build() {
    plot?.destroy();
    plot = null;
    const run = runs[state.front];
    name.textContent = runs.length > 1 ? `· ${shorten(run.label, 30)}` : '';
    legend.replaceChildren();
    holder.replaceChildren();
    note.textContent = '';
    if (!run.loaded) {
      holder.append(h('p.empty', {}, run.frames.count ? 'Loading…' : 'This recording holds no energy ledger (record to HDF5).'));
      return;
    }
    table = tableOf(run.loaded);
    values = [];
    const entry = (text, variable, line) => {
      const value = h('b');
      legend.append(h('span.entry', {}, h(line ? 'i.swatch.dashed' : 'i.swatch.area', { 'data-v': variable }), h('span', {}, text), value));
      values.push(value);
    };
    [...PARTS].reverse().forEach(([, text, variable]) => entry(text, variable, false));
    entry('start + put in', '--text', true);
    entry('residual', '--bad', true);
    legend.querySelectorAll('[data-v]').forEach((swatch) => swatch.style.setProperty('--c', `var(${swatch.dataset.v})`));
    plot = new uPlot(options(), data(), holder);
    plot.over.append(marker);
    plot.over.addEventListener('click', (event) => {
      setTime(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
    });
    read();
    mark();
  }

  const height = () => (innerWidth < 700 ? 220 : 260);

  function options() {
    const faded = (variable) => () => `${color(variable)}c0`;
    return {
      width: Math.max(200, holder.clientWidth), height: height(), pxAlign: 0,
      padding: [8, RIGHT, 0, 0], legend: { show: false },
      series: [{}, { stroke: () => color('--text'), width: 1.4, dash: [6, 4], points: { show: false } },
        ...[...PARTS].reverse().map(([, , variable]) => ({
          stroke: () => color(variable), fill: faded(variable), width: 1, points: { show: false },
        })), ],
      axes: [{ ...axis(), size: 28, space: 70, values: tickText }, { ...axis(), size: LEFT, space: 34, values: tickText }],
      scales: {
        x: { time: false, range: () => [state.view.min, state.view.max] },
        y: { range: (u, min, max) => { const [low, high] = padded(Math.min(0, min), max); return [min >= 0 ? 0 : low, high]; } },
      },
      // Each area reaches down to the next one below it.
      bands: PARTS.slice(1).map(([, , variable], i) => ({
        series: [PARTS.length + 1 - (i + 1), PARTS.length + 1 - i], fill: faded(variable),
      })),
      cursor: { sync: { key: 'time', setSeries: false, scales: ['x', null] }, drag: { x: true, y: false, setScale: false, dist: 4 }, points: { show: false } },
      hooks: {
        setSelect: [(u) => {
          const { left, width } = u.select;
          if (width > 3) {
            const from = u.posToVal(left, 'x'), to = u.posToVal(left + width, 'x');
            u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
            setView(from, to);
          }
        }],
        setCursor: [() => read()],
        setSize: [() => mark()],
        draw: [(u) => { // the line last, above the areas
          const context = u.ctx;
          context.save();
          context.beginPath();
          context.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
          context.clip();
          context.strokeStyle = color('--text');
          context.lineWidth = 1.4 * (devicePixelRatio || 1);
          context.setLineDash([6, 4].map((x) => x * (devicePixelRatio || 1)));
          context.beginPath();
          u.data[0].forEach((t, i) => {
            const x = u.valToPos(t, 'x', true), y = u.valToPos(u.data[1][i], 'y', true);
            if (i) context.lineTo(x, y);
            else context.moveTo(x, y);
          });
          context.stroke();
          context.restore();
        }],
      },
    };
  }

  const data = () => [table.time, table.given, ...[...table.columns].reverse()];

  function read() {
    if (!plot || !table) return;
    const t = plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, 'x') : state.time;
    const i = Math.max(0, indexAt(table.time, t));
    const { energy } = table;
    const shown = [energy.kinetic[i], energy.potential[i] - table.lowest, energy.stored[i], energy.dissipated[i],
      table.given[i], energy.residual[i]];
    values.forEach((value, k) => { value.textContent = format(shown[k], 4); });
  }

  function mark() {
    if (!plot) return;
    const part = (state.time - state.view.min) / (state.view.max - state.view.min);
    marker.hidden = !(part >= 0 && part <= 1);
    marker.style.transform = `translateX(${part * plot.over.clientWidth}px)`;
    if (!(plot.cursor.left >= 0)) read();
  }

  on('view', () => { plot?.setData(data()); mark(); });
  on('time', mark);
  on('theme', () => plot?.redraw());
  on('front', build);
  const resize = (width) => plot?.setSize({ width: Math.max(200, width || holder.clientWidth), height: height() });
  on('size', () => { resize(); mark(); });
  return { panel, build, resize };
}
