// SPDX-License-Identifier: Apache-2.0
// Curves for the screen: of every column of pixels the least and the largest value survive.
import { indexAt } from './data.js';

// Samples that are not finite become null, which the plots draw as a gap.
function clean(values) {
  const out = new Array(values.length);
  for (let i = 0; i < values.length; ++i) out[i] = Math.abs(values[i]) < Infinity ? values[i] : null;
  return out;
}

// First and one-past-last sample of a view, with a neighbour on each side.
export function windowOf(times, view) {
  return [Math.max(0, indexAt(times, view.min)), Math.min(times.length, indexAt(times, view.max) + 2)];
}

function bucketed(group, view, buckets) {
  const { times } = group;
  const width = (view.max - view.min) / buckets;
  const edges = new Int32Array(buckets + 1);
  for (let b = 0; b <= buckets; ++b) edges[b] = indexAt(times, view.min + b * width) + 1;
  edges[0] = windowOf(times, view)[0];
  const found = [-1, -1];
  return group.columns.map((column) => {
    const { values } = column;
    const out = new Array(2 * buckets);
    for (let b = 0; b < buckets; ++b) {
      const from = edges[b], to = edges[b + 1];
      if (from === to) { // no sample here: the line goes on
        out[2 * b] = out[2 * b + 1] = undefined;
        continue;
      }
      column.extremes(from, to, found);
      const [low, high] = found;
      out[2 * b] = low < 0 ? null : values[Math.min(low, high)];
      out[2 * b + 1] = low < 0 ? null : values[Math.max(low, high)];
    }
    return out;
  });
}

// groups: [{times, columns: [Column]}], one a run. Gives uPlot's [x, y, y, ...].
export function thin(groups, view, buckets, join) {
  let most = 0;
  const windows = groups.map((group) => windowOf(group.times, view));
  for (const [from, to] of windows) most += Math.max(0, to - from);
  if (most > 4 * buckets && view.max > view.min) {
    const x = new Array(2 * buckets);
    const width = (view.max - view.min) / buckets;
    for (let b = 0; b < buckets; ++b) {
      x[2 * b] = view.min + (b + 0.25) * width;
      x[2 * b + 1] = view.min + (b + 0.75) * width;
    }
    return [x, ...groups.flatMap((group) => bucketed(group, view, buckets))];
  }
  const tables = groups.map((group, k) => {
    const [from, to] = windows[k];
    const cut = (values) => values.subarray(from, Math.max(from, to));
    return [cut(group.times), ...group.columns.map((column) =>
      (column.bad ? clean(cut(column.values)) : cut(column.values)))];
  });
  return tables.length === 1 ? tables[0]
    : join(tables, tables.map((table) => table.map(() => 2)));
}

// A curve in the plane: indices of the samples that keep its outline.
export function outline(x, y, from, to, buckets) {
  const n = to - from;
  const kept = [];
  if (n <= 4 * buckets) {
    for (let i = from; i < to; ++i) kept.push(i);
    return kept;
  }
  for (let b = 0; b < buckets; ++b) {
    const start = from + Math.floor((b * n) / buckets), end = from + Math.floor(((b + 1) * n) / buckets);
    const at = [start, start, start, start, start, end - 1];
    let hole = -1;
    for (let i = start; i < end; ++i) {
      if (x[i] < x[at[1]]) at[1] = i;
      if (x[i] > x[at[2]]) at[2] = i;
      if (y[i] < y[at[3]]) at[3] = i;
      if (y[i] > y[at[4]]) at[4] = i;
      if (!(Math.abs(x[i]) < Infinity && Math.abs(y[i]) < Infinity)) hole = i;
    }
    if (hole >= 0) at.push(hole);
    at.sort((a, c) => a - c);
    for (let k = 0; k < at.length; ++k) if (k === 0 || at[k] !== at[k - 1]) kept.push(at[k]);
  }
  return kept;
}
