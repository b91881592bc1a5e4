// SPDX-License-Identifier: Apache-2.0
// How large things are and which way they face: a scale bar, true where the camera looks, and the
// three axes of the world.
import * as THREE from 'three';
import { h, niceStep } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDE = 90; // pixels that the bar may take
const REACH = 22; // pixels of an axis

const lengthText = (metres) => {
  const [factor, unit] = metres >= 1000 ? [1e-3, 'km'] : metres >= 1 ? [1, 'm'] : metres >= 1e-2 ? [100, 'cm'] : metres >= 1e-3 ? [1000, 'mm'] : [1e6, 'µm'];
  return `${Number((metres * factor).toPrecision(3))} ${unit}`;
};

const drawn = (name, attributes) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

export class Rule {
  constructor() {
    this.bar = h('i');
    this.text = h('span');
    this.axes = drawn('svg', { viewBox: '-32 -32 64 64', width: 64, height: 64, 'aria-hidden': 'true' });
    this.lines = ['x', 'y', 'z'].map((name) => {
      const line = drawn('line', { x1: 0, y1: 0, class: `axis-${name}` });
      const letter = drawn('text', { class: `axis-${name}`, 'text-anchor': 'middle', 'dominant-baseline': 'central' });
      letter.textContent = name;
      this.axes.append(line, letter);
      return { line, letter };
    });
    this.element = h('div.rule', {}, h('div.scale-bar', { title: 'True at the point that the camera looks at' }, this.bar, this.text));
    this.element.append(this.axes);
  }

  // pixels: CSS pixels a metre where the camera looks; world: the group that holds the machine
  update(camera, world, pixels) {
    if (!(pixels > 0) || !Number.isFinite(pixels)) return;
    const step = niceStep(WIDE / pixels, 1), long = step * pixels > WIDE ? step / 2 : step;
    this.bar.style.width = `${long * pixels}px`;
    this.text.textContent = lengthText(long);
    const turn = camera.quaternion.clone().invert().multiply(world.quaternion);
    this.lines.forEach(({ line, letter }, k) => {
      const way = new THREE.Vector3().setComponent(k, 1).applyQuaternion(turn);
      line.setAttribute('x2', way.x * REACH);
      line.setAttribute('y2', -way.y * REACH);
      letter.setAttribute('x', way.x * (REACH + 7));
      letter.setAttribute('y', -way.y * (REACH + 7));
    });
  }
}
