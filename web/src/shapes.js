// SPDX-License-Identifier: Apache-2.0
// The extent of shapes; springs, rings and floors.
import * as THREE from 'three';
import { color } from './dom.js';

const Y = new THREE.Vector3(0, 1, 0);

const HALF = { // sizes of the box around a shape, from its middle
  sphere: ([r]) => [r, r, r],
  ellipsoid: (radii) => radii,
  box: (edges) => edges.map((edge) => edge / 2),
  cylinder: ([r, , long]) => [r, r, long / 2],
  capsule: ([r, , long]) => [r, r, long / 2 + r],
  cone: ([r, , high]) => [r, r, high / 2],
};
// Numbers of a size that must not be zero.
const NEEDED = { cylinder: 'xy', capsule: 'xy', box: '' };

// Whether a shape is one of given triangles.
export const isFaceted = ({ shape }) => shape === 'mesh' || shape === 'triangles';

// The box around a shape, in its own frame; null: it has none to show.
export function shapeBox({ shape, size, vertices }) {
  if (isFaceted({ shape })) return vertices?.length ? new THREE.Box3().setFromArray(vertices) : null;
  if (!Object.hasOwn(HALF, shape)) return null;
  const half = new THREE.Vector3(...HALF[shape](size));
  if ([...(NEEDED[shape] ?? 'xyz')].some((k) => !(half[k] > 0)) || !(half.length() > 0) || Math.min(half.x, half.y, half.z) < 0) return null;
  const middle = new THREE.Vector3(0, 0, shape === 'cone' ? size[2] / 4 : 0); // a cone's base is a quarter below its origin
  return new THREE.Box3(middle.clone().sub(half), middle.add(half));
}

export const isPlane = (body) => body.shapes.length > 0 && body.shapes.every(({ shape }) => shape === 'plane');

// What is drawn for a body, in its own frame: corners, and how far it reaches around each of them.
// `links`: ends of its rods; `otherwise`: lengths of the box of one that has no shape.
export function extentOf(body, links, otherwise) {
  const draw = body.draw && body.draw.type !== 'auto' ? body.draw : null;
  if (draw?.type === 'none') return { corners: [], reach: 0 };
  const figures = draw ? [draw] : body.figures.length ? body.figures : body.shapes;
  const corners = draw || body.figures.length ? [] : [...links];
  const [first] = figures, alone = figures.length === 1 && first.shape === 'sphere';
  const add = (box, { center, turn: [w, x, y, z] }) => {
    const turn = new THREE.Quaternion(x, y, z, w), at = new THREE.Vector3(...center);
    corners.push(at);
    for (let k = 0; !alone && box && k < 8; ++k) {
      corners.push(new THREE.Vector3((k & 1 ? box.max : box.min).x, (k & 2 ? box.max : box.min).y, (k & 4 ? box.max : box.min).z)
        .applyQuaternion(turn).add(at));
    }
  };
  for (const figure of figures) if (figure.shape !== 'plane') add(shapeBox(figure), figure);
  if (!corners.length || !figures.length) {
    const around = otherwise.length() > 0 ? new THREE.Box3().setFromCenterAndSize(new THREE.Vector3(), otherwise) : null;
    add(around, { center: [0, 0, 0], turn: [1, 0, 0, 0] });
  }
  return { corners, reach: alone ? first.size[0] : 0 };
}

// A spring between two points: a helix along y of length 1, stretched.
export class Coil {
  constructor(material, radius) {
    const TURNS = 9, PER_TURN = 14, ENDS = 0.09;
    const points = [new THREE.Vector3(0, 0, 0)];
    for (let k = 0; k <= TURNS * PER_TURN; ++k) {
      const part = k / (TURNS * PER_TURN), angle = part * TURNS * 2 * Math.PI;
      const swell = Math.min(1, part * 12, (1 - part) * 12);
      points.push(new THREE.Vector3(Math.cos(angle) * swell, ENDS + part * (1 - 2 * ENDS), Math.sin(angle) * swell));
    }
    points.push(new THREE.Vector3(0, 1, 0));
    // The wire is made at the length that it is first drawn with, so that it looks round.
    this.points = points;
    this.radius = radius;
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.castShadow = true;
    this.built = 0;
  }

  build(length) {
    this.mesh.geometry.dispose();
    const path = new THREE.CatmullRomCurve3(this.points.map((p) =>
      new THREE.Vector3(p.x * this.radius, p.y * length, p.z * this.radius)));
    this.mesh.geometry = new THREE.TubeGeometry(path, 320, this.radius * 0.14, 7);
    this.built = length;
  }

  stretch(from, to) {
    const along = to.clone().sub(from), length = along.length();
    this.mesh.visible = length > 1e-12 && Number.isFinite(length);
    if (!this.mesh.visible) return;
    if (!(length < this.built * 1.8 && length > this.built * 0.55)) this.build(length);
    this.mesh.position.copy(from);
    this.mesh.quaternion.setFromUnitVectors(Y, along.normalize());
    this.mesh.scale.set(1, length / this.built, 1);
  }
}

// Friction in a joint: a dial that shows the used share of what it can hold, from 0 at the top round
// to 100 %. It faces the viewer, is seen through the parts, and has the same size at any distance.
const DIAL = 0.042; // radius, of the view's height
export class Dial {
  // ring: several dials at one place lie within each other, from 0 outside
  constructor(ring) {
    this.material = new THREE.ShaderMaterial({
      transparent: true, depthTest: false, depthWrite: false,
      uniforms: {
        share: { value: 0 }, paint: { value: new THREE.Color() }, aspect: { value: 1 },
        radius: { value: DIAL * 2 * Math.max(0.3, 1 - 0.3 * ring) },
      },
      vertexShader: `
        uniform float aspect, radius; varying vec2 place;
        void main() {
          place = position.xy;
          gl_Position = projectionMatrix * modelViewMatrix * vec4(0.0, 0.0, 0.0, 1.0);
          gl_Position.xy += place * radius * gl_Position.w * vec2(1.0 / aspect, 1.0);
        }`,
      fragmentShader: `
        uniform float share; uniform vec3 paint; varying vec2 place;
        void main() {
          float r = length(place), soft = fwidth(r);
          float inside = smoothstep(0.66 - soft, 0.66 + soft, r), outside = 1.0 - smoothstep(0.98 - soft, 0.98 + soft, r);
          float turn = fract(atan(place.x, place.y) / 6.283185307179586);
          bool used = turn < share;
          vec3 ink = mix(vec3(1.0), used ? paint : vec3(0.3, 0.34, 0.4), inside);
          gl_FragColor = vec4(ink, outside * mix(0.35, used ? 1.0 : 0.45, inside));
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
    this.mesh.onBeforeRender = (renderer) => {
      const size = renderer.getDrawingBufferSize(new THREE.Vector2());
      this.material.uniforms.aspect.value = size.x / size.y;
    };
  }

  set(visible, position, share, tint) {
    this.mesh.visible = visible;
    this.mesh.position.copy(position);
    this.material.uniforms.share.value = Math.min(1, share);
    this.material.uniforms.paint.value.copy(tint);
  }
}

// A floor: lines that fade with the distance, and shadows.
export class Floor {
  constructor(size, spacing) {
    this.group = new THREE.Group();
    const plane = new THREE.PlaneGeometry(size * 14, size * 14);
    this.lines = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, side: THREE.DoubleSide,
      uniforms: {
        spacing: { value: spacing }, reach: { value: size * 3.2 }, ink: { value: new THREE.Color() },
        strength: { value: 0.5 }, middle: { value: new THREE.Vector2() },
        shift: { value: new THREE.Vector2() }, // of the sheet, which follows the machine
      },
      vertexShader: 'varying vec2 place; uniform vec2 shift; void main() { place = position.xy + shift;' +
        ' gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: `
        varying vec2 place; uniform float spacing, reach, strength; uniform vec3 ink; uniform vec2 middle;
        float net(float step) {
          vec2 at = place / step, wide = fwidth(at);
          vec2 line = abs(fract(at - 0.5) - 0.5) / wide;
          vec2 fade = 1.0 - smoothstep(0.2, 0.7, wide);
          return max((1.0 - min(line.x, 1.0)) * fade.x, (1.0 - min(line.y, 1.0)) * fade.y);
        }
        void main() {
          float far = 1.0 - smoothstep(0.25, 1.0, length(place - middle) / reach);
          float shade = max(0.45 * net(spacing), net(spacing * 5.0));
          gl_FragColor = vec4(ink, (0.05 + shade) * strength * far);
        }`,
    });
    this.group.add(new THREE.Mesh(plane, this.lines));
    const shade = new THREE.Mesh(plane, new THREE.ShadowMaterial({ opacity: 0.22, depthWrite: false }));
    shade.receiveShadow = true;
    shade.position.z = size * 1e-4;
    this.group.add(shade);
  }

  dispose() {
    for (const sheet of this.group.children) {
      sheet.geometry.dispose();
      sheet.material.dispose();
    }
  }

  recolor() {
    this.lines.uniforms.ink.value.set(color('--floor'));
    this.lines.uniforms.strength.value = Number(color('--floor-strength')) || 0.5;
  }
}
