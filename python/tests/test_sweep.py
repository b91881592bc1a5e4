# SPDX-License-Identifier: Apache-2.0
"""Sweeps from Python: closed forms, and the same bits for any number of threads."""
import numpy as np
import pytest

import holdfast as hf

SLIDE = """
method: {type: discrete, step: 1e-4}
duration: 1.2
bodies: {b: {type: mass, dim: 1, mass: 2, velocity: 1}}
forces:
  - {name: floor, on: b, type: friction, law: coulomb, level: 4}
"""


def test_way_to_stop():
    t = hf.sweep(hf.Model(SLIDE), {"floor.level": [2, 3, 4], "b.mass": "1:2:2"},
                 ["b.position", "stop=first(b.velocity == 0)"])
    assert len(t) == 6 and not t.failed.any()
    assert np.allclose(t["b.position"], t["b.mass"] / (2 * t["floor.level"]), atol=1e-4)
    assert np.allclose(t["stop"], t["b.mass"] / t["floor.level"], atol=2e-4)


def test_threads_and_draws(tmp_path):
    tables = [hf.sweep(hf.Model(SLIDE), ["floor.level=normal:3:0.2"], "b.position", samples=20,
                       design="lhs", jobs=jobs, output=tmp_path / f"{jobs}.csv") for jobs in (1, 3)]
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "3.csv").read_bytes()
    assert abs(np.mean(tables[0]["floor.level"]) - 3) < 0.05


def test_failures_are_rows():
    t = hf.sweep(hf.Model(SLIDE), {"b.mass": [1, -1]}, "b.position")
    assert list(t.failed) == [False, True]
    assert "mass" in t["message"][1] and np.isnan(t["b.position"][1])


def test_messages():
    with pytest.raises(hf.Error, match="did you mean 'floor.level'"):
        hf.sweep(hf.Model(SLIDE), {"flor.level": [1]}, "b.position")
    with pytest.raises(ValueError, match="design"):
        hf.sweep(hf.Model(SLIDE), {"floor.level": [1]}, design="grid")
    with pytest.raises(ValueError, match=".csv"):
        hf.sweep(hf.Model(SLIDE), {"floor.level": [1]}, output="x.h5")


def test_models_of_any_making(tmp_path):
    spec = hf.Spec("block", method={"type": "rk4", "step": 1e-3}, duration=0.1)
    spec.bodies["block"] = {"type": "mass", "dim": 1, "mass": 1.0, "velocity": 1.0}
    spec.force("floor", on="block", type="friction", law="stiction", level=1, stiffness=1e4, damping=100)
    more = spec.forces + [{"name": "spring", "on": "block", "type": "spring", "stiffness": 5}]
    model = hf.Model(spec.text(), {"forces": more, "bodies.block.mass": np.float64(2)})
    table = hf.sweep(model, {"forces.floor.level": [1, -1]}, ["max(abs(spring.force))"])
    assert table["max(abs(spring.force))"][0] > 0 and list(table.failed) == [False, True]
    assert table["message"][1].startswith("--set forces.floor.level=-1")
    path = tmp_path / "pendulum.xml"
    path.write_text('''<mujoco model="pendulum"><worldbody><body name="rod"><joint name="hinge" type="hinge"
      axis="0 1 0" frictionloss="0.1"/><geom type="capsule" size="0.02" fromto="0 0 0 0.4 0 0" mass="1"/></body>
      </worldbody></mujoco>''')
    robot = hf.sweep(hf.load(path), {"gravity.z": [-9.81, -1.62]}, ["max(abs(pendulum.hinge.velocity))"], duration=0.1)
    fast, slow = robot["max(abs(pendulum.hinge.velocity))"]
    assert fast > slow > 0
