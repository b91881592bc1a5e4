// SPDX-License-Identifier: Apache-2.0
// What bodies look like: each is made of pieces, and pieces of a kind have one geometry at unit size.
import * as THREE from 'three';
import { mergeGeometries, toCreasedNormals } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { boxOfInertia, quaternion, vector } from './layout.js';
import { isFaceted, isPlane, shapeBox } from './shapes.js';

const Y = new THREE.Vector3(0, 1, 0);
const NOWHERE = new THREE.Vector3(), UNTURNED = new THREE.Quaternion();

const cut = (full, detail, least) => Math.max(least, Math.round(full * detail));
const upright = (geometry) => geometry.rotateX(Math.PI / 2); // three's stand along y, ours along z

// ----------------------------------------------------------------------------------------------
// Kinds of pieces
//
// key: pieces with the same one are alike but for place, size and colour
// triangles: of one piece in full detail; round: whether less detail than that makes fewer
// coats(detail): geometries in as many colours; detail 1 is full, 0 the coarsest
// edges(coats): points of the lines that are drawn with it, two a line

// Eight parts in two tones: that it turns can be seen.
const SPHERE = {
  key: 'sphere', triangles: 3024, round: true,
  coats: (detail) => {
    const arc = cut(14, detail, 2);
    const parts = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new THREE.SphereGeometry(1, arc, arc, ((k % 4) * Math.PI) / 2, Math.PI / 2,
      k < 4 ? 0 : Math.PI / 2, Math.PI / 2));
    return [0, 1].map((tone) => mergeGeometries(parts.filter((part, k) => (k + (k < 4 ? 0 : 1)) % 2 === tone)));
  },
};

const edgesOf = (geometry, angle) => new THREE.EdgesGeometry(geometry, angle).getAttribute('position').array;

const BOX = { key: 'box', triangles: 12, coats: () => [new THREE.BoxGeometry()], edges: ([box]) => edgesOf(box, 20) };
const BALL = { key: 'ball', triangles: 1216, round: true, coats: (detail) => [new THREE.SphereGeometry(1, cut(32, detail, 10), cut(20, detail, 6))] };
const SLIDE = { ...BOX, key: 'slide', edges: null };
const JEWEL = { key: 'jewel', triangles: 8, coats: () => [new THREE.OctahedronGeometry()] };
const PIN = { key: 'pin', triangles: 112, round: true, coats: (detail) => [new THREE.CylinderGeometry(1, 1, 1, cut(28, detail, 10))] };
const KNOB = { key: 'knob', triangles: 720, round: true, coats: (detail) => [new THREE.SphereGeometry(1, cut(24, detail, 10), cut(16, detail, 6))] };

// Across the ends of a cylinder a line: that it turns can be seen. Its sides have no edges, however few they are.
const CYLINDER = {
  key: 'cylinder', triangles: 160, round: true,
  coats: (detail) => [upright(new THREE.CylinderGeometry(1, 1, 1, cut(40, detail, 12)))],
  edges: ([side]) => [...edgesOf(side, 60), -1, 0, -0.501, 1, 0, -0.501, -1, 0, 0.501, 1, 0, 0.501],
};

// With its base a quarter below its origin.
const CONE = {
  key: 'cone', triangles: 80, round: true,
  coats: (detail) => [upright(new THREE.ConeGeometry(1, 1, cut(40, detail, 12))).translate(0, 0, 0.25)],
  edges: ([side]) => [...edgesOf(side, 60), -1, 0, -0.251, 1, 0, -0.251],
};

// Of radius 1 and as long as this.
const capsule = (long) => ({
  key: `capsule ${long}`, triangles: 1600, round: true, coats: (detail) => [upright(new THREE.CapsuleGeometry(1, long, cut(12, detail, 3), cut(32, detail, 10)))],
});
const rod = (long) => ({
  key: `rod ${long}`, triangles: 680, round: true, coats: (detail) => [new THREE.CapsuleGeometry(1, long, cut(8, detail, 3), cut(20, detail, 8))],
});

// A number for a list of numbers, by which lists are told apart.
function hash(list) {
  const words = new Uint32Array(Float64Array.from(list).buffer);
  let a = 0x811c9dc5, b = 0x01000193;
  for (const word of words) {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ (word >>> 7) ^ a, 0x85ebca6b);
  }
  return `${list.length}:${a >>> 0}:${b >>> 0}`;
}

const MOST_EDGED = 20000; // triangles of a surface whose edges are drawn

// sheet: it may be open, and is seen from both sides; its flat parts are told apart by lines.
function facets({ shape, vertices, triangles }) {
  const count = triangles.length / 3, sheet = shape === 'triangles';
  return {
    key: `${shape} ${hash(vertices)} ${hash(triangles)}`, triangles: count, sheet,
    coats: () => {
      const soup = new THREE.BufferGeometry();
      soup.setAttribute('position', new THREE.Float32BufferAttribute(vertices, 3));
      soup.setIndex(triangles);
      const flat = soup.toNonIndexed(); // faces, each with its own light
      flat.computeVertexNormals();
      return [flat];
    },
    edges: count > MOST_EDGED ? null : ([flat]) => edgesOf(flat, sheet ? 2 : 20),
  };
}

// A surface that is only shown: without lines, and round where it is nearly so.
const CREASE = 0.6; // [rad]
function look({ vertices, triangles }) {
  return {
    key: `look ${hash(vertices)} ${hash(triangles)}`, triangles: triangles.length / 3, sheet: true,
    coats: () => {
      const soup = new THREE.BufferGeometry();
      soup.setAttribute('position', new THREE.Float32BufferAttribute(vertices, 3));
      soup.setIndex(triangles);
      return [toCreasedNormals(soup, CREASE)];
    },
  };
}

// ----------------------------------------------------------------------------------------------
// Pieces of a body

// A flat thing is a little thick: else its faces would have no direction.
function piece(kind, paints, size, center = NOWHERE, turn = UNTURNED, glass = false) {
  const least = 1e-6 * Math.max(size.x, size.y, size.z);
  const scale = new THREE.Vector3().copy(size).clampScalar(least, Infinity);
  return { kind, paints, glass, scale, center: center.clone(), turn: turn.clone() };
}

const even = (size) => new THREE.Vector3(size, size, size);

// A shape on its body. Nothing when it has no size.
function solid(figure, paint, mayBeGlass) {
  if (!shapeBox(figure)) return [];
  const { shape, size } = figure, [x, , z] = size, round = shape === 'sphere' || shape === 'ellipsoid';
  const make = (kind, scale, paints = [paint]) => [piece(kind, paints, scale, vector(figure.center), quaternion(figure.turn), mayBeGlass && !round)];
  if (shape === 'sphere') return make(SPHERE, even(x), [paint, '--tone']);
  if (shape === 'ellipsoid') return make(SPHERE, vector(size), [paint, '--tone']);
  if (shape === 'box') return make(BOX, vector(size));
  if (isFaceted(figure)) return make(facets(figure), even(1));
  if (shape === 'capsule') return make(capsule(z / x), even(x));
  return make(shape === 'cone' ? CONE : CYLINDER, new THREE.Vector3(x, x, z));
}

// A point with mass: as large as its share of the mass asks for.
function block(machine, body, paint) {
  const scale = body.mass > 0 ? Math.min(1.7, Math.max(0.55, Math.cbrt(body.mass / machine.meanMass))) : 0.7;
  const side = machine.block * scale;
  if (body.type === 'driven') return piece(JEWEL, ['--tone'], even(side * 0.6));
  return body.dim === 3 ? piece(BALL, [paint], even(side * 0.5)) : piece(BOX, [paint], even(side));
}

// Rods to where a link leads, and its joint.
function link(machine, body, b, paint) {
  const ends = machine.ends[b];
  const longest = Math.max(0, ...ends.map((end) => end.length()));
  const thick = Math.max(longest * 0.055, machine.size * 0.006);
  const pieces = ends.map((end) => piece(rod(end.length() / thick), [paint], even(thick), end.clone().multiplyScalar(0.5),
    new THREE.Quaternion().setFromUnitVectors(Y, end.clone().normalize())));
  const axis = vector(body.axis), along = new THREE.Quaternion();
  if (axis.length() > 0) along.setFromUnitVectors(Y, axis.normalize());
  if (body.joint === 'revolute' && axis.length() > 0) {
    pieces.push(piece(PIN, ['--joint'], new THREE.Vector3(1.5, 3, 1.5).multiplyScalar(thick), NOWHERE, along));
  } else if (body.joint === 'prismatic' && axis.length() > 0) {
    pieces.push(piece(SLIDE, ['--joint'], new THREE.Vector3(3, 4.5, 3).multiplyScalar(thick), NOWHERE, along));
  } else if (body.joint === 'spherical') {
    pieces.push(piece(KNOB, ['--joint'], even(thick * 1.7)));
  }
  if (!ends.length && !body.shapes.length) pieces.push(piece(KNOB, [paint], even(Math.max(thick * 2, machine.size * 0.02))));
  return pieces;
}

// What the model says with `draw:`; null: it says nothing of the figure.
function drawing(machine, { draw, type }, paint) {
  if (!draw || draw.type === 'auto') return null;
  if (draw.type === 'none') return [];
  return shown(draw, paint, machine.glass && type === 'static' && draw.type !== 'box');
}

function shown(figure, paint, mayBeGlass = false) {
  if (!isFaceted(figure)) return solid(figure, paint, mayBeGlass);
  return shapeBox(figure) ? [piece(look(figure), [paint], even(1), vector(figure.center), quaternion(figure.turn), mayBeGlass)] : [];
}

// All pieces of a body; null: it is a belt.
export function piecesOf(machine, b) {
  const body = machine.bodies[b];
  const paint = body.draw?.color >= 0 ? body.draw.color : body.type === 'static' ? '--joint' : `--b${b % 6}`;
  const drawn = drawing(machine, body, paint);
  if (drawn) return drawn;
  if (body.figures.length) return body.figures.flatMap((figure) => shown(figure, figure.color >= 0 ? figure.color : paint));
  const pieces = body.type === 'link' ? link(machine, body, b, paint) : [];
  if (isPlane(body)) return pieces; // floors
  const solids = body.shapes.flatMap((shape) => solid(shape, paint, machine.glass && body.type === 'static'));
  if (solids.length) return [...pieces, ...solids];
  if (body.shapes.some(({ undrawn }) => undrawn > 0)) return pieces; // the view says so
  if (machine.surfaces.has(b) || body.type === 'link') return pieces;
  if (machine.belts.has(b)) return null;
  return [body.type === 'rigid' ? piece(BOX, [paint], boxOfInertia(body, even(machine.block))) : block(machine, body, paint)];
}

// A slab that stays, with cleats that run; `cleats` is what runs.
export function beltOf(machine, along) {
  const long = machine.box.getSize(new THREE.Vector3()).dot(along) + 4 * machine.block, thick = 0.1 * machine.block;
  const holder = new THREE.Group();
  const turned = new THREE.Matrix4().makeBasis(along, new THREE.Vector3().crossVectors(machine.up, along), machine.up);
  holder.quaternion.setFromRotationMatrix(turned);
  const slab = new THREE.BoxGeometry(long, 1.5 * machine.block, thick), cleat = new THREE.BoxGeometry(thick, 1.5 * machine.block, thick * 0.5);
  const spacing = 0.6 * machine.block, count = Math.max(1, Math.ceil(long / spacing) - 2);
  const cleats = new THREE.InstancedMesh(cleat, machine.skin('--tone'), count), at = new THREE.Matrix4();
  for (let k = 0; k < count; ++k) cleats.setMatrixAt(k, at.makeTranslation(-long / 2 + (k + 1) * spacing, 0, thick * 0.5));
  holder.add(machine.shaded(new THREE.Mesh(slab, machine.skin('--joint'))), machine.shaded(cleats));
  return { holder, along, cleats, spacing, middle: machine.box.getCenter(new THREE.Vector3()).dot(along) };
}
