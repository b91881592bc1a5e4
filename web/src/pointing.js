// SPDX-License-Identifier: Apache-2.0
// Names of bodies in the 3-D view: a label at the pointer, and a click that shows a body's channels.
import * as THREE from 'three';
import { h, shorten } from './dom.js';

const STILL = 5; // pixels that a click may move

export class Pointing {
  // chosen: called with the name of the body that was clicked
  constructor(view, chosen) {
    this.view = view;
    this.label = h('div.view-label', { hidden: true });
    this.ray = new THREE.Raycaster();
    const { canvas } = view;
    view.holder.append(this.label);
    let asked = null;
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons) {
        this.label.hidden = true;
        return;
      }
      if (!asked) requestAnimationFrame(() => { this.point(asked); asked = null; });
      asked = event;
    });
    canvas.addEventListener('pointerleave', () => { this.label.hidden = true; });
    let down = null;
    canvas.addEventListener('pointerdown', (event) => { down = event; });
    canvas.addEventListener('pointerup', (event) => {
      if (!down || Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > STILL) return;
      const body = this.bodyAt(event);
      if (body) chosen(body.name);
    });
  }

  // The body under the pointer, or null.
  bodyAt(event) {
    const { view } = this;
    if (!view.ready) return null;
    const { left, top, width, height } = view.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    this.ray.setFromCamera(at, view.camera);
    const machine = view.machines[0];
    let near = Infinity, found = null;
    const see = (body, distance) => {
      if (distance < near) { near = distance; found = body; }
    };
    machine.parts.forEach((part, b) => {
      if (!part.visible || !part.children.length) return;
      for (const hit of this.ray.intersectObject(part, true)) if (hit.object.isMesh) see(b, hit.distance);
    });
    for (const herd of machine.herds) {
      for (const mesh of herd.coats) {
        mesh.computeBoundingSphere(); // bodies have moved since it was found
        for (const hit of this.ray.intersectObject(mesh)) see(machine.parts.indexOf(herd.pieces[hit.instanceId].part), hit.distance);
      }
    }
    return found === null ? null : machine.bodies[found];
  }

  point(event) {
    const body = event && this.bodyAt(event);
    this.label.hidden = !body;
    this.view.canvas.style.cursor = body ? 'pointer' : '';
    if (!body) return;
    const { left, top, width } = this.view.holder.getBoundingClientRect();
    const mass = body.mass > 0 ? ` · ${Number(body.mass.toPrecision(4))} kg` : '';
    this.label.textContent = `${shorten(body.name, 60)}${body.joint ? ` · ${body.joint}` : ''}${mass}`;
    const x = event.clientX - left, right = x > width / 2;
    this.label.style.left = right ? 'auto' : `${x + 12}px`;
    this.label.style.right = right ? `${width - x + 12}px` : 'auto';
    this.label.style.maxWidth = `${(right ? x : width - x) - 20}px`; // within the view: long names wrap
    this.label.style.top = `${event.clientY - top + 12}px`;
  }
}
