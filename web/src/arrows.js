// SPDX-License-Identifier: Apache-2.0
// Arrows, however many, in two draws: shafts and heads.
import * as THREE from 'three';

const Y = new THREE.Vector3(0, 1, 0);

export class Arrows {
  // most: how many there can be at a moment
  constructor(material, thick, most) {
    this.thick = thick;
    this.shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(thick, thick, 1, 16).translate(0, 0.5, 0), material, most);
    this.heads = new THREE.InstancedMesh(new THREE.ConeGeometry(thick * 2.6, thick * 7, 24).translate(0, thick * 3.5, 0), material, most);
    this.heads.instanceColor = this.shafts.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * most), 3);
    this.objects = [this.shafts, this.heads];
    for (const mesh of this.objects) mesh.frustumCulled = false; // they are wherever the forces are
    this.along = new THREE.Vector3();
    this.turn = new THREE.Quaternion();
    this.scale = new THREE.Vector3();
    this.at = new THREE.Vector3();
    this.place = new THREE.Matrix4();
    this.count = 0;
  }

  begin() {
    this.count = 0;
  }

  // An arrow from a point along a direction; none when it is shorter than it is thick.
  add(length, from, direction, tint) {
    if (!(length > this.thick)) return;
    const { along, turn, scale, at, place, thick, count } = this;
    const thin = Math.min(1, length / (thick * 12)); // short arrows are thin arrows
    const head = thick * 7 * thin;
    turn.setFromUnitVectors(Y, along.copy(direction).normalize());
    this.shafts.setMatrixAt(count, place.compose(from, turn, scale.set(thin, Math.max(length - head, 1e-9), thin)));
    this.heads.setMatrixAt(count, place.compose(at.copy(from).addScaledVector(along, length - head), turn, scale.setScalar(thin)));
    this.shafts.setColorAt(count, tint);
    this.count++;
  }

  end() {
    for (const mesh of this.objects) {
      mesh.count = this.count;
      mesh.visible = this.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.shafts.instanceColor.needsUpdate = true;
  }
}
