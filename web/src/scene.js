// SPDX-License-Identifier: Apache-2.0
// The machine of one run in space: its bodies, forces and trails, at any moment.
import * as THREE from 'three';
import { indexAt } from './data.js';
import { color, seriesColor } from './dom.js';
import { beltOf, piecesOf } from './figures.js';
import { FORCE, Forces, MOST_FORCES } from './forces.js';
import { settle } from './herd.js';
import { arrange, axisOf, endsOf, isSurface, POSE, quaternion, Room, upOf, vector } from './layout.js';
import { isPlane } from './shapes.js';
import { Trails } from './trails.js';

const lengthOf = (box) => (box.isEmpty() ? 1 : box.getSize(new THREE.Vector3()).length() || 1);

export class Machine {
  // ghost: drawn faintly, in the run's colour, behind the one in front.
  constructor(run, { ghost = false } = {}) {
    this.run = run;
    this.frames = run.loaded;
    this.bodies = run.scene.bodies.slice(0, this.frames.bodies);
    this.ghost = ghost;
    this.root = new THREE.Group();
    this.materials = [];
    this.known = new Map(); // materials that are shared
    this.tints = new Map();
    this.measure();
    this.buildBodies();
    this.forces = ghost ? null : new Forces(this);
    this.trails = ghost ? null : new Trails(this);
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
    const { bodies, frames } = this, { scene } = this.run;
    this.up = upOf(scene);
    this.ends = endsOf(bodies);
    this.shifts = bodies.map(() => new THREE.Vector3());
    this.belts = new Set();
    // Driven bodies that carry a surface are that surface.
    this.surfaces = new Set(scene.forces.filter((force) => isSurface(force, bodies) && force.to.body > 0).map((force) => force.to.body - 1));
    const room = new Room(bodies, frames, this.ends);
    const spread = (which = () => true) => room.box((b) => !this.belts.has(b) && !this.surfaces.has(b) &&
      !isPlane(bodies[b]) && which(bodies[b]), this.shifts);
    let box = spread();
    this.block = 0.12 * lengthOf(box);
    // Where rows stand depends on the size of blocks, which depends on where rows stand: twice is enough.
    for (let k = 0; k < 2; ++k) {
      Object.assign(this, arrange(bodies, scene.forces, frames, this.block, this.up));
      box = spread();
      this.block = Math.max(0.12 * lengthOf(box), 1e-9);
    }
    this.reachForces(box);
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    this.hasBlocks = bodies.some((body, b) => body.type === 'mass' || (body.type === 'driven' && !this.surfaces.has(b)));
    if (this.hasBlocks) box.expandByScalar(this.block * 0.6);
    this.box = box;
    this.size = lengthOf(box);
    // What stands around the moving bodies must not hide them.
    const around = spread((body) => body.type === 'static'), at = new THREE.Vector3();
    this.glass = !around.isEmpty() && bodies.some((body, b) => body.type !== 'static' && around.containsPoint(this.place(b, frames.count - 1, at)));
    const masses = bodies.map((body) => body.mass).filter((mass) => mass > 0);
    this.meanMass = masses.length ? Math.exp(masses.reduce((sum, m) => sum + Math.log(m), 0) / masses.length) : 1;
  }

  // Places where joints and contacts act belong to the picture.
  reachForces(box) {
    const { at, count, forces } = this.frames, point = new THREE.Vector3();
    this.run.scene.forces.slice(0, Math.min(forces, MOST_FORCES)).forEach((force, f) => {
      if (force.coupling !== 'frames') return;
      for (let i = 0; i < count; i += Math.max(1, Math.floor(count / 50))) {
        const base = f * FORCE * count + i;
        point.set(at[base], at[base + count], at[base + 2 * count]);
        if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
      }
    });
  }

  // ----------------------------------------------------------------------------------------------
  // Colours

  // A colour of the theme by its variable, or one that the model gives as a number.
  paint(what) {
    if (what === 'white') return what;
    return this.ghost ? seriesColor(this.run.index) : typeof what === 'number' ? what : color(what);
  }

  tint(what) {
    if (!this.tints.has(what)) this.tints.set(what, new THREE.Color(this.paint(what)));
    return this.tints.get(what);
  }

  material(paint, more = {}) {
    const faint = this.ghost || more.transparent === true;
    const material = new THREE.MeshStandardMaterial({
      roughness: 0.55, metalness: 0.05, transparent: faint, opacity: faint ? 0.22 : 1, depthWrite: !faint, ...more,
    });
    material.userData.paint = paint;
    this.materials.push(material);
    return material;
  }

  // A material that many share.
  once(name, make, paint) {
    if (!this.known.has(name)) {
      const material = make();
      if (!this.materials.includes(material)) this.materials.push(material);
      material.userData.paint = paint;
      this.known.set(name, material);
    }
    return this.known.get(name);
  }

  // sheet: it is seen from both sides
  skin(paint, glass = false, sheet = false) {
    const more = { ...(glass ? { transparent: true } : {}), ...(sheet ? { side: THREE.DoubleSide } : {}) };
    return this.once(`${glass} ${sheet} ${paint}`, () => this.material(paint, more), paint);
  }

  // Colours are the theme's.
  recolor() {
    this.tints.clear();
    for (const material of this.materials) material.color.set(this.paint(material.userData.paint));
    for (const herd of this.herds) herd.recolor();
    this.trails?.recolor();
  }

  shaded(mesh) {
    mesh.castShadow = mesh.receiveShadow = !mesh.material.transparent;
    return mesh;
  }

  // ----------------------------------------------------------------------------------------------
  // Bodies

  // Parts are where the bodies are. Those without meshes of their own stay out of the scene.
  buildBodies() {
    const pieces = [];
    this.parts = this.bodies.map((body, b) => {
      const part = new THREE.Group(), found = piecesOf(this, b);
      if (found) {
        for (const piece of found) pieces.push(Object.assign(piece, { part }));
      } else {
        part.userData.belt = beltOf(this, axisOf(body, 0));
        part.add(part.userData.belt.holder);
      }
      return part;
    });
    this.herds = settle(this, pieces);
    for (const part of this.parts) if (part.children.length) this.root.add(part);
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
      for (const shape of body.type === 'static' ? body.shapes : []) {
        if (shape.shape !== 'plane') continue;
        const turn = this.turn(b, 0, new THREE.Quaternion());
        const point = vector(shape.center).applyQuaternion(turn).add(this.place(b, 0, new THREE.Vector3()));
        turn.multiply(quaternion(shape.turn));
        found.push({ turn, point, normal: new THREE.Vector3(0, 0, 1).applyQuaternion(turn), body: -1 });
      }
    });
    return found.slice(0, 8);
  }

  // ----------------------------------------------------------------------------------------------
  // A moment

  // Frames before and after, and how far between.
  between(t) {
    const { time, count } = this.frames;
    const i = Math.max(0, indexAt(time, t));
    const j = Math.min(count - 1, i + 1);
    const span = time[j] - time[i];
    const part = span > 0 ? Math.min(1, Math.max(0, (t - time[i]) / span)) : 0;
    return { i, j: part > 0 ? j : i, part };
  }

  show(t, { forces = true, trails = true } = {}) {
    const moment = this.between(t);
    this.pose(moment);
    for (const herd of this.herds) herd.update();
    this.forces?.show(moment, forces);
    this.trails?.show(moment.i, trails);
  }

  pose({ i, j, part }) {
    const a = new THREE.Vector3(), b = new THREE.Vector3();
    const p = new THREE.Quaternion(), q = new THREE.Quaternion();
    this.parts.forEach((group, body) => {
      this.place(body, i, a).lerp(this.place(body, j, b), part);
      this.turn(body, i, p).slerp(this.turn(body, j, q), part);
      const good = Number.isFinite(a.x + a.y + a.z + p.x + p.y + p.z + p.w);
      group.visible = good && !this.surfaces.has(body);
      if (!good) return;
      const { belt } = group.userData;
      if (belt) {
        const at = a.dot(belt.along);
        group.position.copy(a).addScaledVector(belt.along, belt.middle - at);
        belt.cleats.position.x = ((at % belt.spacing) + belt.spacing) % belt.spacing - belt.spacing / 2;
      } else {
        group.position.copy(a);
        group.quaternion.copy(p);
      }
      group.updateMatrix();
    });
  }

  // The picture has this many pixels a metre where the machine is.
  refine(pixels) {
    for (const herd of this.herds) herd.refine(pixels);
  }

  dispose() {
    for (const herd of this.herds) herd.dispose();
    this.root.traverse((object) => {
      object.geometry?.dispose();
      if (object.isInstancedMesh) object.dispose();
    });
    for (const material of this.materials) material.dispose();
  }
}
