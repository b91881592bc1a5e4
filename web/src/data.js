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

async function unpack(column, short) {
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
  return Float64Array.from(floats, (value) => value + column.middle);
}

// A column, unpacked once.
export class Column {
  constructor(description) {
    this.description = description;
    this.values = null;
    this.bad = 0; // values that are not finite
    this.promise = null;
  }

  get constant() {
    return this.description.kind === 'constant';
  }

  load() {
    this.promise ||= unpack(this.description, false).then((values) => {
      let bad = 0;
      for (let i = 0; i < values.length; ++i) if (!(Math.abs(values[i]) < Infinity)) bad++;
      this.bad = bad;
      this.values = values;
      return values;
    });
    return this.promise;
  }
}

function parse(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

const list = (value) => (Array.isArray(value) ? value : []);

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
    const scene = parse(description.scene) || {};
    this.scene = { run: scene.run || {}, bodies: list(scene.bodies), forces: list(scene.forces), note: scene.note };
    this.summary = parse(description.summary);
    this.frames = description.frames;
    this.regimes = null;
  }

  // Poses and forces at the frames' times.
  async loadFrames() {
    const f = this.frames;
    if (!f.count) return null;
    const energy = {};
    const [time, poses, forces] = await Promise.all([
      unpack(f.time, false), unpack(f.poses, true), unpack(f.forces_at, true)]);
    for (const [name, column] of Object.entries(f.energy)) energy[name] = await unpack(column, false);
    this.loaded = { count: f.count, bodies: f.bodies, forces: f.forces, time, poses, at: forces, energy };
    return this.loaded;
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
