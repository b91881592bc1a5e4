// SPDX-License-Identifier: Apache-2.0
// Events that a method located, as ticks over time: a click goes to the nearest one.
import { indexAt } from './data.js';
import { append, color, h, seconds, shorten } from './dom.js';
import { on, setTime, state } from './state.js';

const TALL = 18, NEAR = 6; // pixels
const OPEN = 2;

export function eventWord(from, to) {
  if (from === OPEN || to === OPEN) {
    if (to === OPEN) return from === OPEN ? 'bounces' : 'opens';
    return to === 0 ? 'closes and holds' : to > 0 ? 'closes, slipping forth' : 'closes, slipping back';
  }
  if (to === 0) return 'stops';
  if (from === 0) return to > 0 ? 'breaks away forth' : 'breaks away back';
  return to > 0 ? 'turns forth' : 'turns back';
}

const tone = (to) => (to === 0 ? '--stick' : to === OPEN ? '--muted' : '--slip');

// The card with one row of ticks for each run that has events; null when none has.
export function eventsPanel(runs, plotLeft, plotRight) {
  const rows = runs.filter((run) => run.events);
  if (!rows.length) return null;
  const said = h('p.note.event-said');
  const holders = rows.map((run) => {
    const canvas = h('canvas.event-canvas');
    const holder = h('div.event-holder', { title: 'Click: to the nearest event' }, canvas);
    holder.addEventListener('pointermove', (event) => tell(run, nearest(run, holder, event)));
    holder.addEventListener('pointerleave', () => tell(rows[0], -1));
    holder.addEventListener('click', (event) => {
      const k = nearest(run, holder, event);
      if (k >= 0) setTime(run.events.time[k]);
    });
    return { run, canvas, holder };
  });
  const panel = h('div.card.events', {}, h('div.band-head', {}, h('h3', {}, 'Events')));
  append(panel, holders.map(({ run, holder }) => [runs.length > 1 && h('p.note', {}, shorten(run.label, 60)), holder]));
  append(panel, [said]);

  function count(run) {
    const { events } = run;
    return events.count < events.all ? `the first ${events.count} of ${events.all} events` : `${events.count} events`;
  }
  function tell(run, k) {
    const { events } = run;
    const name = k >= 0 && (run.scene.forces[events.force[k] - 1]?.name || `force ${events.force[k]}`);
    said.textContent = k < 0 ? count(run) : `${seconds(events.time[k])} · ${shorten(name, 60)} ${eventWord(events.from[k], events.to[k])}`;
  }
  function nearest(run, holder, event) {
    const width = holder.clientWidth - plotLeft() - plotRight();
    const { min, max } = state.view, scale = (max - min) / width;
    const t = min + (event.clientX - holder.getBoundingClientRect().left - plotLeft()) * scale;
    const { time } = run.events, i = indexAt(time, t);
    const best = i < 0 ? 0 : i + 1 < time.length && time[i + 1] - t < t - time[i] ? i + 1 : i;
    return Math.abs(time[best] - t) <= NEAR * scale ? best : -1;
  }
  function draw(wanted) {
    const ratio = devicePixelRatio || 1;
    for (const { run, canvas, holder } of holders) {
      const width = wanted || holder.clientWidth;
      if (!width) return;
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(TALL * ratio);
      canvas.style.height = `${TALL}px`;
      const context = canvas.getContext('2d');
      const from = plotLeft() * ratio, wide = canvas.width - from - plotRight() * ratio;
      context.fillStyle = color('--track');
      context.fillRect(from, 0, wide, canvas.height);
      const { time, to } = run.events, { min, max } = state.view;
      let last = -1;
      for (let k = Math.max(0, indexAt(time, min)); k < time.length && time[k] <= max; ++k) {
        const x = Math.round(from + ((time[k] - min) / (max - min)) * wide);
        if (time[k] < min || x === last) continue; // one tick a column
        last = x;
        context.fillStyle = color(tone(to[k]));
        context.fillRect(x, 0, Math.max(1, ratio), canvas.height);
      }
    }
  }
  for (const what of ['view', 'theme', 'size']) on(what, () => draw());
  tell(rows[0], -1);
  return { panel, draw };
}
