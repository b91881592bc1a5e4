// SPDX-License-Identifier: Apache-2.0
// Play, pause, speed and the moment: the bar at the bottom of the window.
import { clamp, format, h, icon } from './dom.js';
import { on, setTime, state, tell } from './state.js';

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];
const PLAY = 'M7 4.5v15l12-7.5z', PAUSE = 'M7 5h3.5v14H7zM13.5 5H17v14h-3.5z';
const STEPS = 2000; // of the slider

export function transport() {
  const { full } = state;
  const span = full.max - full.min;
  // A run plays for some seconds, whatever it lasts.
  state.speed = span >= 2 && span <= 40 ? 1
    : SPEEDS.reduce((best, speed) => (Math.abs(Math.log(span / speed / 8)) < Math.abs(Math.log(span / best / 8)) ? speed : best), 1);

  const play = h('button.play', { title: 'Play or pause (space)', 'aria-label': 'Play', onclick: toggle }, icon(PLAY));
  const slider = h('input.scrub', {
    type: 'range', min: 0, max: STEPS, value: 0, step: 'any', 'aria-label': 'Moment',
    oninput: () => { pause(); setTime(full.min + (span * slider.valueAsNumber) / STEPS); },
  });
  const clock = h('output.clock');
  const speed = h('select.speed', { title: 'Speed ( [ and ] )', 'aria-label': 'Speed', onchange: () => { state.speed = Number(speed.value); } },
    SPEEDS.map((value) => h('option', { value: String(value), selected: value === state.speed }, `${value}×`)));
  const element = h('div.transport', { role: 'group', 'aria-label': 'Replay' }, play, slider, clock, speed);
  const digits = span > 0 ? clamp(3 - Math.floor(Math.log10(span)), 0, 9) : 3;

  let last = 0;
  function tick(now) {
    if (!state.playing) return;
    const step = Math.min(0.1, (now - last) / 1000);
    last = now;
    const next = state.time + step * state.speed;
    setTime(next >= full.max ? full.max : next);
    if (next >= full.max) pause();
    else requestAnimationFrame(tick);
  }
  function toggle() {
    if (state.playing) {
      pause();
      return;
    }
    if (!(span > 0)) return;
    if (state.time >= full.max) setTime(full.min);
    state.playing = true;
    last = performance.now();
    face();
    requestAnimationFrame(tick);
  }
  function pause() {
    state.playing = false;
    face();
  }
  function face() {
    play.replaceChildren(icon(state.playing ? PAUSE : PLAY));
    play.setAttribute('aria-label', state.playing ? 'Pause' : 'Play');
    tell('playing');
  }
  function faster(by) {
    const at = clamp(SPEEDS.indexOf(state.speed) + by, 0, SPEEDS.length - 1);
    state.speed = SPEEDS[at];
    speed.value = String(state.speed);
  }
  function show() {
    const part = span > 0 ? (state.time - full.min) / span : 0;
    slider.value = part * STEPS;
    slider.style.setProperty('--part', `${100 * part}%`);
    slider.setAttribute('aria-valuetext', `${format(state.time)} s`);
    clock.textContent = `${state.time.toFixed(digits)} s`;
  }
  on('time', show);
  show();
  return { element, toggle, pause, faster };
}
