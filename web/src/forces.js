// SPDX-License-Identifier: Apache-2.0
// The forces of a machine at a moment: arrows, springs between bodies, dials of friction in joints,
// and the points where bodies touch.
import * as THREE from 'three';
import { Arrows } from './arrows.js';
import { axisOf } from './layout.js';
import { Network } from './network.js';
import { Coil, Dial } from './shapes.js';

export const FORCE = 12, CONTACT = 7; // numbers of a force and of a contact
export const MOST_FORCES = 400;
const MOST_POINTS = 24; // contacts of a moment that have an arrow each

const Y = new THREE.Vector3(0, 1, 0), SLIPS = 2;

// What most of the values stay below: one blow does not make the rest vanish.
const usual = (values) => Float64Array.from(values).sort()[Math.floor(values.length * 0.95)] || 1;

export class Forces {
  constructor(machine) {
    this.machine = machine;
    this.frames = machine.frames;
    const { at, count, forces } = this.frames;
    const list = machine.run.scene.forces.slice(0, Math.min(forces, MOST_FORCES));
    this.leftOut = Math.max(0, forces - list.length);
    const sizes = [];
    list.forEach((force, f) => {
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 300))) {
        const base = f * FORCE * count + i;
        const size = Math.hypot(at[base + 6 * count], at[base + 7 * count], at[base + 8 * count]);
        if (size > 0) sizes.push(size);
      }
    });
    this.usualForce = usual(sizes);
    this.views = [];
    this.dials = new Map(); // how many there are, by body
    this.walls = [];
    list.forEach((force, f) => this.addForce(force, f));
    this.walls.forEach((wall) => machine.box.expandByPoint(wall));
    const arrows = this.views.filter((view) => view.arrow).length;
    if (arrows) {
      this.arrows = new Arrows(machine.skin('white'), machine.size * 0.008, arrows);
      machine.root.add(...this.arrows.objects);
    }
    this.addContacts();
  }

  addForce(force, f) {
    if (force.coupling === 'shapes' || force.coupling === 'swarm') return; // of many pairs: no one place
    const { machine } = this;
    const { root, block, size } = machine;
    const view = { force, f, arrow: false, coil: null, dial: null };
    const between = force.law === 'spring' && force.coupling !== 'plane' && force.coupling !== 'spin';
    const owner = machine.bodies[(force.on?.body || 0) - 1];
    const joint = force.coupling === 'coordinate' && owner?.type === 'link';
    if (between && !joint) {
      view.coil = new Coil(machine.material('--spring', { metalness: 0.4, roughness: 0.4 }), block * (machine.hasBlocks ? 0.22 : 0.1) || size * 0.012);
      // A spring from a coordinate to the world has no length at rest: it is drawn to a wall.
      if (force.coupling === 'coordinate' && !(force.to?.body > 0)) view.anchor = this.addWall(force, owner);
      root.add(view.coil.mesh);
    }
    const turns = (force.coupling === 'frames' && owner) || (joint && owner.joint !== 'prismatic');
    // Friction of a joint acts inside its links, where no arrow is seen.
    const dial = force.friction && (turns || joint);
    view.arrow = !turns && !dial;
    if (dial) this.addDial(view);
    this.views.push(view);
  }

  addDial(view) {
    const body = view.force.on.body, others = this.dials.get(body) || 0;
    this.dials.set(body, others + 1);
    view.dial = new Dial(others);
    view.limit = this.limitOf(view);
    this.machine.root.add(view.dial.mesh);
  }

  // What a friction can hold: its level, or the most that it was seen to bear, in slip if it slipped.
  limitOf({ force, f }) {
    const { at, count } = this.frames;
    let most = 0, slipping = 0;
    for (let i = 0; i < count; ++i) {
      const size = Math.abs(at[(f * FORCE + 9) * count + i]);
      if (!(size < Infinity)) continue;
      most = Math.max(most, size);
      if (at[(f * FORCE + 11) * count + i] === SLIPS) slipping = Math.max(slipping, size);
    }
    return force.level > 0 ? force.level : slipping || most;
  }

  // The wall that a coordinate's spring hangs on, at the low end of its axis.
  addWall(force, owner) {
    const { machine } = this;
    const { block } = machine;
    const along = owner && owner.axes.length ? axisOf(owner, force.on.axis) : new THREE.Vector3(1, 0, 0);
    const here = machine.place(force.on.body - 1, 0, new THREE.Vector3());
    const at = machine.box.min.dot(along) - 1.6 * block;
    if (owner?.dim === 1) {
      const wall = machine.shaded(new THREE.Mesh(new THREE.BoxGeometry(block * 1.6, block * 0.15, block * 1.6), machine.skin('--joint')));
      wall.quaternion.setFromUnitVectors(Y, along);
      wall.position.copy(here).addScaledVector(along, at - here.dot(along) - block * 0.075);
      machine.root.add(wall);
    }
    this.walls.push(here.addScaledVector(along, at - here.dot(along)));
    return { along, at };
  }

  // Contacts between many bodies: an arrow for each place of a frame, seen through the bodies.
  addContacts() {
    const { contacts, contactsAt, count, pairs } = this.frames;
    this.places = contactsAt ? contacts : 0;
    // Many contacts are summed by pair of bodies.
    if (pairs && (this.machine.run.summary?.contacts.most || 0) > MOST_POINTS) {
      this.network = new Network(this.machine, pairs);
      return;
    }
    if (!this.places) return;
    const { machine } = this;
    this.touches = new Arrows(machine.material('white', { transparent: true, opacity: 0.85, depthTest: false }), machine.size * 0.005, contacts);
    for (const mesh of this.touches.objects) mesh.renderOrder = 2;
    machine.root.add(...this.touches.objects);
    const sizes = [];
    for (let k = 0; k < contacts; ++k) {
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 100))) {
        const read = (column) => contactsAt[(k * CONTACT + column) * count + i];
        const push = Math.hypot(read(3), read(4), read(5));
        if (push > 0) sizes.push(push);
      }
    }
    this.usualContact = usual(sizes);
  }

  show({ i, j, part }, visible) {
    this.arrows?.begin();
    this.views.forEach((view) => this.showForce(view, i, j, part, visible));
    this.arrows?.end();
    this.network?.show(i, visible);
    if (!this.touches) return;
    this.touches.begin();
    for (let k = 0; visible && k < this.places; ++k) this.showContact(k, i);
    this.touches.end();
  }

  showContact(k, i) {
    const { contactsAt, count } = this.frames, { machine } = this;
    const read = (column) => contactsAt[(k * CONTACT + column) * count + i];
    const point = new THREE.Vector3(read(0), read(1), read(2)), push = new THREE.Vector3(read(3), read(4), read(5));
    const size = push.length();
    if (!(size > 0) || !Number.isFinite(size + point.length())) return;
    if (push.dot(machine.up) < 0) push.negate(); // of a pair, what the upper one feels
    this.touches.add(machine.size * 0.14 * Math.min(1.6, size / this.usualContact), point, push, machine.tint(read(6) === 2 ? '--slip' : '--stick'));
  }

  showForce(view, i, j, part, visible) {
    const { at, count } = this.frames, { machine } = this;
    const base = view.f * FORCE * count;
    const read = (k, frame) => at[base + k * count + frame];
    const mix = (k) => read(k, i) + (read(k, j) - read(k, i)) * part;
    const { force } = view;
    const owner = (force.on?.body || 0) - 1;
    const regime = read(11, i);
    const on = new THREE.Vector3(mix(0), mix(1), mix(2));
    if (owner >= 0) on.add(machine.shifts[owner]);
    if (view.coil) {
      const other = (force.to?.body || 0) - 1;
      const to = view.anchor ? on.clone().addScaledVector(view.anchor.along, view.anchor.at - on.dot(view.anchor.along)) : new THREE.Vector3(mix(3), mix(4), mix(5));
      if (!view.anchor && other >= 0) to.add(machine.shifts[other]);
      view.coil.stretch(to, on);
    }
    const kind = !force.friction ? '--push' : regime === 1 ? '--stick' : '--slip';
    if (view.arrow) {
      const push = new THREE.Vector3(mix(6), mix(7), mix(8));
      const size = push.length();
      const open = force.friction && regime === 0;
      if (!visible || open || !(size > 0) || !Number.isFinite(size)) return;
      // From the face of a block, not from within.
      if (machine.bodies[owner]?.type === 'mass') on.addScaledVector(push, (0.5 * machine.block) / size);
      this.arrows.add(machine.size * 0.22 * Math.min(1.6, size / this.usualForce), on, push, machine.tint(kind));
    } else if (view.dial) {
      const size = Math.abs(mix(9)), at = force.coupling === 'frames' ? on : machine.parts[owner].position;
      view.dial.set(visible && view.limit > 0 && regime !== 0, at, size / view.limit, machine.tint(kind));
    }
  }
}
