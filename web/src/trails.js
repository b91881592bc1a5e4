// SPDX-License-Identifier: Apache-2.0
// The paths of bodies and of the ends of arms: one line object for all that comes, one for what was.
import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import { vector } from './layout.js';

const MOST = 40; // paths
const MOST_PIECES = 6000; // of all paths: with more, every frame no longer has one, and there are at most
const MANY_PIECES = 3000;
const SHORT = 3e-4; // of the machine's size: of many pieces, none is shorter

// Bodies whose paths are drawn: those that move and carry no other, evenly from all when they are too many.
function travellers({ bodies, belts, surfaces }) {
  const carries = new Set(bodies.map((body) => body.parent));
  const all = bodies.map((body, b) => b).filter((b) => bodies[b].type !== 'static' && !belts.has(b) && !surfaces.has(b) && (bodies[b].type !== 'link' || !carries.has(b + 1)));
  const step = Math.max(1, all.length / MOST);
  return Array.from({ length: Math.min(MOST, all.length) }, (none, k) => all[Math.floor(k * step)]);
}

// Places of a body's tip at all frames; null when one is not finite.
function pathOf(machine, b) {
  const { count } = machine.frames;
  const tip = machine.ends[b][0] || vector(machine.bodies[b].shapes.length === 1 ? machine.bodies[b].shapes[0].center : null);
  const points = new Float32Array(3 * count), at = new THREE.Vector3(), point = new THREE.Vector3(), turn = new THREE.Quaternion();
  for (let i = 0; i < count; ++i) {
    machine.place(b, i, at);
    point.copy(tip).applyQuaternion(machine.turn(b, i, turn)).add(at).toArray(points, 3 * i);
  }
  return points.every(Number.isFinite) ? points : null;
}

export class Trails {
  constructor(machine) {
    this.machine = machine;
    const { count } = machine.frames;
    const paths = count < 2 ? [] : travellers(machine).map((b) => ({ b, points: pathOf(machine, b) })).filter(({ points }) => points);
    this.objects = [];
    if (!paths.length) return;
    this.cutUp(paths, count);
    if (!this.owners.length) return;
    const both = [false, true].map((past) => {
      const geometry = new LineSegmentsGeometry().setPositions(this.positions);
      if (past) geometry.setColors(this.colors = new Float32Array(this.positions.length));
      const material = new LineMaterial({ linewidth: past ? 2.5 : 1.2, transparent: true, opacity: past ? 0.9 : 0.35, depthWrite: false, vertexColors: past });
      material.userData.paint = past ? 'white' : '--muted';
      machine.materials.push(material);
      const lines = new LineSegments2(geometry, material);
      lines.frustumCulled = false;
      machine.root.add(lines);
      return lines;
    });
    [, this.past] = this.objects = both;
  }

  // How long a piece is at least; negative: every frame has one.
  shortest(paths, count) {
    if (paths.length * count <= MOST_PIECES) return -1;
    let long = 0;
    for (const { points } of paths) {
      for (let p = 3; p < points.length; p += 3) long += Math.hypot(points[p] - points[p - 3], points[p + 1] - points[p - 2], points[p + 2] - points[p - 1]);
    }
    return Math.max(SHORT * this.machine.size, long / MANY_PIECES);
  }

  // Pieces of all paths in the order of time, so that those before a moment are the first ones.
  cutUp(paths, count) {
    const short = this.shortest(paths, count);
    const last = paths.map(() => 0); // the frame at which each path's last piece ended
    const positions = [];
    this.owners = []; // body of each piece
    this.before = new Uint32Array(count); // pieces that are past at each frame
    for (let i = 1; i < count; ++i) {
      paths.forEach(({ b, points }, k) => {
        const p = 3 * last[k], q = 3 * i;
        if (Math.hypot(points[q] - points[p], points[q + 1] - points[p + 1], points[q + 2] - points[p + 2]) <= short) return;
        positions.push(points[p], points[p + 1], points[p + 2], points[q], points[q + 1], points[q + 2]);
        this.owners.push(b);
        last[k] = i;
      });
      this.before[i] = this.owners.length;
    }
    this.positions = new Float32Array(positions);
  }

  recolor() {
    if (!this.past) return;
    this.owners.forEach((b, k) => {
      const { r, g, b: blue } = this.machine.tint(`--b${b % 6}`);
      for (let end = 6 * k; end < 6 * k + 6; end += 3) this.colors.set([r, g, blue], end);
    });
    this.past.geometry.getAttribute('instanceColorStart').data.needsUpdate = true;
  }

  show(i, visible) {
    for (const lines of this.objects) lines.visible = visible;
    if (this.past) this.past.geometry.instanceCount = this.before[Math.max(i, 0)];
  }
}
