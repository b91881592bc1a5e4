// SPDX-License-Identifier: Apache-2.0
// What all parts of the page share: the stretch of time in view, the moment that is shown, the run
// in front. Parts listen to what concerns them.

const listeners = new Map();

export function on(what, listener) {
  if (!listeners.has(what)) listeners.set(what, []);
  listeners.get(what).push(listener);
}

export function tell(what) {
  for (const listener of listeners.get(what) || []) listener();
}

export const state = {
  full: { min: 0, max: 1 }, // all runs
  view: { min: 0, max: 1 },
  time: 0,
  front: 0, // index of the run whose machine and energy are shown
  playing: false,
  speed: 1,
};

// Shows a stretch of time, within what there is.
export function setView(min, max) {
  const { full } = state;
  const most = full.max - full.min;
  let span = Math.min(Math.max(max - min, most * 1e-9), most);
  if (!(span > 0)) span = most;
  min = Math.min(Math.max(min, full.min), full.max - span);
  state.view = { min, max: min + span };
  tell('view');
}

export function zoom(factor, around = (state.view.min + state.view.max) / 2) {
  const { min, max } = state.view;
  setView(around - (around - min) * factor, around + (max - around) * factor);
}

export function pan(part) {
  const { min, max } = state.view;
  const shift = (max - min) * part;
  setView(min + shift, max + shift);
}

export const resetView = () => setView(state.full.min, state.full.max);

export function setTime(time) {
  state.time = Math.min(Math.max(time, state.full.min), state.full.max);
  tell('time');
}
