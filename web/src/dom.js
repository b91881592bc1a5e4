// SPDX-License-Identifier: Apache-2.0
// Elements, numbers and colours. Text only ever becomes text nodes.

// h('button.small', {title: 'x', onclick: f}, 'text', child, ...)
export function h(what, properties, ...children) {
  const [tag, ...classes] = what.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === undefined || value === null) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== 'list') element[key] = value;
    else element.setAttribute(key, value);
  }
  append(element, children);
  return element;
}

export function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child);
  }
}

const SVG = 'http://www.w3.org/2000/svg';
export function icon(path) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const shape = document.createElementNS(SVG, 'path');
  shape.setAttribute('d', path);
  svg.append(shape);
  return svg;
}

// The colour that a CSS variable has now.
const known = new Map();
export function color(name) {
  if (!known.has(name)) {
    known.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  }
  return known.get(name);
}
export const forgetColors = () => known.clear();

export const SERIES = 8;
export const seriesColor = (index) => color(`--s${index % SERIES}`);

export function shorten(text, most = 60) {
  return text.length <= most ? text : `${text.slice(0, most - 12)}…${text.slice(-11)}`;
}

// A number for people: at most `digits` significant ones.
export function format(value, digits = 5) {
  if (value === null || value === undefined) return '–';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const size = Math.abs(value);
  let text;
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(Math.min(digits - 1, 3)).split('e');
    text = `${mantissa.replace(/\.?0+$/, '')}e${exponent.replace('+', '')}`;
  } else {
    text = value.toPrecision(digits);
    if (text.includes('e')) text = String(Number(text));
    if (text.includes('.')) text = text.replace(/\.?0+$/, '');
  }
  return text.replace(/-/g, '−');
}

// A duration with its unit.
export function seconds(value) {
  if (!Number.isFinite(value)) return format(value);
  const size = Math.abs(value);
  if (size === 0) return '0 s';
  if (size < 1e-3) return `${format(value * 1e6, 4)} µs`;
  if (size < 1) return `${format(value * 1e3, 4)} ms`;
  if (size < 600) return `${format(value, 4)} s`;
  return `${format(value / 60, 4)} min`;
}

export const count = (value) => Number(value).toLocaleString('en-US').replace(/,/g, '\u202f');

// Round numbers between min and max, about `wanted` of them.
export function niceStep(span, wanted) {
  const raw = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const part = raw / power;
  return (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10) * power;
}

export const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
