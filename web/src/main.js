// SPDX-License-Identifier: Apache-2.0
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { bandsPanel } from './bands.js';
import { loadRegimes, readRuns } from './data.js';
import { append, forgetColors, h, icon, seriesColor, shorten } from './dom.js';
import { energyPanel } from './energy.js';
import { eventsPanel } from './events.js';
import { phaseSection } from './phase.js';
import { picker } from './picker.js';
import { groupsOf, LEFT, PlotStack, RIGHT } from './plots.js';
import { on, pan, resetView, setTime, state, tell, zoom } from './state.js';
import { doubt, forceTable, outcome, runTable, subtitle, tiles } from './summary.js';
import { sweepPage } from './sweep.js';
import { transport } from './transport.js';
import { View3D } from './view3d.js';

const page = document.getElementById('page');

// ---------------------------------------------------------------------------------------------
// Theme

const dark = matchMedia('(prefers-color-scheme: dark)');
function theme() {
  return document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light');
}
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  forgetColors();
  tell('theme');
}
dark.addEventListener('change', () => {
  forgetColors();
  tell('theme');
});

// ---------------------------------------------------------------------------------------------
// Parts of the page

function titleOf(runs) {
  const names = [...new Set(runs.map((run) => run.title).filter(Boolean))];
  return names.length ? names.join(' · ') : runs.map((run) => run.label).join(' · ') || 'Holdfast';
}

function header(runs, chosen) {
  const chips = runs.length > 1 && h('div.runs', { role: 'radiogroup', 'aria-label': 'Run in front' }, runs.map((run) => {
    const dot = h('i.swatch');
    on('theme', () => dot.style.setProperty('--c', seriesColor(run.index)));
    dot.style.setProperty('--c', seriesColor(run.index));
    const chip = h('button.chip', { role: 'radio', title: `${run.label.slice(0, 300)}: show its machine and energy`,
      onclick: () => { state.front = run.index; tell('front'); } }, dot, shorten(run.label, 32));
    const mark = () => chip.setAttribute('aria-checked', String(state.front === run.index));
    on('front', mark);
    mark();
    return chip;
  }));
  const sub = h('p.subtitle');
  const fill = () => { sub.textContent = subtitle(runs[state.front]); };
  on('front', fill);
  fill();
  return h('header', {},
    h('div.heading', {}, h('h1', { title: titleOf(runs).slice(0, 500) }, shorten(titleOf(runs), 160)), sub, chips),
    h('div.header-tools', {}, chosen,
      h('button.round', { title: 'Light or dark (T)', 'aria-label': 'Light or dark', onclick: () => setTheme(theme() === 'dark' ? 'light' : 'dark') },
        icon('M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z'))));
}

function notes(book) {
  const lines = [];
  for (const run of book.runs) {
    const who = book.runs.length > 1 ? `${shorten(run.label, 40)}: ` : '';
    if (!run.samples) lines.push(`${who}The run has no samples.`);
    else if (run.samples === 1) lines.push(`${who}The run has one sample.`);
    if (run.truncated) lines.push(`${who}The file ended in the middle of a row, which was left out.`);
    if (outcome(run) === 'was cut off') lines.push(`${who}The run was cut off: what was written until then is shown.`);
    if (outcome(run) === 'ended early') lines.push(`${who}The run ended before its planned end.`);
    if (doubt(run)) lines.push(`${who}The run is doubtful: ${doubt(run)}.`);
    if (run.scene.note) lines.push(`${who}${run.scene.note}.`);
  }
  if (book.shortened) lines.push('The runs are long: numbers are kept here with seven digits. The recording has all.');
  return lines.length ? h('ul.notes', {}, lines.map((line) => h('li', {}, line))) : null;
}

const section = (id, title, ...children) =>
  h('section', { id, 'aria-label': title }, h('div.section-head', {}, h('h2', {}, title)), ...children);

function timeSection(stack, choose, ...panels) {
  const list = h('div.picker-panel', { hidden: true }, choose.body);
  const open = h('button', { 'aria-expanded': 'false', title: 'Choose channels (C)', onclick: () => {
    list.hidden = !list.hidden;
    open.setAttribute('aria-expanded', String(!list.hidden));
    if (!list.hidden) {
      choose.fill();
      choose.focus();
    }
  } }, 'Channels');
  const whole = h('button', { title: 'The whole run (0, or double click)', onclick: resetView, disabled: true }, 'Whole run');
  on('view', () => { whole.disabled = state.view.min <= state.full.min && state.view.max >= state.full.max; });
  const element = section('time', 'Over time', list, stack.element, panels.map((one) => one?.panel));
  element.querySelector('.section-head').append(h('div.tools', {},
    h('span.hint', {}, 'drag to zoom · click to go there'),
    h('button.square', { title: 'Zoom out (−)', 'aria-label': 'Zoom out', onclick: () => zoom(2) }, '−'),
    h('button.square', { title: 'Zoom in (+)', 'aria-label': 'Zoom in', onclick: () => zoom(0.5, state.time) }, '+'),
    whole, open));
  return { element, toggle: () => open.click(), close: () => !list.hidden && open.click() };
}

function modelSection(runs) {
  const texts = new Map();
  for (const run of runs) if (run.model) texts.set(run.model, [...(texts.get(run.model) || []), run.label]);
  if (!texts.size) return null;
  return section('model', 'Model', [...texts].map(([text, labels]) =>
    h('details.card.model', { open: text.length < 6000 && texts.size === 1 },
      h('summary', {}, texts.size > 1 ? shorten(labels.join(', '), 80) : 'The text this run was made from'),
      h('pre', {}, text))));
}

// ---------------------------------------------------------------------------------------------
// Keys

const HELP = [
  ['space', 'play or pause'], ['← →', 'one step of the replay (with shift: ten)'], ['home, end', 'first and last moment'],
  ['[ ]', 'slower, faster'], ['+ −', 'zoom in time'], [', .', 'move in time'], ['0', 'the whole run'],
  ['F', 'the whole machine'], ['C', 'choose channels'], ['T', 'light or dark'], ['?', 'this list'], ['escape', 'close lists'],
];

function helpDialog() {
  const dialog = h('dialog', { 'aria-label': 'Keys' }, h('h2', {}, 'Keys'),
    h('dl', {}, HELP.map(([key, meaning]) => [h('dt', {}, key), h('dd', {}, meaning)])),
    h('p.note', {}, 'In plots: drag to zoom, double click for the whole run, click to go there; ctrl or shift with the wheel, or two fingers, zoom. In the 3-D view: drag to turn, right drag to move; click, then wheel to zoom; point at a body for its name, click it for its channels. Drag a name from one plot into another to see both.'),
    h('button', { onclick: () => dialog.close() }, 'Close'));
  return dialog;
}

function keys({ replay, view, time, help }) {
  const frame = () => (state.full.max - state.full.min) / 500;
  const actions = {
    ' ': () => replay.toggle(),
    ArrowLeft: (event) => { replay.pause(); setTime(state.time - frame() * (event.shiftKey ? 10 : 1)); },
    ArrowRight: (event) => { replay.pause(); setTime(state.time + frame() * (event.shiftKey ? 10 : 1)); },
    Home: () => setTime(state.full.min),
    End: () => setTime(state.full.max),
    '[': () => replay.faster(-1),
    ']': () => replay.faster(1),
    '+': () => zoom(0.5, state.time),
    '=': () => zoom(0.5, state.time),
    '-': () => zoom(2),
    ',': () => pan(-0.25),
    '.': () => pan(0.25),
    0: () => resetView(),
    f: () => view.fit(),
    c: () => time.toggle(),
    t: () => setTheme(theme() === 'dark' ? 'light' : 'dark'),
    '?': () => (help.open ? help.close() : help.showModal()),
  };
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !help.open) { // a dialog closes by itself
      time.close();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const { target } = event;
    const busy = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
    if (busy && !(target.type === 'range' && event.key === ' ')) return;
    if (event.key === ' ' && (target.tagName === 'BUTTON' || target.tagName === 'SUMMARY')) return;
    if (target.tagName === 'CANVAS' && event.key.startsWith('Arrow')) return;
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action(event);
  });
}

// ---------------------------------------------------------------------------------------------

const WIDTH = 680, PAPER_VIEW = 300; // px: of drawings on paper, and the height of the 3-D view there

// On paper every drawing has the width of the sheet; canvases are drawn again, not stretched.
function printing(drawings) {
  let before = null;
  addEventListener('beforeprint', () => {
    before = document.documentElement.dataset.theme;
    setTheme('light');
    for (const { resize, width = WIDTH } of drawings) resize(width);
  });
  addEventListener('afterprint', () => {
    if (before === undefined) delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = before;
    forgetColors();
    tell('theme');
    for (const { resize } of drawings) resize();
  });
}

async function build() {
  const book = readRuns();
  const { runs } = book;
  document.title = `${shorten(titleOf(runs), 80)} – Holdfast`;
  await Promise.all(runs.map((run) => run.time.load()));
  const ends = runs.map((run) => run.span).filter(Boolean);
  const min = Math.min(...ends.map(([first]) => first)), max = Math.max(...ends.map(([, last]) => last));
  if (ends.length) state.full = max > min ? { min, max } : { min: min - 0.5, max: max + 0.5 };
  state.view = { ...state.full };
  state.time = ends.length ? min : 0;
  await Promise.all(runs.map((run) => run.loadFrames()));
  await Promise.all(runs.map((run) => loadRegimes(run)));

  await Promise.all(runs.map((run) => run.loadEvents()));

  const view = new View3D(runs, (name) => stack.showBody(name));
  const replay = transport();
  const help = helpDialog();
  const groups = groupsOf(runs);
  let choose = null;
  const stack = new PlotStack(runs, groups, () => choose?.body.parentElement?.hidden === false && choose.fill());
  choose = picker(groups, stack);
  const bands = bandsPanel(runs, () => LEFT, () => RIGHT);
  const events = eventsPanel(runs, () => LEFT, () => RIGHT);
  const time = timeSection(stack, choose, events, bands);
  const energy = energyPanel(runs);
  const names = [...groups.values()].flatMap((group) => group.channels);
  const phase = phaseSection(runs, names);
  const facts = h('div.facts-side');
  const sums = h('div');
  const fill = () => {
    facts.replaceChildren(tiles(runs[state.front]));
    sums.replaceChildren(...[forceTable(runs[state.front])].filter(Boolean));
  };
  on('front', fill);
  fill();

  const portraits = section('portraits', 'Phase portraits and loops', phase.grid);
  portraits.querySelector('.section-head').append(h('div.tools', {}, phase.more));
  append(page, [
    header(runs, h('button.round', { title: 'Keys (?)', 'aria-label': 'Keys', onclick: () => help.showModal() }, '?')),
    h('main', {},
      notes(book),
      h('div.columns', {},
        h('div.side', {}, h('div.card.stage', {}, view.holder), facts),
        h('div.sections', {},
          time.element,
          section('energy', 'Where the energy went', energy.panel),
          names.length && portraits,
          section('summary', 'Summary', h('div.card.forces', {}, sums), h('div.card', {}, runTable(runs))),
          modelSection(runs)))),
    h('footer', {}, `Made by holdfast ${book.version}`),
    replay.element, help,
  ]);
  if (!sums.childElementCount) sums.parentElement.hidden = true;

  view.start();
  const { rest } = await stack.first();
  energy.build();
  bands?.draw();
  events?.draw();
  keys({ replay, view, time, help });
  printing([
    { resize: (width) => stack.resize(width) },
    { resize: (width) => energy.resize(width) },
    { resize: (width) => phase.resize(width), width: 330 },
    { resize: (width) => bands?.draw(width) },
    { resize: (width) => events?.draw(width) },
    { resize: (width) => view.resize(width, width && PAPER_VIEW) },
  ]);
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth === width) return;
    width = innerWidth;
    requestAnimationFrame(() => tell('size'));
  });
  // For the curious at the console, and for tests.
  window.holdfast = { runs, state, view, stack };
  document.documentElement.dataset.ready = 'true';
  await rest();
  await phase.first();
  document.documentElement.dataset.complete = 'true';
}

async function buildSweep() {
  await sweepPage(page);
  document.documentElement.dataset.ready = document.documentElement.dataset.complete = 'true';
}

(document.getElementById('table') ? buildSweep() : build()).catch((error) => {
  page.append(h('p.fatal', {}, `This page could not be drawn: ${error.message}`));
  throw error;
});
