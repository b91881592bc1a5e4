// SPDX-License-Identifier: Apache-2.0
// The runs in this page: what src/report/page.c wrote. Numbers are unpacked when they are wanted.

const bytesOf = Uint8Array.fromBase64
  ? (text) => Uint8Array.fromBase64(text)
  : (text) => {
    const raw = atob(text);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
    return bytes;
  };

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Planes of bytes, the most significant first, of differences of bit patterns.
function unpackDoubles(planes, n) {
  const words = new Uint32Array(2 * n);
  let low = 0, high = 0;
  const [a, b, c, d, e, f, g, h] = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => k * n);
  for (let i = 0; i < n; ++i) {
    const l = ((planes[e + i] << 24) | (planes[f + i] << 16) | (planes[g + i] << 8) | planes[h + i]) >>> 0;
    const u = ((planes[a + i] << 24) | (planes[b + i] << 16) | (planes[c + i] << 8) | planes[d + i]) >>> 0;
    const sum = low + l;
    low = sum >>> 0;
    high = (high + u + (sum > 0xffffffff ? 1 : 0)) >>> 0;
    words[2 * i] = low;
    words[2 * i + 1] = high;
  }
  return new Float64Array(words.buffer);
}

function unpackFloats(planes, n) {
  const words = new Uint32Array(n);
  let sum = 0;
  for (let i = 0; i < n; ++i) {
    sum = (sum + ((planes[i] << 24) | (planes[n + i] << 16) | (planes[2 * n + i] << 8) |
                  planes[3 * n + i])) >>> 0;
    words[i] = sum;
  }
  return new Float32Array(words.buffer);
}

export async function unpack(column, short) {
  const n = column.count;
  if (column.kind === 'constant') {
    return new Float64Array(n).fill(column.value === null ? NaN : column.value);
  }
  if (column.kind === 'even') {
    const times = new Float64Array(n);
    for (let i = 0; i < n; ++i) times[i] = column.start + i * column.step;
    return times;
  }
  const element = document.getElementById(`c${column.element}`);
  const planes = await inflate(bytesOf(element.textContent));
  if (column.kind === 'f64') return unpackDoubles(planes, n);
  const floats = unpackFloats(planes, n);
  if (short) return floats;
  const doubles = new Float64Array(n);
  for (let i = 0; i < n; ++i) doubles[i] = floats[i] + column.middle;
  return doubles;
}

// Samples whose least and largest are kept, so that long columns are not read again at every zoom.
export const BLOCK = 256;

// A column, unpacked once.
export class Column {
  constructor(description) {
    this.description = description;
    this.values = null;
    this.bad = 0; // values that are not finite
    this.lows = this.highs = null; // places of the least and the largest of each block; -1: none
    this.promise = null;
  }

  get constant() {
    return this.description.kind === 'constant';
  }

  load() {
    this.promise ||= unpack(this.description, false).then((values) => {
      this.values = values;
      this.survey();
      return values;
    });
    return this.promise;
  }

  survey() {
    const { values } = this;
    const blocks = Math.ceil(values.length / BLOCK);
    this.lows = new Int32Array(blocks);
    this.highs = new Int32Array(blocks);
    for (let b = 0; b < blocks; ++b) {
      const end = Math.min(values.length, (b + 1) * BLOCK);
      let low = Infinity, high = -Infinity, lowAt = -1, highAt = -1;
      for (let i = b * BLOCK; i < end; ++i) {
        const value = values[i];
        if (!(Math.abs(value) < Infinity)) {
          this.bad++;
          continue;
        }
        if (value < low) { low = value; lowAt = i; }
        if (value > high) { high = value; highAt = i; }
      }
      this.lows[b] = lowAt;
      this.highs[b] = highAt;
    }
  }

  // Places of the least and the largest finite value of [from, to), into `found`; -1: none.
  extremes(from, to, found) {
    const { values, lows, highs } = this;
    let lowAt = -1, highAt = -1;
    const look = (i) => {
      const value = values[i];
      if (!(Math.abs(value) < Infinity)) return;
      if (lowAt < 0 || value < values[lowAt]) lowAt = i;
      if (highAt < 0 || value > values[highAt]) highAt = i;
    };
    let i = from;
    const first = Math.ceil(from / BLOCK), last = Math.floor(to / BLOCK);
    if (last > first) {
      for (; i < first * BLOCK; ++i) look(i);
      for (let b = first; b < last; ++b) {
        if (lows[b] >= 0) { look(lows[b]); look(highs[b]); }
      }
      i = last * BLOCK;
    }
    for (; i < to; ++i) look(i);
    found[0] = lowAt;
    found[1] = highAt;
  }
}

function parse(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

// ---------------------------------------------------------------------------------------------
// Another program may have written the descriptions: everything gets the type that it must have.

const object = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {});
const text = (value) => (typeof value === 'string' ? value : '');
const number = (value) => (Number.isFinite(value) ? value : null);
const list = (value) => (Array.isArray(value) ? value.map(object) : []);
const numbers = (value, otherwise) =>
  (Array.isArray(value) && value.length === otherwise.length && value.every(Number.isFinite) ? value : otherwise);
const ZERO = [0, 0, 0];

const place = (value) => {
  const it = object(value);
  return { body: number(it.body) || 0, axis: number(it.axis) || 0, point: numbers(it.point, ZERO), turn: numbers(it.turn, [1, 0, 0, 0]) };
};

// Of a drawing, w x y z. Older recordings have `turn`, x y z w.
const orientationOf = (it) => {
  const [x, y, z, w] = numbers(it.turn, [0, 0, 0, 1]);
  return numbers(it.orientation, [w, x, y, z]);
};

const drawOf = (it) => ({
  type: text(it.type), size: numbers(it.size, ZERO), center: numbers(it.center, ZERO), turn: orientationOf(it), color: number(it.color),
});
const figureOf = (it) => ({ ...drawOf(it), shape: text(it.type), undrawn: number(it.undrawn) || 0, ...meshOf(it) });

// Vertices, three numbers each, and triangles of them; nothing unless every triangle has its vertices.
const meshOf = (it) => {
  const vertices = Array.isArray(it.vertices) && it.vertices.every(Number.isFinite) ? it.vertices : [];
  const triangles = Array.isArray(it.triangles) ? it.triangles : [];
  const whole = vertices.length % 3 === 0 && triangles.length % 3 === 0 &&
    triangles.every((v) => Number.isInteger(v) && v >= 0 && v < vertices.length / 3);
  return whole ? { vertices, triangles } : { vertices: [], triangles: [] };
};

const shapeOf = (it) => ({
  shape: text(it.shape), size: numbers(it.size, ZERO), center: numbers(it.shape_center, ZERO), turn: numbers(it.shape_turn, [1, 0, 0, 0]),
  undrawn: number(it.undrawn) || 0, ...meshOf(it),
});

// shapes: that of its definition, which a recording has in the body itself, and the others.
const bodyOf = (it) => ({
  name: text(it.name), type: text(it.type), joint: text(it.joint), mass: number(it.mass) || 0, dim: number(it.dim), parent: number(it.parent) || 0,
  shapes: [it, ...list(it.shapes)].map(shapeOf).filter(({ shape }) => shape && shape !== 'point'),
  axes: Array.isArray(it.axes) ? it.axes.filter((a) => a === 0 || a === 1 || a === 2) : [],
  draw: it.draw === undefined ? null : figureOf(object(it.draw)), figures: list(it.figures).map(figureOf),
  inertia: numbers(it.inertia, [0, 0, 0, 0, 0, 0]), offset: numbers(it.offset, ZERO), axis: numbers(it.axis, ZERO), center: numbers(it.center, ZERO),
});

const forceOf = (it) => ({
  name: text(it.name), law: text(it.law), coupling: text(it.coupling), friction: it.friction === true, level: number(it.level), on: place(it.on), to: place(it.to),
});

const allNumbers = (it, keys) => Object.fromEntries(keys.map((key) => [key, number(it[key])]));

function sceneOf(value) {
  const it = object(value), run = object(it.run);
  return {
    run: { method: text(run.method), ...allNumbers(run, ['step', 'duration', 'bodies', 'forces']) },
    note: text(it.note), gravity: numbers(it.gravity, ZERO), bodies: list(it.bodies).map(bodyOf), forces: list(it.forces).map(forceOf),
  };
}

function summaryOf(value) {
  if (value === null) return null;
  const it = object(value);
  return {
    completed: it.completed === true,
    verdict: { verdict: text(object(it.verdict).verdict), why: text(object(it.verdict).why), within: text(object(it.verdict).within), compared: object(it.verdict).compared === true },
    ...allNumbers(it, ['time', 'steps', 'evaluations', 'wall_seconds', 'largest_penetration', 'events', 'largest_opening']),
    contacts: allNumbers(object(it.contacts), ['most', 'worst_residual', 'unsolved_steps', 'iterations']),
    energy: allNumbers(object(it.energy), ['kinetic', 'potential', 'stored', 'start', 'input', 'dissipated', 'residual', 'turnover']),
    forces: list(it.forces).map((force) => ({
      name: text(force.name), friction: force.friction === true,
      ...allNumbers(force, ['stick_seconds', 'slip_seconds', 'open_seconds', 'transitions', 'dissipated', 'input', 'largest_force']),
    })),
  };
}

// Pairs of bodies that touch: rows of nine numbers as in /frames/contact_list, and where the rows of
// each kept frame begin. Null when they do not fit together.
async function unpackPairs({ stride, most, count, rows }, frames) {
  const [counts, table] = await Promise.all([unpack(count, true), unpack(rows, true)]);
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; ++i) starts[i + 1] = starts[i] + counts[i];
  const total = starts[counts.length];
  if (!(stride >= 1) || counts.length < Math.ceil(frames / stride) || table.length < 9 * total) return null;
  return { stride, most, starts, total, rows: table, read: (row, column) => table[column * total + row] };
}

export class Run {
  constructor(description, index) {
    Object.assign(this, {
      index,
      label: description.label,
      title: description.title,
      model: description.model,
      samples: description.samples,
      truncated: description.truncated,
    });
    this.time = new Column(description.time);
    this.channels = new Map(description.channels.map(({ name, unit, values }) =>
      [name, { name, unit, run: this, column: new Column(values) }]));
    this.scene = sceneOf(parse(description.scene));
    this.summary = summaryOf(parse(description.summary));
    this.frames = description.frames;
    this.regimes = null;
    this.eventColumns = description.events;
    this.events = null; // { count, all, time, force, from, to }
  }

  // Poses, forces and contacts at the frames' times.
  async loadFrames() {
    const f = this.frames;
    if (!f.count) return null;
    const energy = {};
    const [time, poses, forces, contacts] = await Promise.all([
      unpack(f.time, false), unpack(f.poses, true), unpack(f.forces_at, true), f.contacts ? unpack(f.contacts_at, true) : null]);
    for (const [name, column] of Object.entries(f.energy)) energy[name] = await unpack(column, false);
    const pairs = f.pairs ? await unpackPairs(f.pairs, f.count) : null;
    this.loaded = { count: f.count, pairs, bodies: f.bodies, forces: f.forces, contacts: f.contacts || 0, time, poses, at: forces, contactsAt: contacts, energy };
    return this.loaded;
  }

  // What the method located: times, forces (from 1), modes before and after.
  async loadEvents() {
    const it = this.eventColumns;
    if (!it?.count) return;
    const columns = ['time', 'force', 'from', 'to'];
    const values = await Promise.all(columns.map((name) => unpack(it[name], false)));
    this.events = { count: it.count, all: it.all, ...Object.fromEntries(columns.map((name, k) => [name, values[k]])) };
  }

  get span() {
    const times = this.time.values;
    return times && times.length ? [times[0], times[times.length - 1]] : null;
  }
}

export function readRuns() {
  const description = JSON.parse(document.getElementById('runs').textContent);
  return {
    version: description.version,
    shortened: description.shortened,
    runs: description.runs.map((run, index) => new Run(run, index)),
  };
}

// Index of the last time <= t; -1 before the first.
export function indexAt(times, t) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export function nearestIndex(times, t) {
  const i = indexAt(times, t);
  if (i < 0) return 0;
  return i + 1 < times.length && times[i + 1] - t < t - times[i] ? i + 1 : i;
}

// ---------------------------------------------------------------------------------------------
// Regimes: 0 open, 1 stick, 2 slip, as stretches [{start times}, {regimes}].

function stretches(times, regimeAt) {
  const starts = [], regimes = [];
  for (let i = 0; i < times.length; ++i) {
    const regime = regimeAt(i);
    if (!regimes.length || regimes[regimes.length - 1] !== regime) {
      starts.push(times[i]);
      regimes.push(regime);
    }
  }
  return { starts, regimes, end: times.length ? times[times.length - 1] : 0 };
}

// Of every force with friction: from its mode channel, else from the frames.
export async function loadRegimes(run) {
  const found = [];
  const times = await run.time.load();
  const known = new Set();
  for (const [name, channel] of run.channels) {
    if (!name.endsWith('.mode')) continue;
    const mode = await channel.column.load();
    const force = name.slice(0, -5);
    known.add(force);
    found.push({ force, exact: true,
      ...stretches(times, (i) => (mode[i] === 2 ? 0 : mode[i] === 0 ? 1 : mode[i] === 1 || mode[i] === -1 ? 2 : -1)) });
  }
  const f = run.loaded;
  run.scene.forces.forEach((force, k) => {
    if (!f || k >= f.forces || !force.friction || known.has(force.name)) return;
    const offset = (k * 12 + 11) * f.count;
    found.push({ force: force.name, exact: false, ...stretches(f.time, (i) => f.at[offset + i]) });
  });
  run.regimes = found;
  return found;
}

export function regimeAt(regimes, t) {
  const i = indexAt(regimes.starts, t);
  return i < 0 ? -1 : regimes.regimes[i];
}
