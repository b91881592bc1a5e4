// SPDX-License-Identifier: Apache-2.0
// Pieces of bodies that are alike. Few are meshes of their own; many are one mesh that the graphics
// card draws many times, in no more detail than can be seen.
import * as THREE from 'three';
import { mergeGeometries } from 'three/examples/jsm/utils/BufferGeometryUtils.js';

const MANY = 12; // pieces that become one mesh
const LEVELS = 14; // of detail
const FEW_TRIANGLES = 100000, MOST_TRIANGLES = 600000; // of all pieces of a kind

// The level at which pieces, of so many triangles each in full detail, have as many as this.
const levelFor = (wanted, count, triangles) => Math.max(2, Math.min(LEVELS, Math.floor(LEVELS * Math.sqrt(wanted / (count * triangles)))));

// The lines of many pieces: three draws meshes many times, but not lines.
function edgeMaterial(opacity) {
  const ink = { value: new THREE.Color() };
  const material = new THREE.ShaderMaterial({
    transparent: true, uniforms: { ink, strength: { value: opacity } },
    vertexShader: 'attribute mat4 place; void main() { gl_Position = projectionMatrix * modelViewMatrix * place * vec4(position, 1.0); }',
    fragmentShader: `
      uniform vec3 ink; uniform float strength;
      void main() {
        gl_FragColor = vec4(ink, strength);
        #include <colorspace_fragment>
      }`,
  });
  material.color = ink.value;
  return material;
}

const linesOf = (edges, geometry = new THREE.BufferGeometry()) => geometry.setAttribute('position', new THREE.Float32BufferAttribute(edges, 3));

class Herd {
  constructor(machine, pieces) {
    this.machine = machine;
    this.pieces = pieces;
    [{ kind: this.kind }] = pieces;
    const { round, triangles } = this.kind;
    this.least = round ? levelFor(FEW_TRIANGLES, pieces.length, triangles) : LEVELS;
    this.most = round ? levelFor(MOST_TRIANGLES, pieces.length, triangles) : LEVELS;
    this.largest = pieces.reduce((most, { scale }) => Math.max(most, scale.x, scale.y, scale.z), 0);
    this.levels = new Map();
    for (const piece of pieces) piece.local = new THREE.Matrix4().compose(piece.center, piece.turn, piece.scale);
    this.places = new THREE.InstancedBufferAttribute(new Float32Array(16 * pieces.length), 16).setUsage(THREE.DynamicDrawUsage);
    const skin = machine.skin('white', pieces[0].glass, this.kind.sheet), { coats, edges } = this.level(this.least);
    this.coats = coats.map((geometry) => this.addCoat(geometry, skin));
    this.objects = [...this.coats];
    if (edges) {
      this.lines = new THREE.LineSegments(edges, machine.once('edges of many', () => edgeMaterial(machine.ghost ? 0.3 : 0.65), '--edge'));
      this.objects.push(this.lines);
    }
    for (const object of this.objects) object.frustumCulled = false; // they are wherever the bodies are
  }

  addCoat(geometry, skin) {
    const mesh = this.machine.shaded(new THREE.InstancedMesh(geometry, skin, this.pieces.length));
    mesh.instanceMatrix = this.places;
    // Shadows are soft: what casts them is coarse.
    mesh.onBeforeShadow = (renderer, object, camera, light, shape) => shape.setDrawRange(...shape.userData.coarse);
    mesh.onAfterShadow = (renderer, object, camera, light, shape) => shape.setDrawRange(...shape.userData.fine);
    return mesh;
  }

  // Geometries of a level of detail. What casts the shadow follows what is seen, in the same geometry.
  level(number) {
    if (this.levels.has(number)) return this.levels.get(number);
    const { kind, least, places } = this;
    const fine = kind.coats(number / LEVELS), coarse = number > least ? kind.coats(least / LEVELS) : [];
    const edges = kind.edges && linesOf(kind.edges(fine), new THREE.InstancedBufferGeometry()).setAttribute('place', places);
    const coats = fine.map((geometry, k) => {
      const own = (geometry.index || geometry.getAttribute('position')).count;
      const whole = coarse[k] ? mergeGeometries([geometry, coarse[k]]) : geometry;
      whole.userData = { fine: [0, own], coarse: coarse[k] ? [own, coarse[k].index.count] : [0, own] };
      whole.setDrawRange(0, own);
      return whole;
    });
    this.levels.set(number, { coats, edges });
    return { coats, edges };
  }

  // Takes the detail that pieces need which appear at this many pixels a metre. A quarter of a circle
  // of r pixels in n straight lines is off by r (1 - cos(pi / 4n)), about r (pi / 4n)^2 / 2: half a
  // pixel when n is pi / 4 sqrt(r). In full detail n is LEVELS.
  refine(pixels) {
    if (this.least === this.most) return;
    const asked = Math.ceil((Math.PI / 4) * Math.sqrt(this.largest * pixels));
    const { coats, edges } = this.level(Math.min(this.most, Math.max(this.least, asked)));
    this.coats.forEach((mesh, k) => { mesh.geometry = coats[k]; });
    if (this.lines) this.lines.geometry = edges;
  }

  recolor() {
    const tint = new THREE.Color();
    this.coats.forEach((mesh, coat) => {
      this.pieces.forEach(({ paints }, k) => mesh.setColorAt(k, tint.set(this.machine.paint(paints[coat]))));
      mesh.instanceColor.needsUpdate = true;
    });
  }

  // A body that is not to be seen is drawn without size.
  update() {
    const { array } = this.places, place = new THREE.Matrix4();
    this.pieces.forEach(({ part, local }, k) => {
      if (part.visible) place.multiplyMatrices(part.matrix, local).toArray(array, 16 * k);
      else array.fill(0, 16 * k, 16 * k + 16);
    });
    this.places.needsUpdate = true;
  }

  dispose() {
    for (const mesh of this.coats) mesh.dispose();
    for (const { coats, edges } of this.levels.values()) [...coats, edges].forEach((geometry) => geometry?.dispose());
  }
}

function addAlone(machine, { kind, part, paints, glass, scale, center, turn }, coats, edges) {
  const holder = new THREE.Group();
  holder.position.copy(center);
  holder.quaternion.copy(turn);
  holder.scale.copy(scale);
  coats.forEach((geometry, k) => holder.add(machine.shaded(new THREE.Mesh(geometry, machine.skin(paints[k], glass, kind.sheet)))));
  if (edges) holder.add(new THREE.LineSegments(edges, machine.once('edges', () => new THREE.LineBasicMaterial({ transparent: true, opacity: machine.ghost ? 0.3 : 0.65 }), '--edge')));
  part.add(holder);
}

// Puts pieces, each on its `part`, into the scene. Those that are many come back as herds.
export function settle(machine, pieces) {
  const alike = new Map();
  for (const piece of pieces) {
    const key = `${piece.kind.key} ${piece.glass}`;
    if (!alike.has(key)) alike.set(key, []);
    alike.get(key).push(piece);
  }
  const herds = [];
  for (const group of alike.values()) {
    if (group.length < MANY) {
      const coats = group[0].kind.coats(1), edges = group[0].kind.edges?.(coats);
      const lines = edges && linesOf(edges);
      group.forEach((piece) => addAlone(machine, piece, coats, lines));
      continue;
    }
    const herd = new Herd(machine, group);
    machine.root.add(...herd.objects);
    herds.push(herd);
  }
  return herds;
}
