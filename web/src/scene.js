// SPDX-License-Identifier: Apache-2.0
// The machine of one run in space: its bodies, forces and trails, at any moment.
import * as THREE from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { indexAt } from './data.js';
import { color, seriesColor } from './dom.js';
import { Arrow, Coil, extentOf, Ring, shapeGeometry, shapeSize } from './shapes.js';

// A colour of the theme by its variable, or one that the model gives as a number.
const paint = (what) => (typeof what === 'number' ? what : color(what));

const POSE = 7, FORCE = 12, CONTACT = 7;
const MOST_TRAILS = 40, MOST_ARROWS = 400;
const Y = new THREE.Vector3(0, 1, 0);

const quaternion = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
const vector = (list) => new THREE.Vector3(...(Array.isArray(list) && list.length === 3 ? list.map(Number) : [0, 0, 0]));

// How a shape is turned on its body.
const turnOf = (body) => (body.shape_turn ? quaternion(body.shape_turn) : new THREE.Quaternion());

// The world axis of a coordinate of a mass or driven body.
const axisOf = (body, k) => new THREE.Vector3().setComponent(body.axes[k] ?? k ?? 0, 1);

// Whether a contact is with the world or with a surface that moves as it is driven (a conveyor).
const isSurface = (force, bodies) => force.coupling === 'plane' &&
  (!(force.to.body > 0) || bodies[force.to.body - 1]?.type === 'driven');

// Which way is up: against gravity, else the way that floors face.
export function upOf(scene) {
  const gravity = vector(scene.gravity);
  if (gravity.length() > 0) return gravity.negate().normalize();
  const normals = scene.forces.filter((force) => isSurface(force, scene.bodies))
    .map((force) => new THREE.Vector3(0, 0, 1).applyQuaternion(quaternion(force.to.turn)));
  const faced = (axis) => normals.some((normal) => Math.abs(normal.getComponent(axis)) > 0.9);
  const up = !normals.length || faced(2) ? 2 : faced(1) ? 1 : faced(0) ? 0 : 2;
  return new THREE.Vector3().setComponent(up, 1);
}

// Lengths of the box that has a body's mass and inertia.
function boxOfInertia(body, otherwise) {
  const [x, y, z] = body.inertia;
  const sides = [y + z - x, z + x - y, x + y - z].map((sum) => Math.sqrt(Math.max(0, (6 * sum) / body.mass)));
  const longest = Math.max(...sides);
  return longest > 0 && Number.isFinite(longest) ? new THREE.Vector3(...sides.map((side) => Math.max(side, longest * 0.07))) : otherwise;
}

// Where one-dimensional bodies are drawn. Their coordinates often all begin at zero: those that act
// on each other stand in a row along their axis, the others in rows beside it. A driven body that
// rubs another is a belt below it.
function arrange(bodies, forces, frames, size, up) {
  const shifts = bodies.map(() => new THREE.Vector3());
  const belts = new Set();
  const flat = bodies.map((body, i) => i).filter((i) => bodies[i].dim === 1);
  const row = bodies.map((body, i) => i); // the first body of each one's row
  const first = (i) => (row[i] === i ? i : first(row[i]));
  for (const force of forces) {
    const a = force.on.body - 1, b = force.to.body - 1;
    if (force.coupling !== 'coordinate' || !flat.includes(a) || !flat.includes(b)) continue;
    const [low, high] = [first(a), first(b)].sort((x, y) => x - y);
    row[high] = low;
    if (force.friction) [a, b].forEach((i) => bodies[i].type === 'driven' && belts.add(i));
  }
  for (const i of belts) shifts[i].addScaledVector(up, -0.62 * size);
  const standing = flat.filter((i) => !belts.has(i));
  const start = (i) => frames.poses[(i * POSE + (bodies[i].axes[0] ?? 0)) * frames.count];
  const close = (list) => list.some((i) => list.some((j) => i < j && Math.abs(start(i) - start(j)) < size));
  if (standing.length < 2 || !close(standing)) return { shifts, belts, apart: false };
  const rows = [...new Set(flat.map(first))];
  rows.forEach((leader, r) => {
    const members = flat.filter((i) => first(i) === leader);
    const along = axisOf(bodies[leader], 0);
    const beside = new THREE.Vector3().crossVectors(up, along);
    if (beside.length() < 0.5) beside.set(along.x > 0.5 ? 0 : 1, along.x > 0.5 ? 1 : 0, 0);
    members.forEach((i) => shifts[i].addScaledVector(beside, r * 2 * size));
    const masses = members.filter((i) => !belts.has(i));
    if (close(masses)) masses.forEach((i, k) => shifts[i].addScaledVector(along, k * 3 * size - start(i) + start(masses[0])));
  });
  return { shifts, belts, apart: true };
}

export class Machine {
  // ghost: drawn faintly, in the run's colour, behind the one in front.
  constructor(run, { ghost = false } = {}) {
    this.run = run;
    this.frames = run.loaded;
    this.ghost = ghost;
    this.root = new THREE.Group();
    this.parts = [];
    this.materials = [];
    this.measure();
    this.buildBodies();
    if (!ghost) {
      this.buildForces();
      this.buildContacts();
      this.buildTrails();
    }
  }

  get bodies() {
    return this.run.scene.bodies.slice(0, this.frames.bodies);
  }

  place(body, i, to) {
    const { poses, count } = this.frames;
    const base = body * POSE * count + i;
    return to.set(poses[base], poses[base + count], poses[base + 2 * count]).add(this.shifts[body]);
  }

  turn(body, i, to) {
    const { poses, count } = this.frames;
    const base = (body * POSE + 3) * count + i;
    return to.set(poses[base + count], poses[base + 2 * count], poses[base + 3 * count], poses[base]);
  }

  // The size of the machine and its surroundings, which everything without a size is drawn by.
  measure() {
    const { bodies } = this;
    this.up = upOf(this.run.scene);
    this.shifts = bodies.map(() => new THREE.Vector3());
    this.belts = new Set();
    // Driven bodies that carry a surface are that surface.
    this.surfaces = new Set(this.run.scene.forces.filter((force) => isSurface(force, bodies) && force.to.body > 0).map((force) => force.to.body - 1));
    const spread = (which = () => true) => {
      const box = new THREE.Box3(), at = new THREE.Vector3(), turn = new THREE.Quaternion();
      const { count } = this.frames;
      const step = Math.max(1, Math.floor(count / 200));
      bodies.forEach((body, b) => {
        if (this.belts.has(b) || this.surfaces.has(b) || body.shape === 'plane' || !which(body)) return;
        const otherwise = body.shape === 'point' && body.type === 'rigid' ? boxOfInertia(body, new THREE.Vector3()) : new THREE.Vector3();
        const { corners, reach } = extentOf(body, this.ends(b), otherwise);
        for (let i = 0; i < count; i += step) {
          this.place(b, i, at);
          this.turn(b, i, turn);
          if (!Number.isFinite(at.x + at.y + at.z)) continue;
          for (const corner of corners) {
            const point = corner.clone().applyQuaternion(turn).add(at);
            box.expandByPoint(point.clone().addScalar(reach)).expandByPoint(point.addScalar(-reach));
          }
        }
      });
      return box;
    };
    let box = spread();
    const length = (b) => (b.isEmpty() ? 1 : b.getSize(new THREE.Vector3()).length() || 1);
    this.size = length(box);
    this.block = 0.12 * this.size;
    // Where rows stand depends on the size of blocks, which depends on where rows stand: twice is enough.
    for (let k = 0; k < 2; ++k) {
      Object.assign(this, arrange(bodies, this.run.scene.forces, this.frames, this.block, this.up));
      box = spread();
      this.size = length(box);
      this.block = 0.12 * this.size;
    }
    this.reachForces(box);
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    this.block = Math.max(0.12 * this.size, 1e-9);
    this.hasBlocks = bodies.some((body, b) => body.type === 'mass' || (body.type === 'driven' && !this.surfaces.has(b)));
    if (this.hasBlocks) box.expandByScalar(this.block * 0.6);
    this.box = box;
    this.size = length(box);
    // What stands around the moving bodies must not hide them.
    const around = spread((body) => body.type === 'static'), at = new THREE.Vector3();
    this.glass = !around.isEmpty() && bodies.some((body, b) => body.type !== 'static' && around.containsPoint(this.place(b, this.frames.count - 1, at)));
    const masses = bodies.map((body) => body.mass).filter((mass) => mass > 0);
    this.meanMass = masses.length ? Math.exp(masses.reduce((sum, m) => sum + Math.log(m), 0) / masses.length) : 1;
  }

  // Places where joints and contacts act belong to the picture.
  reachForces(box) {
    const { at, count, forces } = this.frames;
    this.run.scene.forces.slice(0, Math.min(forces, MOST_ARROWS)).forEach((force, f) => {
      if (force.coupling !== 'frames') return;
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 50))) {
        const point = new THREE.Vector3(...[0, 1, 2].map((k) => at[(f * FORCE + k) * count + i]));
        if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
      }
    });
  }

  // Where a link leads: to the joints of its children, else through its centre of mass.
  ends(b) {
    const body = this.bodies[b];
    if (body.type !== 'link') return [];
    const children = this.bodies.filter((other) => other.parent === b + 1).map((child) => vector(child.offset))
      .filter((end) => end.length() > 0);
    if (children.length) return children;
    const center = vector(body.center);
    return center.length() > 0 ? [center.multiplyScalar(2)] : [];
  }

  material(variable, more = {}) {
    const faint = this.ghost || more.transparent === true;
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55, metalness: 0.05, transparent: faint, opacity: faint ? 0.22 : 1, depthWrite: !faint, ...more,
    });
    material.userData.paint = () => (this.ghost ? seriesColor(this.run.index) : paint(variable));
    this.materials.push(material);
    return material;
  }

  // Colours are the theme's.
  recolor() {
    for (const material of this.materials) material.color.set(material.userData.paint());
  }

  mesh(geometry, material) {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.castShadow = !material.transparent;
    mesh.receiveShadow = !material.transparent;
    return mesh;
  }

  // ----------------------------------------------------------------------------------------------
  // Bodies

  buildBodies() {
    this.bodies.forEach((body, b) => {
      const group = new THREE.Group();
      const variable = body.draw?.color >= 0 ? body.draw.color : body.type === 'static' ? '--joint' : `--b${b % 6}`;
      if (this.addDrawing(group, body, variable)) {
        this.root.add(group);
        this.parts.push(group);
        return;
      }
      if (body.type === 'link') this.addLink(group, body, b, variable);
      if (body.shape === 'sphere' && body.size?.[0] > 0) this.addSphere(group, body, variable);
      else if (body.shape === 'plane') group.visible = false; // one of the floors
      else if (shapeSize(body)) this.addSolid(group, body, variable);
      else if (this.surfaces.has(b)) group.visible = false;
      else if (this.belts.has(b)) this.addBelt(group, body);
      else if (body.type === 'rigid') this.addBox(group, boxOfInertia(body, new THREE.Vector3(this.block, this.block, this.block)), new THREE.Vector3(), variable);
      else if (body.type !== 'link') this.addBlock(group, body, variable);
      this.root.add(group);
      this.parts.push(group);
    });
  }

  // What the model says with `draw:`. False: it says nothing of the figure.
  addDrawing(group, body, variable) {
    const draw = body.draw;
    if (!draw || draw.type === 'auto') return false;
    if (draw.type === 'none') return true;
    const holder = new THREE.Group();
    holder.position.copy(vector(draw.center));
    holder.quaternion.set(...draw.turn);
    if (draw.type === 'sphere') this.addSphere(holder, { size: draw.size, shape_center: [0, 0, 0] }, variable);
    else if (draw.type === 'box') this.addBox(holder, vector(draw.size), new THREE.Vector3(), variable);
    else this.addSolid(holder, { type: body.type, shape: draw.type, size: draw.size, shape_center: [0, 0, 0] }, variable);
    group.add(holder);
    return true;
  }

  // Eight parts in two tones: that it turns can be seen.
  addSphere(group, body, variable) {
    const radius = body.size[0];
    const holder = new THREE.Group();
    holder.position.copy(vector(body.shape_center));
    const tones = [this.material(variable), this.material('--tone')];
    for (let k = 0; k < 8; ++k) {
      const part = new THREE.SphereGeometry(radius, 14, 14, ((k % 4) * Math.PI) / 2, Math.PI / 2,
        k < 4 ? 0 : Math.PI / 2, Math.PI / 2);
      holder.add(this.mesh(part, tones[(k + (k < 4 ? 0 : 1)) % 2]));
    }
    group.add(holder);
  }

  addBox(group, size, center, variable) {
    this.addEdged(group, new THREE.BoxGeometry(size.x, size.y, size.z), center, new THREE.Quaternion(), variable);
  }

  addSolid(group, body, variable) {
    const [r, , z] = body.size;
    const across = body.shape !== 'cylinder' ? [] : [[-r, -z], [r, -z], [-r, z], [r, z]].map(([x, end]) => new THREE.Vector3(x, 0, 0.501 * end));
    this.addEdged(group, shapeGeometry(body), vector(body.shape_center), turnOf(body), variable,
      { transparent: this.ghost || (this.glass && body.type === 'static') }, across);
  }

  // A body with its edges, and across the ends of a cylinder a line: that it turns can be seen.
  addEdged(group, geometry, center, turn, variable, more, across = []) {
    const mesh = this.mesh(geometry, this.material(variable, more));
    mesh.position.copy(center);
    mesh.quaternion.copy(turn);
    const lines = new THREE.LineBasicMaterial({ transparent: true, opacity: this.ghost ? 0.3 : 0.65 });
    lines.userData.paint = () => (this.ghost ? seriesColor(this.run.index) : color('--edge'));
    this.materials.push(lines);
    mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 20), lines));
    if (across.length) mesh.add(new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(across), lines));
    group.add(mesh);
  }

  // A point with mass: as large as its share of the mass asks for.
  addBlock(group, body, variable) {
    const scale = body.mass > 0 ? Math.min(1.7, Math.max(0.55, Math.cbrt(body.mass / this.meanMass))) : 0.7;
    const side = this.block * scale;
    if (body.type === 'driven') {
      group.add(this.mesh(new THREE.OctahedronGeometry(side * 0.6), this.material('--tone')));
    } else if (body.dim === 3) {
      group.add(this.mesh(new THREE.SphereGeometry(side * 0.5, 32, 20), this.material(variable)));
    } else {
      this.addBox(group, new THREE.Vector3(side, side, side), new THREE.Vector3(), variable);
    }
  }

  // A slab that stays, with cleats that run.
  addBelt(group, body) {
    const along = axisOf(body, 0);
    const long = this.box.getSize(new THREE.Vector3()).dot(along) + 4 * this.block, thick = 0.1 * this.block;
    const holder = new THREE.Group();
    const turned = new THREE.Matrix4().makeBasis(along, new THREE.Vector3().crossVectors(this.up, along), this.up);
    holder.quaternion.setFromRotationMatrix(turned);
    holder.add(this.mesh(new THREE.BoxGeometry(long, 1.5 * this.block, thick), this.material('--joint')));
    const spacing = 0.6 * this.block, skin = this.material('--tone');
    const cleats = new THREE.Group();
    for (let x = -long / 2 + spacing; x < long / 2 - spacing; x += spacing) {
      const cleat = this.mesh(new THREE.BoxGeometry(thick, 1.5 * this.block, thick * 0.5), skin);
      cleat.position.set(x, 0, thick * 0.5);
      cleats.add(cleat);
    }
    holder.add(cleats);
    group.add(holder);
    group.userData.belt = { along, cleats, spacing, middle: this.box.getCenter(new THREE.Vector3()).dot(along) };
  }

  addLink(group, body, b, variable) {
    const ends = this.ends(b);
    const longest = Math.max(0, ...ends.map((end) => end.length()));
    const thick = Math.max(longest * 0.055, this.size * 0.006);
    const skin = this.material(variable);
    for (const end of ends) {
      const rod = this.mesh(new THREE.CapsuleGeometry(thick, end.length(), 8, 20), skin);
      rod.quaternion.setFromUnitVectors(Y, end.clone().normalize());
      rod.position.copy(end).multiplyScalar(0.5);
      group.add(rod);
    }
    const steel = this.material('--joint');
    const axis = vector(body.axis);
    if (body.joint === 'revolute' && axis.length() > 0) {
      const pin = this.mesh(new THREE.CylinderGeometry(thick * 1.5, thick * 1.5, thick * 3, 28), steel);
      pin.quaternion.setFromUnitVectors(Y, axis.clone().normalize());
      group.add(pin);
    } else if (body.joint === 'prismatic' && axis.length() > 0) {
      const slide = this.mesh(new THREE.BoxGeometry(thick * 3, thick * 4.5, thick * 3), steel);
      slide.quaternion.setFromUnitVectors(Y, axis.clone().normalize());
      group.add(slide);
    } else if (body.joint === 'spherical') {
      group.add(this.mesh(new THREE.SphereGeometry(thick * 1.7, 24, 16), steel));
    }
    if (!ends.length && body.shape === 'point') {
      group.add(this.mesh(new THREE.SphereGeometry(Math.max(thick * 2, this.size * 0.02), 24, 16), skin));
    }
  }

  // ----------------------------------------------------------------------------------------------
  // Forces

  buildForces() {
    this.views = [];
    const { at, count, forces } = this.frames;
    const list = this.run.scene.forces.slice(0, Math.min(forces, MOST_ARROWS));
    this.forcesLeftOut = Math.max(0, forces - list.length);
    // Arrows are as long as most of the forces of the run ask for: one blow does not make the rest vanish.
    const sizes = [], torques = [];
    list.forEach((force, f) => {
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 300))) {
        const base = f * FORCE * count + i;
        const size = Math.hypot(at[base + 6 * count], at[base + 7 * count], at[base + 8 * count]);
        if (size > 0) sizes.push(size);
        else if (Math.abs(at[base + 9 * count]) > 0) torques.push(Math.abs(at[base + 9 * count]));
      }
    });
    const usual = (values) => values.sort((a, b) => a - b)[Math.floor(values.length * 0.95)] || 1;
    this.usualForce = usual(sizes);
    this.usualTorque = usual(torques);
    this.walls = [];
    list.forEach((force, f) => this.addForce(force, f));
    this.walls.forEach((wall) => this.box.expandByPoint(wall));
  }

  addForce(force, f) {
    if (force.coupling === 'shapes' || force.coupling === 'swarm') return; // of many pairs: no one place
    const view = { force, f, arrow: null, coil: null, ring: null };
    const between = force.law === 'spring' && force.coupling !== 'plane' && force.coupling !== 'spin';
    const owner = this.bodies[(force.on?.body || 0) - 1];
    const joint = force.coupling === 'coordinate' && owner?.type === 'link';
    if (between && !joint) {
      view.coil = new Coil(this.material('--spring', { metalness: 0.4, roughness: 0.4 }), this.block * (this.hasBlocks ? 0.22 : 0.1) || this.size * 0.012);
      if (this.wallNeeded(force)) view.anchor = this.addWall(force, owner);
      this.root.add(view.coil.mesh);
    }
    if (force.coupling === 'frames' && owner) {
      view.ring = new Ring(this.material('--slip'), this.size * 0.05);
      view.axis = new THREE.Vector3(0, 0, 1).applyQuaternion(quaternion(force.on.turn));
      this.root.add(view.ring.mesh);
    } else if (joint && owner.joint !== 'prismatic') {
      const reach = Math.max(0, ...this.ends(force.on.body - 1).map((end) => end.length()));
      view.ring = new Ring(this.material('--slip'), (reach || this.size) * 0.14);
      view.axis = vector(owner.axis).normalize();
      this.root.add(view.ring.mesh);
    } else {
      view.arrow = new Arrow(this.material('--slip'), this.size * 0.008);
      this.root.add(view.arrow.group);
    }
    this.views.push(view);
  }

  // A spring from a coordinate to the world has no length at rest: it is drawn to a wall.
  wallNeeded(force) {
    return force.coupling === 'coordinate' && !(force.to?.body > 0);
  }

  // The wall that a coordinate's spring hangs on, at the low end of its axis.
  addWall(force, owner) {
    const along = owner && owner.axes.length ? axisOf(owner, force.on.axis) : new THREE.Vector3(1, 0, 0);
    const here = this.place(force.on.body - 1, 0, new THREE.Vector3());
    const at = this.box.min.dot(along) - 1.6 * this.block;
    if (owner?.dim === 1) {
      const wall = this.mesh(new THREE.BoxGeometry(this.block * 1.6, this.block * 0.15, this.block * 1.6), this.material('--joint'));
      wall.quaternion.setFromUnitVectors(Y, along);
      wall.position.copy(here).addScaledVector(along, at - here.dot(along) - this.block * 0.075);
      this.root.add(wall);
    }
    this.walls.push(here.addScaledVector(along, at - here.dot(along)));
    return { along, at };
  }

  // Contacts between many bodies: an arrow for each place of a frame, seen through the bodies.
  buildContacts() {
    const { contacts, contactsAt, count } = this.frames;
    this.contacts = [];
    if (!contactsAt) return;
    const through = { transparent: true, opacity: 0.85, depthTest: false };
    this.contactMaterials = [this.material('--stick', through), this.material('--slip', through)];
    const sizes = [];
    for (let k = 0; k < contacts; ++k) {
      const arrow = new Arrow(this.contactMaterials[0], this.size * 0.005);
      arrow.group.traverse((part) => { part.renderOrder = 2; });
      this.root.add(arrow.group);
      this.contacts.push(arrow);
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 100))) {
        const push = this.contact(k, i).push.length();
        if (push > 0) sizes.push(push);
      }
    }
    this.usualContact = sizes.sort((a, b) => a - b)[Math.floor(sizes.length * 0.95)] || 1;
  }

  contact(k, i) {
    const { contactsAt, count } = this.frames;
    const read = (column) => contactsAt[(k * CONTACT + column) * count + i];
    return { point: new THREE.Vector3(read(0), read(1), read(2)), push: new THREE.Vector3(read(3), read(4), read(5)), regime: read(6) };
  }

  showContact(arrow, k, i, visible) {
    const { point, push, regime } = this.contact(k, i);
    const size = push.length();
    if (push.dot(this.up) < 0) push.negate(); // of a pair, what the upper one feels
    arrow.use(this.contactMaterials[regime === 2 ? 1 : 0]);
    arrow.point(visible && size > 0 && Number.isFinite(size + point.length()) ? this.size * 0.14 * Math.min(1.6, size / this.usualContact) : 0, point, push);
  }

  // ----------------------------------------------------------------------------------------------
  // Trails

  buildTrails() {
    this.trails = [];
    const { count } = this.frames;
    const at = new THREE.Vector3(), turn = new THREE.Quaternion();
    const tips = this.bodies.map((body, b) => b).filter((b) => {
      const body = this.bodies[b];
      return !this.belts.has(b) && !this.surfaces.has(b) && (body.type !== 'link' || !this.bodies.some((other) => other.parent === b + 1));
    }).slice(0, MOST_TRAILS);
    for (const b of tips) {
      const tip = this.ends(b)[0] || vector(this.bodies[b].shape_center);
      const points = new Float32Array(3 * count);
      for (let i = 0; i < count; ++i) {
        this.place(b, i, at);
        const point = tip.clone().applyQuaternion(this.turn(b, i, turn)).add(at);
        point.toArray(points, 3 * i);
      }
      if (count < 2 || points.some((x) => !Number.isFinite(x))) continue;
      for (const past of [false, true]) {
        const material = new LineMaterial({ linewidth: past ? 2.5 : 1.2, transparent: true, opacity: past ? 0.9 : 0.35, depthWrite: false });
        material.userData.paint = () => color(past ? `--b${b % 6}` : '--muted');
        this.materials.push(material);
        const line = new Line2(new LineGeometry().setPositions(points), material);
        line.frustumCulled = false;
        line.userData.past = past;
        this.root.add(line);
        this.trails.push(line);
      }
    }
  }

  // ----------------------------------------------------------------------------------------------
  // A moment

  // Frames before and after, and how far between.
  between(t) {
    const { time, count } = this.frames;
    const i = Math.max(0, indexAt(time, t));
    const j = Math.min(count - 1, i + 1);
    const span = time[j] - time[i];
    return { i, j, part: span > 0 ? Math.min(1, Math.max(0, (t - time[i]) / span)) : 0 };
  }

  show(t, { forces = true, trails = true } = {}) {
    const { i, j, part } = this.between(t);
    const a = new THREE.Vector3(), b = new THREE.Vector3();
    const p = new THREE.Quaternion(), q = new THREE.Quaternion();
    this.parts.forEach((group, body) => {
      this.place(body, i, a).lerp(this.place(body, j, b), part);
      this.turn(body, i, p).slerp(this.turn(body, j, q), part);
      const good = Number.isFinite(a.x + a.y + a.z + p.w);
      group.visible = good && !this.surfaces.has(body);
      const { belt } = group.userData;
      if (good && belt) {
        const at = a.dot(belt.along);
        group.position.copy(a).addScaledVector(belt.along, belt.middle - at);
        belt.cleats.position.x = ((at % belt.spacing) + belt.spacing) % belt.spacing - belt.spacing / 2;
      } else if (good) {
        group.position.copy(a);
        group.quaternion.copy(p);
      }
    });
    if (this.ghost) return;
    this.views.forEach((view) => this.showForce(view, i, j, part, forces));
    this.contacts.forEach((arrow, k) => this.showContact(arrow, k, i, forces));
    for (const line of this.trails) {
      line.visible = trails;
      if (line.userData.past) line.geometry.instanceCount = Math.max(i, 0);
    }
  }

  showForce(view, i, j, part, visible) {
    const { at, count } = this.frames;
    const base = view.f * FORCE * count;
    const read = (k, frame) => at[base + k * count + frame];
    const mix = (k) => read(k, i) + (read(k, j) - read(k, i)) * part;
    const { force } = view;
    const owner = (force.on?.body || 0) - 1;
    const regime = read(11, i);
    const shift = owner >= 0 ? this.shifts[owner] : null;
    const on = new THREE.Vector3(mix(0), mix(1), mix(2));
    if (shift) on.add(shift);
    if (view.coil) {
      const other = (force.to?.body || 0) - 1;
      const to = view.anchor ? on.clone().addScaledVector(view.anchor.along, view.anchor.at - on.dot(view.anchor.along)) : new THREE.Vector3(mix(3), mix(4), mix(5));
      if (!view.anchor && other >= 0) to.add(this.shifts[other]);
      view.coil.stretch(to, on);
    }
    const kind = !force.friction ? '--push' : regime === 1 ? '--stick' : '--slip';
    if (view.arrow) {
      const push = new THREE.Vector3(mix(6), mix(7), mix(8));
      const size = push.length();
      const open = force.friction && regime === 0;
      view.arrow.material.userData.paint = () => color(kind);
      view.arrow.material.color.set(color(kind));
      const length = this.size * 0.22 * Math.min(1.6, size / this.usualForce);
      // From the face of a block, not from within.
      if (size > 0 && this.bodies[owner]?.type === 'mass') on.addScaledVector(push, (0.5 * this.block) / size);
      view.arrow.point(visible && !open && size > 0 && Number.isFinite(size) ? length : 0, on, push);
    } else if (view.ring) {
      const size = Math.abs(mix(9));
      const turn = this.parts[owner].quaternion;
      view.ring.material.userData.paint = () => color(kind);
      view.ring.material.color.set(color(kind));
      view.ring.set(visible && size > 0 && force.friction, force.coupling === 'frames' ? on : this.parts[owner].position, view.axis.clone().applyQuaternion(turn),
        0.35 + 0.65 * Math.min(1.3, size / this.usualTorque));
    }
  }

  // Planes that contacts rest on. body >= 0: a driven one carries the plane.
  planes() {
    const found = [];
    for (const force of this.run.scene.forces) {
      if (!isSurface(force, this.bodies)) continue;
      const turn = quaternion(force.to.turn), point = vector(force.to.point);
      const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(turn);
      const same = (plane) => plane.normal.distanceTo(normal) < 1e-6 &&
        Math.abs(plane.point.clone().sub(point).dot(normal)) < 1e-6 * this.size && plane.body === force.to.body - 1;
      if (!found.some(same)) found.push({ turn, point, normal, body: force.to.body - 1 });
    }
    this.bodies.forEach((body, b) => {
      if (body.type !== 'static' || body.shape !== 'plane') return;
      const turn = this.turn(b, 0, new THREE.Quaternion());
      const point = vector(body.shape_center).applyQuaternion(turn).add(this.place(b, 0, new THREE.Vector3()));
      turn.multiply(turnOf(body));
      found.push({ turn, point, normal: new THREE.Vector3(0, 0, 1).applyQuaternion(turn), body: -1 });
    });
    return found.slice(0, 8);
  }

  dispose() {
    this.root.traverse((object) => object.geometry?.dispose());
    for (const material of this.materials) material.dispose();
  }
}
