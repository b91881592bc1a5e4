// SPDX-License-Identifier: Apache-2.0
// Where things are: up, the rows of one-dimensional bodies, and the room that bodies take up over a run.
import * as THREE from 'three';
import { extentOf } from './shapes.js';

export const POSE = 7; // numbers of a pose: position x y z, orientation w x y z

export const quaternion = ([w, x, y, z]) => new THREE.Quaternion(x, y, z, w);
export const vector = (list) => new THREE.Vector3(...(Array.isArray(list) && list.length === 3 ? list.map(Number) : [0, 0, 0]));

// The world axis of a coordinate of a mass or driven body.
export const axisOf = (body, k) => new THREE.Vector3().setComponent(body.axes[k] ?? k ?? 0, 1);

// Whether a contact is with the world or with a surface that moves as it is driven (a conveyor).
export const isSurface = (force, bodies) => force.coupling === 'plane' &&
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
export function boxOfInertia(body, otherwise) {
  const [x, y, z] = body.inertia;
  const sides = [y + z - x, z + x - y, x + y - z].map((sum) => Math.sqrt(Math.max(0, (6 * sum) / body.mass)));
  const longest = Math.max(...sides);
  return longest > 0 && Number.isFinite(longest) ? new THREE.Vector3(...sides.map((side) => Math.max(side, longest * 0.07))) : otherwise;
}

// Where each link leads: to the joints of its children; one without children or shapes through its centre of mass.
export function endsOf(bodies) {
  const ends = bodies.map(() => []);
  for (const child of bodies) {
    const offset = vector(child.offset);
    if (child.parent > 0 && offset.length() > 0) ends[child.parent - 1]?.push(offset);
  }
  return bodies.map((body, b) => {
    if (body.type !== 'link') return [];
    const center = vector(body.center);
    return ends[b].length || body.shapes.length || !(center.length() > 0) ? ends[b] : [center.multiplyScalar(2)];
  });
}

// ----------------------------------------------------------------------------------------------
// Rows

// Whether two of the numbers are closer than `size`.
function close(numbers, size) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted.some((x, k) => k > 0 && x - sorted[k - 1] < size);
}

// Where one-dimensional bodies are drawn. Their coordinates often all begin at zero: those that act
// on each other stand in a row along their axis, the others in rows beside it. A driven body that
// rubs another is a belt below it.
export function arrange(bodies, forces, frames, size, up) {
  const shifts = bodies.map(() => new THREE.Vector3());
  const belts = new Set();
  const isFlat = (i) => bodies[i]?.dim === 1;
  const row = bodies.map((body, i) => i); // towards the first body of each one's row
  const first = (i) => {
    while (row[i] !== i) i = row[i] = row[row[i]];
    return i;
  };
  for (const force of forces) {
    const a = force.on.body - 1, b = force.to.body - 1;
    if (force.coupling !== 'coordinate' || !isFlat(a) || !isFlat(b)) continue;
    const one = first(a), other = first(b);
    row[Math.max(one, other)] = Math.min(one, other);
    if (force.friction) [a, b].forEach((i) => bodies[i].type === 'driven' && belts.add(i));
  }
  for (const i of belts) shifts[i].addScaledVector(up, -0.62 * size);
  const start = (i) => frames.poses[(i * POSE + (bodies[i].axes[0] ?? 0)) * frames.count];
  const flat = [...row.keys()].filter(isFlat), standing = flat.filter((i) => !belts.has(i));
  if (standing.length < 2 || !close(standing.map(start), size)) return { shifts, belts, apart: false };
  const rows = new Map();
  for (const i of flat) {
    if (!rows.has(first(i))) rows.set(first(i), []);
    rows.get(first(i)).push(i);
  }
  [...rows].forEach(([leader, members], r) => {
    const along = axisOf(bodies[leader], 0);
    const beside = new THREE.Vector3().crossVectors(up, along);
    if (beside.length() < 0.5) beside.set(along.x > 0.5 ? 0 : 1, along.x > 0.5 ? 1 : 0, 0);
    members.forEach((i) => shifts[i].addScaledVector(beside, r * 2 * size));
    const masses = members.filter((i) => !belts.has(i));
    if (close(masses.map(start), size)) masses.forEach((i, k) => shifts[i].addScaledVector(along, k * 3 * size - start(i) + start(masses[0])));
  });
  return { shifts, belts, apart: true };
}

// ----------------------------------------------------------------------------------------------
// Room

const LOOKS = 200, LEAST_LOOKS = 20, MOST_LOOKS = 20000; // frames of a body, and of all bodies together

// The least and the largest place of each body over the run, as it is recorded: six numbers each;
// the least is above the largest where it has none.
export class Room {
  constructor(bodies, frames, ends) {
    this.spans = new Float64Array(6 * bodies.length);
    const looks = Math.min(LOOKS, Math.max(LEAST_LOOKS, MOST_LOOKS / bodies.length));
    const step = Math.max(1, Math.floor(frames.count / looks));
    const none = new THREE.Vector3();
    bodies.forEach((body, b) => {
      const otherwise = !body.shapes.length && body.type === 'rigid' ? boxOfInertia(body, none) : none;
      this.survey(b, extentOf(body, ends[b], otherwise), frames, step);
    });
  }

  survey(b, { corners, reach }, { poses, count }, step) {
    const { spans } = this, flat = corners.flatMap((corner) => corner.toArray());
    const span = 6 * b;
    spans.fill(Infinity, span, span + 3).fill(-Infinity, span + 3, span + 6);
    const read = (k, i) => poses[(b * POSE + k) * count + i];
    for (let i = 0; i < count; i += step) {
      const x = read(0, i), y = read(1, i), z = read(2, i);
      const qw = read(3, i), qx = read(4, i), qy = read(5, i), qz = read(6, i);
      if (!Number.isFinite(x + y + z + qw + qx + qy + qz)) continue;
      for (let c = 0; c < flat.length; c += 3) {
        const u = flat[c], v = flat[c + 1], w = flat[c + 2];
        // p + 2 q x (q x p + qw p)
        const s = qy * w - qz * v + qw * u, t = qz * u - qx * w + qw * v, r = qx * v - qy * u + qw * w;
        this.reach(span, x + u + 2 * (qy * r - qz * t), reach);
        this.reach(span + 1, y + v + 2 * (qz * s - qx * r), reach);
        this.reach(span + 2, z + w + 2 * (qx * t - qy * s), reach);
      }
    }
  }

  reach(at, x, around) {
    const { spans } = this;
    if (x - around < spans[at]) spans[at] = x - around;
    if (x + around > spans[at + 3]) spans[at + 3] = x + around;
  }

  // The box around some of the bodies, where they are drawn.
  box(which, shifts) {
    const box = new THREE.Box3(), { spans } = this;
    shifts.forEach((shift, b) => {
      if (!(spans[6 * b] <= spans[6 * b + 3]) || !which(b)) return;
      for (let k = 0; k < 3; ++k) {
        const by = shift.getComponent(k), low = spans[6 * b + k] + by, high = spans[6 * b + 3 + k] + by;
        if (low < box.min.getComponent(k)) box.min.setComponent(k, low);
        if (high > box.max.getComponent(k)) box.max.setComponent(k, high);
      }
    });
    return box;
  }
}
