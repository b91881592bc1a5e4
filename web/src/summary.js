// SPDX-License-Identifier: Apache-2.0
// Tables: what the runs were and what came of them.
import { count, format, h, seconds, seriesColor, shorten } from './dom.js';

const tile = (name, value, hint, mood) =>
  h('div.tile', { title: hint || '' }, h('span', {}, name), h(mood ? `b.${mood}` : 'b', {}, value));

const relative = (energy) => {
  if (!energy || !Number.isFinite(energy.residual)) return null;
  return energy.turnover > 0 ? Math.abs(energy.residual) / energy.turnover : energy.residual === 0 ? 0 : null;
};

const percent = (part) => (part === 0 ? '0 %' : part < 1e-4 ? `${format(part * 100, 2)} %` : `${format(part * 100, 3)} %`);

export function outcome(run) {
  if (run.summary) return run.summary.completed ? 'completed' : 'ended early';
  return run.scene.run.method ? 'was cut off' : 'recorded samples';
}

// Why a run cannot be trusted; empty for one that can, and for recordings that do not say.
export function doubt(run) {
  const { verdict, why } = run.summary?.verdict || {};
  return verdict === 'doubtful' ? why : '';
}

// In the words of the command's first line.
function verdictText(run) {
  const { verdict, within, compared } = run.summary?.verdict || {};
  if (!verdict) return null;
  if (doubt(run)) return `${verdict}: ${doubt(run)}`;
  return `${verdict}${within ? ` within ${within}${compared ? '' : ','}` : ''}${compared ? '' : ' by its own checks; not compared with another step'}`;
}

export function subtitle(run) {
  const { method, step, duration } = run.scene.run;
  const parts = [];
  if (method) parts.push(`${method}, step ${seconds(step)}`);
  if (Number.isFinite(duration)) parts.push(`${seconds(duration)} planned`);
  parts.push(outcome(run));
  const { verdict, within } = run.summary?.verdict || {};
  if (verdict) parts.push(doubt(run) ? 'doubtful' : `trustworthy${within ? ` within ${within}` : ''}`);
  return parts.join(' · ');
}

export function tiles(run) {
  const s = run.summary || {};
  const found = [];
  const span = run.span;
  if (Number.isFinite(s.time)) found.push(tile('simulated', seconds(s.time)));
  else if (span) found.push(tile('recorded', seconds(span[1] - span[0])));
  if (Number.isFinite(s.wall_seconds) && s.wall_seconds > 0) {
    found.push(tile('computed in', seconds(s.wall_seconds), 'stepping and recording'));
    found.push(tile('real time', `× ${format(s.time / s.wall_seconds, 3)}`, 'simulated time over computing time'));
  }
  if (Number.isFinite(s.steps)) found.push(tile('steps', count(s.steps)));
  found.push(tile('samples', count(run.samples)));
  const part = relative(s.energy);
  if (part !== null) {
    found.push(tile('energy off by', percent(part), 'residual of the ledger over the energy that was moved',
      part < 1e-2 ? 'good' : part < 0.05 ? '' : 'poor'));
  }
  const rubbing = (Array.isArray(s.forces) ? s.forces : []).filter((force) => force.friction);
  if (rubbing.length) {
    found.push(tile('regime changes', count(rubbing.reduce((sum, force) => sum + (force.transitions || 0), 0)),
      'between stick, slip and open, all frictions'));
  }
  if (Number.isFinite(s.contacts?.unsolved_steps)) {
    // Steps that end at their budget of iterations are amber: the residual says how far they are.
    const unsolved = s.contacts.unsolved_steps, far = /contacts of a step|tolerance of their contacts/.test(doubt(run));
    found.push(unsolved === 0 ? tile('unsolved steps', '0', 'every step reached its tolerance', 'good')
      : tile('budget used', `${count(unsolved)} ${unsolved === 1 ? 'step' : 'steps'}, ${format(s.contacts.worst_residual, 2)}`,
        'steps that ended above the tolerance, and the worst residual', far ? 'poor' : 'fair'));
  }
  if (s.largest_penetration > 0) found.push(tile('deepest contact', `${format(s.largest_penetration, 3)} m`));
  return h('div.tiles', {}, found);
}

function row(name, cells) {
  return h('tr', {}, h('th', { scope: 'row' }, name), cells.map((cell) => h('td', {}, cell)));
}

export function runTable(runs) {
  const of = (read) => runs.map((run) => {
    const value = read(run, run.summary || {}, run.scene.run);
    return value === undefined || value === null ? '–' : value;
  });
  const number = (value, unit = '', digits = 6) => (Number.isFinite(value) ? format(value, digits) + unit : null);
  const whole = (value) => (Number.isFinite(value) ? count(value) : null);
  const energy = (key) => of((run, s) => number(s.energy?.[key], ' J'));
  // A row that some methods alone have.
  const given = (name, read) => (runs.some((run) => read(run.summary || {}) !== null) ? [row(name, of((run, s) => read(s)))] : []);
  const body = [
    row('outcome', of((run) => outcome(run))),
    row('verdict', of((run) => verdictText(run))),
    row('method', of((run, s, r) => r.method)),
    row('step', of((run, s, r) => (Number.isFinite(r.step) ? seconds(r.step) : null))),
    row('planned', of((run, s, r) => number(r.duration, ' s'))),
    row('simulated', of((run, s) => number(s.time, ' s'))),
    row('steps', of((run, s) => whole(s.steps))),
    row('evaluations', of((run, s) => whole(s.evaluations))),
    row('samples', of((run) => count(run.samples))),
    row('computed in', of((run, s) => (Number.isFinite(s.wall_seconds) ? seconds(s.wall_seconds) : null))),
    row('energy at start', energy('start')),
    row('put in', energy('input')),
    row('turned into heat', energy('dissipated')),
    row('kinetic at end', energy('kinetic')),
    row('potential at end', energy('potential')),
    row('stored at end', energy('stored')),
    row('residual', energy('residual')),
    row('residual, relative', of((run, s) => { const part = relative(s.energy); return part === null ? null : percent(part); })),
    row('deepest contact', of((run, s) => number(s.largest_penetration, ' m'))),
    ...given('most contacts in a step', (s) => whole(s.contacts?.most)),
    ...given('worst residual of a step', (s) => number(s.contacts?.worst_residual, '', 3)),
    ...given('steps above the tolerance', (s) => whole(s.contacts?.unsolved_steps)),
    ...given('iterations of the solver', (s) => whole(s.contacts?.iterations)),
    ...given('events', (s) => whole(s.events)),
    ...given('widest opening of a loop', (s) => number(s.largest_opening, ' m', 3)),
    row('bodies, forces', of((run, s, r) => (Number.isFinite(r.bodies) ? `${r.bodies}, ${r.forces}` : null))),
  ];
  return h('div.scroll', {}, h('table.facts', {},
    runs.length > 1 && h('thead', {}, h('tr', {}, h('th'), runs.map((run) => {
      const dot = h('i.swatch');
      dot.style.setProperty('--c', seriesColor(run.index));
      return h('th', { scope: 'col', title: run.label.slice(0, 300) }, dot, shorten(run.label, 30));
    }))),
    h('tbody', {}, body)));
}

// How long each friction stuck, slipped and was open.
export function forceTable(run) {
  const all = Array.isArray(run.summary?.forces) ? run.summary.forces : [];
  if (!all.length) return null;
  const MOST = 200;
  const share = (force) => {
    const parts = [force.stick_seconds, force.slip_seconds, force.open_seconds].map((x) => (x > 0 ? x : 0));
    const total = parts[0] + parts[1] + parts[2];
    const bar = h('span.share', { title: `sticks ${seconds(parts[0])}, slips ${seconds(parts[1])}, open ${seconds(parts[2])}` });
    ['stick', 'slip', 'open'].forEach((name, i) => {
      const piece = h(`i.${name}`);
      piece.style.width = total > 0 ? `${(100 * parts[i]) / total}%` : '0';
      bar.append(piece);
    });
    return bar;
  };
  return h('div.scroll', {}, h('table', {},
    h('thead', {}, h('tr', {}, ['force', 'stick and slip', 'sticks', 'slips', 'open', 'changes', 'heat', 'put in', 'largest']
      .map((name) => h('th', { scope: 'col' }, name)))),
    h('tbody', {}, all.slice(0, MOST).map((force) => h('tr', {},
      h('th', { scope: 'row', title: String(force.name).slice(0, 300) }, shorten(String(force.name), 36)),
      h('td', {}, force.friction ? share(force) : ''),
      ['stick_seconds', 'slip_seconds', 'open_seconds'].map((key) => h('td', {}, force.friction ? seconds(force[key]) : '')),
      h('td', {}, force.friction ? count(force.transitions) : ''),
      h('td', {}, `${format(force.dissipated, 4)} J`), h('td', {}, `${format(force.input, 4)} J`),
      h('td', {}, format(force.largest_force, 4)))))),
  all.length > MOST && h('p.note', {}, `${all.length - MOST} more are not shown.`));
}
