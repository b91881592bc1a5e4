// SPDX-License-Identifier: Apache-2.0
// The window into space: camera, light, floors. Draws only when something changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { color, h, icon, niceStep } from './dom.js';
import { Machine } from './scene.js';
import { Floor } from './shapes.js';
import { Pointing } from './pointing.js';
import { Rule } from './rule.js';
import { on, state } from './state.js';
import { filmButton } from './video.js';

const networkNote = ({ lines, pairs }) => [
  lines ? 'Lines join bodies that press on each other; their width is the force.' : 'An arrow is the whole force between two bodies.',
  pairs.stride > 1 && `The page keeps contacts of one moment in ${pairs.stride}.`].filter(Boolean).join(' ');

export class View3D {
  // chosen: called with the name of a body that is clicked
  constructor(runs, chosen) {
    this.runs = runs;
    this.chosen = chosen;
    this.rule = new Rule();
    this.shows = { forces: true, trails: true, others: true };
    this.machines = [];
    this.canvas = h('canvas', { tabIndex: 0, role: 'img', 'aria-label': 'The machine in space; arrow keys turn the camera' });
    this.message = h('p.empty', { hidden: true });
    this.note = h('p.view-note');
    this.holder = h('div.view3d', {}, this.canvas, this.message, this.note, this.buttons(), this.key(), this.rule.element);
  }

  buttons() {
    const toggle = (key, text, title) => {
      const button = h('button.chip', { title, 'aria-pressed': 'true', onclick: () => {
        this.shows[key] = !this.shows[key];
        button.setAttribute('aria-pressed', String(this.shows[key]));
        this.show();
      } }, text);
      return button;
    };
    return h('div.view-tools', {},
      this.forcesChip = toggle('forces', 'Forces', 'Show or hide forces'), toggle('trails', 'Trails', 'Show or hide trails'),
      this.runs.length > 1 && toggle('others', 'Other runs', 'Show or hide the other runs, faintly'),
      h('button.chip', { title: 'Look along z, from above', onclick: () => this.look(0, -0.001, 1) }, 'Top'),
      h('button.chip', { title: 'Look along y, from the front', onclick: () => this.look(0, -1, 0.0) }, 'Front'),
      h('button.chip', { title: 'Look along x, from the side', onclick: () => this.look(1, 0, 0.0) }, 'Side'),
      h('button.chip', { title: 'The whole machine (F)', 'aria-label': 'Fit', onclick: () => this.fit() },
        icon('M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5')),
      filmButton(this.canvas, this.runs[0]?.title || 'run'));
  }

  key() {
    this.forcesKey = h('div.key.view-key', {},
      h('span', {}, h('i.dot.stick'), 'sticks'), h('span', {}, h('i.dot.slip'), 'slips'),
      h('span', {}, h('i.dot.push'), 'other forces'));
    return this.forcesKey;
  }

  start() {
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
    } catch {
      this.fail('This browser cannot draw in 3-D (no WebGL). The plots below show everything.');
      return;
    }
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // turning the camera moves no shadow
    this.scene = new THREE.Scene();
    this.world = new THREE.Group(); // turned so that up is z
    this.scene.add(this.world);
    this.camera = new THREE.PerspectiveCamera(35, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.enableZoom = true;
    this.controls.listenToKeyEvents(this.canvas);
    this.controls.addEventListener('change', () => this.draw());
    // The page scrolls as ever; the wheel zooms only in a view that was clicked.
    this.canvas.addEventListener('wheel', (event) => {
      if (document.activeElement !== this.canvas && !event.ctrlKey) event.stopImmediatePropagation();
    }, { capture: true });
    this.hemisphere = new THREE.HemisphereLight(0xffffff, 0x8890a0, 1.9);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.1);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.scene.add(this.hemisphere, this.sun, this.sun.target);
    new ResizeObserver(() => this.resize()).observe(this.holder);
    this.pointing = new Pointing(this, (name) => this.chosen?.(name));
    on('time', () => this.show());
    on('theme', () => this.recolor());
    on('front', () => this.build());
    this.build();
  }

  fail(text) {
    this.message.textContent = text;
    this.message.hidden = false;
    this.canvas.hidden = true;
    this.holder.classList.add('none');
  }

  build() {
    if (!this.renderer) return;
    for (const machine of this.machines) {
      this.world.remove(machine.root);
      machine.dispose();
    }
    for (const floor of this.floors || []) {
      this.world.remove(floor.group);
      floor.dispose();
    }
    const front = this.runs[state.front];
    this.machines = [];
    this.floors = [];
    this.ready = false;
    if (!front.loaded || !front.scene.bodies.length || !front.loaded.bodies) {
      this.fail(front.scene.note ? `No picture: ${front.scene.note}.`
        : 'This recording has no picture of the machine. Record to HDF5 to have one.');
      return;
    }
    this.message.hidden = true;
    this.canvas.hidden = false;
    this.holder.classList.remove('none');
    this.machines.push(new Machine(front));
    this.world.quaternion.setFromUnitVectors(this.machines[0].up, new THREE.Vector3(0, 0, 1));
    this.world.updateMatrixWorld();
    this.box = this.machines[0].box.clone().applyMatrix4(this.world.matrixWorld);
    for (const run of this.runs) {
      if (run !== front && run.loaded && run.loaded.bodies && run.scene.bodies.length) this.machines.push(new Machine(run, { ghost: true }));
    }
    for (const machine of this.machines) this.world.add(machine.root);
    this.addFloors(this.machines[0]);
    const notes = [];
    if (this.machines[0].apart) notes.push('One-dimensional bodies are drawn apart.');
    const { leftOut, places, views, network } = this.machines[0].forces;
    if (leftOut) notes.push(`${leftOut} forces are not drawn.`);
    if (network) notes.push(networkNote(network));
    else if (places && front.summary?.contacts.most > places) notes.push('Moments with many contacts show none.');
    for (const { name, shapes, figures } of this.machines[0].bodies) {
      const undrawn = [...shapes, ...figures].reduce((sum, shape) => sum + shape.undrawn, 0);
      if (undrawn > 0) notes.push(`The surface of ${name} is too large to be drawn: ${undrawn} triangles.`);
    }
    this.note.textContent = notes.join(' ');
    this.forcesChip.hidden = this.forcesKey.hidden = !(views.length || places);
    this.ready = true;
    this.resize();
    if (!this.fitted) this.fit();
    this.fitted = true;
    this.recolor();
  }

  addFloors(machine) {
    const { size, box } = machine;
    const center = box.getCenter(new THREE.Vector3());
    const planes = machine.planes();
    const { up } = machine;
    if (!planes.some((plane) => plane.normal.dot(up) > 0.5)) {
      const lowest = Math.min(...[box.min, box.max].map((corner) => corner.dot(up)));
      const flat = this.box.max.z - this.box.min.z < size * 0.03;
      const under = machine.belts.size ? 0.7 * machine.block : flat ? size * 0.06 : 0;
      planes.push({ normal: up, turn: new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up),
        point: center.clone().addScaledVector(up, lowest - under - center.dot(up)) });
    }
    for (const plane of planes) {
      const level = plane.normal.dot(up) > 0.5;
      const floor = new Floor(size, niceStep(size, 12));
      if (!level) floor.lines.uniforms.reach.value = size * 0.8;
      floor.group.quaternion.copy(plane.turn);
      floor.plane = plane;
      floor.center = center;
      this.placeFloor(floor);
      this.world.add(floor.group);
      this.floors.push(floor);
    }
  }

  // The floor lies where its own origin is now, and fades around the machine.
  placeFloor({ group, lines, plane, center }) {
    group.position.copy(plane.point);
    if (plane.body >= 0) group.position.add(this.machines[0].parts[plane.body].position);
    const local = center.clone().sub(group.position).applyQuaternion(plane.turn.clone().invert());
    lines.uniforms.middle.value.set(local.x, local.y);
    group.children[1].position.set(local.x, local.y, group.children[1].position.z);
    group.children[0].position.set(local.x, local.y, 0);
    lines.uniforms.shift.value.set(local.x, local.y);
  }

  // The direction from which most of the movement is seen.
  usualDirection() {
    const { box } = this;
    const span = box.getSize(new THREE.Vector3());
    const largest = Math.max(span.x, span.y, span.z) || 1;
    if (span.z < 0.08 * largest && span.y > 0.2 * largest) return [0.12, -0.55, 0.9];
    if (span.y < 0.6 * largest) return [0.28, -1, 0.34];
    if (span.x < 0.6 * largest) return [1, -0.28, 0.34];
    return [0.6, -1, 0.55];
  }

  fit() {
    if (this.ready) this.look(...this.usualDirection());
  }

  look(x, y, z) {
    if (!this.ready) return;
    const { box } = this;
    const { size } = this.machines[0];
    const center = box.getCenter(new THREE.Vector3());
    const direction = new THREE.Vector3(x, y, z).normalize();
    this.camera.up.set(0, 0, 1);
    // The corners of the machine's box, seen from there, decide how far away.
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    const tall = Math.tan((this.camera.fov * Math.PI) / 360), wide = tall * this.camera.aspect;
    let far = size * 0.4;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z).sub(center);
      const depth = corner.dot(direction);
      far = Math.max(far, depth + (1.1 * Math.abs(corner.dot(right))) / wide, depth + (1.2 * Math.abs(corner.dot(up))) / tall);
    }
    this.camera.position.copy(center).addScaledVector(direction, far);
    this.camera.near = size * 1e-3;
    this.camera.far = far + size * 30;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(center);
    this.controls.minDistance = size * 0.02;
    this.controls.maxDistance = size * 12;
    this.controls.update();
    const light = this.sun.shadow.camera, reach = size * 0.75;
    this.sun.position.copy(center).add(new THREE.Vector3(-0.5, -0.7, 1.5).multiplyScalar(size * 1.5));
    this.sun.target.position.copy(center);
    Object.assign(light, { left: -reach, right: reach, top: reach, bottom: -reach, near: size * 0.1, far: size * 6 });
    light.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0005;
    this.sun.shadow.normalBias = size * 0.002;
    this.drawAnew();
  }

  recolor() {
    if (!this.ready) return;
    this.machines.forEach((machine) => machine.recolor());
    this.floors.forEach((floor) => floor.recolor());
    this.hemisphere.intensity = Number(color('--light')) || 1.9;
    this.show();
  }

  resize(wide = this.holder.clientWidth, tall = this.holder.clientHeight) {
    if (!this.ready) return;
    if (!wide || !tall || (this.wide === wide && this.tall === tall)) return;
    Object.assign(this, { wide, tall });
    this.renderer.setSize(wide, tall, false);
    this.camera.aspect = wide / tall;
    this.camera.updateProjectionMatrix();
    this.render(); // at once: a new size clears the canvas, and paper does not wait for a frame
  }

  show() {
    if (!this.ready) return;
    this.machines.forEach((machine) => {
      machine.root.visible = !machine.ghost || this.shows.others;
      if (machine.root.visible) machine.show(state.time, this.shows);
    });
    this.floors.forEach((floor) => floor.plane.body >= 0 && this.placeFloor(floor));
    this.drawAnew();
  }

  // Something moved: shadows too.
  drawAnew() {
    this.renderer.shadowMap.needsUpdate = true;
    this.draw();
  }

  draw() {
    if (this.waiting || !this.ready) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.ready) this.render();
    });
  }

  render() {
    const { camera, canvas, controls, renderer } = this;
    const far = camera.position.distanceTo(controls.target);
    const pixels = canvas.height / (2 * far * Math.tan((camera.fov * Math.PI) / 360));
    for (const machine of this.machines) machine.refine(pixels);
    this.rule.update(camera, this.world, pixels / renderer.getPixelRatio());
    renderer.render(this.scene, camera);
  }
}
