// SPDX-License-Identifier: Apache-2.0
// Contacts between many bodies, one for each pair that touches: arrows where they are some, a network
// of lines from body to body where they are many. The width of a line is the size of its force.
import * as THREE from 'three';
import { Arrows } from './arrows.js';

const SOME_PAIRS = 40; // above these in one frame: a network
const SLIPS = 2, Y = new THREE.Vector3(0, 1, 0);
const BODY_ON = 7, BODY_TO = 8, REGIME = 6;

// What most of the forces stay below.
function usualForce({ total, read }) {
  const step = Math.max(1, Math.floor(total / 20000)), sizes = [];
  for (let row = 0; row < total; row += step) sizes.push(Math.hypot(read(row, 3), read(row, 4), read(row, 5)));
  return Float64Array.from(sizes).sort()[Math.floor(sizes.length * 0.95)] || 1;
}

// The length of a usual arrow: a part of the view, but not much longer than the bodies are large, which it would hide.
function arrowLength(machine) {
  const box = new THREE.Box3(), extent = new THREE.Vector3();
  const sizes = machine.bodies.map((body, i) => (body.type === 'static' || body.type === 'driven' || !machine.parts[i] ? 0
    : box.setFromObject(machine.parts[i]).getSize(extent).length())).filter((size) => size > 0 && size < Infinity).sort((a, b) => a - b);
  const typical = sizes[Math.floor(sizes.length / 2)] || Infinity;
  return Math.min(machine.size * 0.14, 1.5 * typical);
}

export class Network {
  constructor(machine, pairs) {
    this.machine = machine;
    this.pairs = pairs;
    this.usual = usualForce(pairs);
    this.lines = pairs.most > SOME_PAIRS;
    const material = machine.material('white', { transparent: true, opacity: 0.9, depthTest: false });
    if (this.lines) this.buildLines(material);
    else {
      this.arrow = arrowLength(machine);
      this.arrows = new Arrows(material, this.arrow / 28, pairs.most);
    }
    for (const mesh of this.objects) {
      mesh.renderOrder = 2; // seen through the bodies
      mesh.frustumCulled = false;
    }
    machine.root.add(...this.objects);
  }

  get objects() {
    return this.lines ? [this.rods] : this.arrows.objects;
  }

  // A rod of length 1 along y, of radius 1: each line scales its own.
  buildLines(material) {
    this.rods = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0), material, this.pairs.most);
    this.rods.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * this.pairs.most), 3);
    this.scratch = { from: new THREE.Vector3(), to: new THREE.Vector3(), turn: new THREE.Quaternion(), scale: new THREE.Vector3(), place: new THREE.Matrix4() };
  }

  // The end of a line: the middle of a body that moves; of others, where they are touched.
  endAt(body, point, into) {
    const about = this.machine.bodies[body - 1];
    return !about || about.type === 'static' || about.type === 'driven' ? into.copy(point) : into.copy(this.machine.parts[body - 1].position);
  }

  show(frame, visible) {
    const { pairs, machine } = this, { starts, stride, read } = pairs;
    const kept = Math.floor(frame / stride);
    const first = starts[kept], last = visible ? starts[kept + 1] : first;
    this.arrows?.begin();
    let used = 0;
    const point = new THREE.Vector3(), push = new THREE.Vector3();
    for (let row = first; row < last; ++row) {
      point.set(read(row, 0), read(row, 1), read(row, 2));
      push.set(read(row, 3), read(row, 4), read(row, 5));
      const size = push.length();
      if (!(size > 0) || !Number.isFinite(size + point.length())) continue;
      const tint = machine.tint(read(row, REGIME) === SLIPS ? '--slip' : '--stick');
      if (this.lines) this.addLine(used++, read(row, BODY_ON), read(row, BODY_TO), point, size, tint);
      else this.addArrow(point, push, size, tint);
    }
    this.arrows?.end();
    if (!this.lines) return;
    this.rods.count = used;
    this.rods.visible = used > 0;
    this.rods.instanceMatrix.needsUpdate = this.rods.instanceColor.needsUpdate = true;
  }

  addArrow(point, push, size, tint) {
    const { machine } = this;
    if (push.dot(machine.up) < 0) push.negate(); // of a pair, what the upper one feels
    this.arrows.add(this.arrow * Math.min(1.6, size / this.usual), point, push, tint);
  }

  addLine(k, on, other, point, size, tint) {
    const { from, to, turn, scale, place } = this.scratch, { machine } = this;
    this.endAt(on, point, from);
    this.endAt(other, point, to).sub(from);
    const long = to.length(), wide = machine.size * 0.006 * Math.min(1.6, size / this.usual);
    turn.setFromUnitVectors(Y, long > 0 ? to.divideScalar(long) : Y);
    this.rods.setMatrixAt(k, place.compose(from, turn, scale.set(wide, Math.max(long, 1e-12), wide)));
    this.rods.setColorAt(k, tint);
  }
}
