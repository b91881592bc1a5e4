# SPDX-License-Identifier: Apache-2.0
import os
import pathlib

import pytest

import holdfast as hf

ROOT = pathlib.Path(__file__).resolve().parents[2]

ARM = """
name: arm
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 2
signals:
  motor: {input: 0}
bodies:
  arm:
    type: tree
    joints:
      elbow: {type: revolute, axis: [0, 1, 0], mass: 1.0, center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}
forces:
  - {name: torque, on: arm.elbow, type: force, value: motor}
  - {name: bearing, on: arm.elbow, type: friction, law: coulomb, level: 0.3}
"""

BLOCK = """
name: block
method: {type: rk4, step: 1e-3}
duration: 2
bodies:
  block: {type: mass, dim: 1, mass: 2}
signals:
  pull: {input: 0}
forces:
  - {name: pull-force, on: block, type: force, value: pull}
  - {name: spring, on: block, type: spring, stiffness: 50, damping: 0.5}
  - {name: floor, on: block, type: friction, law: stiction, level: 4, stiffness: 1e5, damping: 200}
record: [block.position, block.velocity, floor.force, floor.mode]
"""


@pytest.fixture
def examples():
    return ROOT / "examples"


@pytest.fixture
def arm():
    return hf.Model(ARM, label="arm.yaml")


@pytest.fixture
def block():
    return hf.Model(BLOCK, label="block.yaml")


@pytest.fixture
def data():
    folder = os.environ.get("HOLDFAST_DATA")
    return pathlib.Path(folder) if folder else None
