// SPDX-License-Identifier: Apache-2.0
// The page of a sweep: a map of two columns with a third in colour, all columns side by side
// (parallel coordinates), all pairs of them (scatter matrix), and the case that was chosen.
import { unpack } from './data.js';
import { color, format, h, seriesColor, shorten } from './dom.js';

const MOST_DRAWN = 20000; // cases; of more, every n-th is drawn
const MOST_PAIRS = 6; // columns of the matrix
const MOST_REGIMES = 8; // whole numbers, which get a colour each
const VIRIDIS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

async function readTable() {
  const table = JSON.parse(document.getElementById('table').textContent);
  for (const column of table.columns) {
    column.values = await unpack(column.numbers, table.shortened);
    const finite = [...column.values].filter(Number.isFinite);
    column.low = finite.reduce((a, b) => Math.min(a, b), Infinity);
    column.high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
    column.varies = column.high > column.low;
    column.levels = new Set(finite).size;
    column.log = isGeometric(column, finite);
    column.regimes = !column.words && column.role.startsWith('output:') && column.levels <= MOST_REGIMES
      && finite.every(Number.isInteger) ? [...new Set(finite)].sort((a, b) => a - b) : null;
    column.title = column.unit ? `${column.name} [${column.unit}]` : column.name;
  }
  return table;
}

// Values in equal ratios are drawn on a logarithmic axis.
function isGeometric(column, finite) {
  if (column.words || column.levels < 3 || !(column.low > 0) || column.high < 4 * column.low) return false;
  const levels = [...new Set(finite)].sort((a, b) => a - b);
  const ratio = levels[1] / levels[0];
  return levels.every((v, i) => i === 0 || Math.abs(v / levels[i - 1] / ratio - 1) < 1e-6);
}

const place = (column, value) => {
  const f = column.log ? Math.log : (v) => v;
  if (!column.varies) return 0.5;
  if (column.words) return (value + 0.5) / column.words.length;
  return (f(value) - f(column.low)) / (f(column.high) - f(column.low));
};
// Where an axis has ticks: at each word, at powers of ten, or at round numbers, `most` of them at the most.
function ticksOf(column, most) {
  const { low, high } = column;
  if (column.words) return column.words.map((word, i) => i).slice(0, Math.max(2, most));
  if (!column.varies) return Number.isFinite(low) ? [low] : [];
  if (column.log) {
    const powers = [];
    for (let k = Math.ceil(Math.log10(low) - 1e-9); 10 ** k <= high * (1 + 1e-9); ++k) powers.push(10 ** k);
    return powers.length > 1 ? powers.slice(0, 20) : [low, high];
  }
  const power = 10 ** Math.floor(Math.log10((high - low) / Math.max(2, most)));
  const step = [1, 2, 5, 10].map((k) => k * power).find((k) => (high - low) / k <= Math.max(2, most)) || 10 * power;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) found.push(Number((k * step).toPrecision(12)));
  return found;
}
const shown = (column, value) => (column.words ? column.words[value] : format(value));

function colorOf(column, value) {
  if (!Number.isFinite(value)) return color('--line');
  if (column.words) return seriesColor(value);
  if (column.regimes) return seriesColor(column.regimes.indexOf(value));
  const at = Math.min(Math.max(place(column, value), 0), 1) * (VIRIDIS.length - 1);
  const k = Math.min(Math.floor(at), VIRIDIS.length - 2);
  const mix = VIRIDIS[k].map((c, i) => Math.round(c + (at - k) * (VIRIDIS[k + 1][i] - c)));
  return `rgb(${mix.join(',')})`;
}

// What the colours mean: a patch for each text or regime, or the scale from the least to the largest.
function legendOf(column) {
  const painted = (what, background) => {
    const element = h(what);
    element.style.setProperty('background', background);
    return element;
  };
  const levels = column.words ? column.words.map((w, i) => i) : column.regimes;
  if (levels) return levels.slice(0, 24).map((v) => h('span.key', {}, painted('i', colorOf(column, v)), shorten(String(shown(column, v)), 40) || 'none'));
  const stops = VIRIDIS.map((c) => `rgb(${c.join(',')})`).join(',');
  return [h('span.key', {}, format(column.low), painted('i.scale', `linear-gradient(90deg, ${stops})`), format(column.high))];
}

// A canvas in a box, drawn again when the width of the box changes.
function sheet(name, height, paint) {
  const canvas = h('canvas', { tabIndex: 0 });
  const holder = h('div.sheet', {}, canvas);
  canvas.id = name;
  const draw = () => {
    const width = holder.clientWidth - 2;
    if (width < 10) return;
    const tall = typeof height === 'function' ? height(width) : height;
    const dots = window.devicePixelRatio || 1;
    canvas.width = Math.round(width * dots);
    canvas.height = Math.round(tall * dots);
    canvas.style.setProperty('width', `${width}px`);
    canvas.style.setProperty('height', `${tall}px`);
    const context = canvas.getContext('2d');
    context.setTransform(dots, 0, 0, dots, 0, 0);
    context.clearRect(0, 0, width, tall);
    context.font = '12px system-ui, sans-serif';
    paint(context, width, tall);
  };
  let drawn = 0;
  new ResizeObserver(() => {
    if (holder.clientWidth !== drawn) draw();
    drawn = holder.clientWidth;
  }).observe(holder);
  return { canvas, holder, draw };
}

const inkOf = () => color('--text');

export async function sweepPage(page) {
  const table = await readTable();
  const { columns } = table;
  const rows = table.rows;
  const numeric = columns.filter((c) => !['case', 'message'].includes(c.role) && (c.varies || c.words));
  const axes = numeric.filter((c) => /^(set:|parameter|variant|method)/.test(c.role));
  const outputs = numeric.filter((c) => c.role.startsWith('output:'));
  const verdict = columns.find((c) => c.role === 'verdict');
  const first = axes[0] || numeric[0];
  const chosen = { x: first, y: axes[1] || outputs[0] || first, colour: axes[1] ? outputs[0] || verdict : outputs[1] || verdict };
  const state = { row: -1, ranges: new Map() };
  const stride = Math.max(1, Math.ceil(rows / MOST_DRAWN));
  const count = (word) => (verdict && verdict.words ? [...verdict.values].filter((v) => verdict.words[v] === word).length : 0);
  const passes = (i) => [...state.ranges].every(([c, [low, high]]) => {
    const p = place(c, c.values[i]);
    return p >= low && p <= high;
  });
  const sheets = [];
  const legend = h('p.legend', {});
  legend.id = 'legend';
  const redraw = () => {
    legend.replaceChildren(...legendOf(chosen.colour));
    sheets.forEach((s) => s.draw());
  };

  // Map
  const box = (w, t) => ({ left: 70, top: 10, width: w - 90, height: t - 55 });
  const points = new Map();
  function frame(g, b, inner, x, y) {
    g.strokeStyle = color('--axis');
    g.fillStyle = inkOf();
    g.strokeRect(b.left, b.top, b.width, b.height);
    g.textAlign = 'center';
    for (const v of ticksOf(x, Math.floor(b.width / 90))) {
      const at = inner.left + place(x, v) * inner.width;
      g.fillRect(at, b.top + b.height, 1, 4);
      g.fillText(shorten(String(shown(x, v)), 14), at, b.top + b.height + 17);
    }
    g.textAlign = 'right';
    for (const v of ticksOf(y, Math.floor(b.height / 40))) {
      const at = inner.top + (1 - place(y, v)) * inner.height;
      g.fillRect(b.left - 4, at, 4, 1);
      g.fillText(shorten(String(shown(y, v)), 8), b.left - 7, at + 4);
    }
    g.textAlign = 'center';
    g.fillText(shorten(x.title, 60), b.left + b.width / 2, b.top + b.height + 34);
    g.save();
    g.translate(14, b.top + b.height / 2);
    g.rotate(-Math.PI / 2);
    g.fillText(shorten(y.title, 40), 0, 0);
    g.restore();
  }
  const map = sheet('map', (w) => Math.min(520, 0.6 * w), (g, w, t) => {
    const { x, y, colour } = chosen;
    const b = box(w, t);
    const grid = x.levels * y.levels <= rows && x.levels > 1 && y.levels > 1;
    const [sx, sy] = grid ? [b.width / x.levels, b.height / y.levels] : [5, 5];
    const inner = grid ? { left: b.left + sx / 2, top: b.top + sy / 2, width: b.width - sx, height: b.height - sy } : b;
    points.clear();
    for (let i = 0; i < rows; i += stride) {
      if (!Number.isFinite(x.values[i]) || !Number.isFinite(y.values[i])) continue;
      const px = inner.left + place(x, x.values[i]) * inner.width;
      const py = inner.top + (1 - place(y, y.values[i])) * inner.height;
      points.set(i, [px, py]);
      g.globalAlpha = passes(i) ? 1 : 0.12;
      g.fillStyle = colorOf(colour, colour.values[i]);
      g.fillRect(px - sx / 2, py - sy / 2, Math.ceil(sx), Math.ceil(sy));
    }
    g.globalAlpha = 1;
    frame(g, b, inner, x, y);
    const at = points.get(state.row);
    if (at) { // seen on dark and light
      for (const [width, ink] of [[5, '#fff'], [2, '#000']]) {
        g.lineWidth = width;
        g.strokeStyle = ink;
        g.strokeRect(at[0] - Math.max(sx, 8) / 2, at[1] - Math.max(sy, 8) / 2, Math.max(sx, 8), Math.max(sy, 8));
      }
      g.lineWidth = 1;
    }
  });
  const nearest = (event) => {
    let best = Infinity, row = -1;
    for (const [i, [px, py]] of points) {
      const d = (px - event.offsetX) ** 2 + (py - event.offsetY) ** 2;
      if (d < best) [best, row] = [d, i];
    }
    return row;
  };
  map.canvas.addEventListener('click', (event) => choose(nearest(event)));
  // The page of a case, where there is one
  const runOf = (row) => (table.runs && !(verdict && verdict.words && verdict.words[verdict.values[row]] === 'failed')
    ? `${encodeURIComponent(table.runs)}/case-${row}.html` : null);
  map.canvas.addEventListener('dblclick', (event) => {
    const run = runOf(nearest(event));
    if (run) window.open(run, '_blank');
  });

  // Parallel coordinates
  const lanes = numeric.filter((c) => c.varies || (c.words && c.levels > 1)).slice(0, 16);
  const side = (k) => (lanes.length < 2 ? 'center' : k === 0 ? 'left' : k === lanes.length - 1 ? 'right' : 'center');
  const crowded = (w) => w / lanes.length < 170;
  const laneX = (k, w) => 60 + (lanes.length > 1 ? k * (w - 120) / (lanes.length - 1) : (w - 120) / 2);
  const parallel = sheet('parallel', 320, (g, w, t) => {
    const y = (c, i) => 30 + (1 - place(c, c.values[i])) * (t - 60);
    const line = (i) => {
      g.beginPath();
      lanes.forEach((c, k) => {
        if (Number.isFinite(c.values[i])) g.lineTo(laneX(k, w), y(c, i));
      });
      g.stroke();
    };
    for (let i = 0; i < rows; i += stride) {
      const good = passes(i);
      g.globalAlpha = good ? Math.max(0.08, Math.min(0.7, 200 / (rows / stride))) : 0.02;
      g.strokeStyle = colorOf(chosen.colour, chosen.colour.values[i]);
      line(i);
    }
    g.globalAlpha = 1;
    g.strokeStyle = g.fillStyle = inkOf();
    lanes.forEach((c, k) => {
      const x = laneX(k, w), edge = side(k) === 'left' ? x - 50 : side(k) === 'right' ? x + 50 : x;
      g.beginPath();
      g.moveTo(x, 30);
      g.lineTo(x, t - 30);
      g.stroke();
      g.textAlign = side(k);
      g.fillText(shorten(c.title, 28), edge, crowded(w) && k % 2 ? t - 2 : 12);
      g.textAlign = 'center';
      g.fillText(shown(c, c.words ? c.words.length - 1 : c.high), x, 26);
      g.fillText(shown(c, c.words ? 0 : c.low), x, t - 16);
      const range = state.ranges.get(c);
      if (range) {
        g.globalAlpha = 0.3;
        g.fillRect(x - 7, 30 + (1 - range[1]) * (t - 60), 14, (range[1] - range[0]) * (t - 60));
        g.globalAlpha = 1;
      }
    });
    if (state.row >= 0) {
      g.lineWidth = 3;
      line(state.row);
      g.lineWidth = 1;
    }
  });
  // Dragging along an axis keeps the cases of that range; a click on it takes the range away.
  let dragged = null;
  const part = (event) => Math.min(Math.max(1 - (event.offsetY - 30) / (parallel.canvas.clientHeight - 60), 0), 1);
  parallel.canvas.addEventListener('pointerdown', (event) => {
    const w = parallel.canvas.clientWidth;
    const k = lanes.findIndex((c, i) => Math.abs(laneX(i, w) - event.offsetX) < 14);
    if (k < 0) return;
    dragged = { column: lanes[k], from: part(event) };
    state.ranges.delete(lanes[k]);
    redraw();
  });
  parallel.canvas.addEventListener('pointermove', (event) => {
    if (!dragged) return;
    const to = part(event);
    if (Math.abs(to - dragged.from) > 0.01) {
      state.ranges.set(dragged.column, [Math.min(to, dragged.from), Math.max(to, dragged.from)]);
      redraw();
    }
  });
  window.addEventListener('pointerup', () => { dragged = null; });

  // Scatter matrix
  const pairs = [...axes, ...outputs].slice(0, MOST_PAIRS);
  const matrix = sheet('matrix', (w) => Math.min(w, 760), (g, w, t) => {
    const n = pairs.length, size = Math.min(w, t) / n;
    g.textAlign = 'left';
    pairs.forEach((cx, i) => pairs.forEach((cy, k) => {
      const left = i * size + 4, top = k * size + 4, edge = size - 8;
      g.strokeStyle = g.fillStyle = inkOf();
      g.globalAlpha = 0.4;
      g.strokeRect(left, top, edge, edge);
      g.globalAlpha = 1;
      if (i === k) {
        g.fillText(shorten(cx.title, Math.max(8, Math.floor(edge / 7))), left + 4, top + edge / 2);
        return;
      }
      for (let r = 0; r < rows; r += stride) {
        if (!Number.isFinite(cx.values[r]) || !Number.isFinite(cy.values[r])) continue;
        g.globalAlpha = passes(r) ? 0.8 : 0.05;
        g.fillStyle = colorOf(chosen.colour, chosen.colour.values[r]);
        g.fillRect(left + place(cx, cx.values[r]) * (edge - 2), top + (1 - place(cy, cy.values[r])) * (edge - 2), 2, 2);
      }
      g.globalAlpha = 1;
    }));
  });
  sheets.push(map, parallel, matrix);

  // The chosen case
  const details = h('div.case', {}, h('p', {}, table.runs ? 'Click into the map to see a case, double-click to open its run.' : 'Click into the map to see a case.'));
  details.id = 'case';
  function choose(row) {
    state.row = row;
    if (row < 0) return;
    const run = runOf(row);
    const command = `holdfast sweep ${table.file} --rerun ${row} -o case-${row}.h5 && holdfast report case-${row}.h5 -o case-${row}.html`;
    details.replaceChildren(
      h('h3', {}, `Case ${row}`, ...(run ? [' · ', h('a', { href: run, target: '_blank' }, 'open its run')] : [])),
      h('table', {}, columns.map((c) => h('tr', {}, h('th', {}, shorten(c.title, 80)),
        h('td', {}, c.words ? c.words[c.values[row]] : String(c.values[row]))))),
      h('p', {}, 'Runs it again, to the same bits, and opens it:'),
      h('pre', {}, command));
    redraw();
  }

  const pick = (key, label) => {
    const select = h('select', { onchange: () => { chosen[key] = numeric.concat(verdict && !numeric.includes(verdict) ? [verdict] : [])[select.selectedIndex]; redraw(); } },
      numeric.concat(verdict && !numeric.includes(verdict) ? [verdict] : []).map((c) => h('option', { selected: c === chosen[key] }, shorten(c.title, 60))));
    select.id = `pick-${key}`;
    return h('label', {}, `${label} `, select);
  };
  const failed = count('failed'), doubtful = count('doubtful');
  document.title = `${table.title} – Holdfast sweep`;
  page.append(
    h('header', {}, h('div.heading', {}, h('h1', {}, shorten(table.title, 160)),
      h('p.subtitle', {}, `${rows} cases · ${failed} failed · ${doubtful} doubtful`))),
    h('main', {},
      h('section.card.sweep', {}, h('h2', {}, 'Map'), h('p.picks', {}, pick('x', 'across'), ' ', pick('y', 'up'), ' ', pick('colour', 'colour')), legend, map.holder),
      h('section.card.sweep', {}, h('h2', {}, 'Chosen case'), details),
      h('section.card.sweep', {}, h('h2', {}, 'All columns'), h('p', {}, 'Drag along an axis to keep a range; click it to let go.'), parallel.holder),
      h('section.card.sweep', {}, h('h2', {}, 'Pairs'), matrix.holder),
      h('section.card.sweep.model', {}, h('details', {}, h('summary', {}, 'Model'), h('pre', {}, table.model)))),
    h('footer', {}, `Made by holdfast ${table.version}`));
  redraw();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redraw);
  window.holdfast = { table, state, chosen, choose };
}
