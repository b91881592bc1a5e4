// SPDX-License-Identifier: Apache-2.0
// The extent of shapes; springs, rings and floors.
import * as THREE from 'three';
import { color } from './dom.js';

const Y = new THREE.Vector3(0, 1, 0);

// Lengths of the box around a shape, in its own frame; null: it has none to show.
export function shapeSize(body) {
  const [x, , z] = body.size ?? [0, 0, 0];
  if (body.shape === 'box' && body.size.every((edge) => edge > 0)) return new THREE.Vector3(...body.size);
  if (body.shape === 'cylinder' && x > 0) return new THREE.Vector3(2 * x, 2 * x, z);
  if (body.shape === 'capsule' && x > 0) return new THREE.Vector3(2 * x, 2 * x, z + 2 * x);
  if (body.shape !== 'mesh' || !body.vertices?.length) return null;
  const most = [0, 0, 0];
  body.vertices.forEach((value, i) => { most[i % 3] = Math.max(most[i % 3], 2 * Math.abs(value)); });
  return new THREE.Vector3(...most);
}

// What is drawn for a body, in its own frame: corners, and how far it reaches around each of them.
// `links`: ends of its rods; `otherwise`: lengths of the box of one that has no shape.
export function extentOf(body, links, otherwise) {
  const draw = body.draw && body.draw.type !== 'auto' ? body.draw : null;
  if (draw?.type === 'none') return { corners: [], reach: 0 };
  const figure = draw ? { shape: draw.type, size: draw.size } : body;
  const center = new THREE.Vector3(...((draw ? draw.center : body.shape_center) ?? [0, 0, 0]));
  const [w, x, y, z] = draw ? [draw.turn[3], ...draw.turn] : body.shape_turn ?? [1, 0, 0, 0];
  const turn = new THREE.Quaternion(x, y, z, w);
  const corners = draw ? [center] : [center, ...links];
  const box = shapeSize(figure) ?? otherwise;
  for (let k = 0; box.length() > 0 && k < 8; ++k) {
    corners.push(new THREE.Vector3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5).multiply(box).applyQuaternion(turn).add(center));
  }
  return { corners, reach: figure.shape === 'sphere' ? figure.size[0] : 0 };
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

// A ring about an axis: friction in a joint.
export class Ring {
  constructor(material, radius) {
    this.material = material;
    this.mesh = new THREE.Mesh(new THREE.TorusGeometry(radius, radius * 0.13, 16, 64), material);
  }

  set(visible, position, axis, scale) {
    this.mesh.visible = visible;
    this.mesh.position.copy(position);
    this.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
    this.mesh.scale.setScalar(scale);
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
