# SPDX-License-Identifier: Apache-2.0
"""Many runs at once."""
import os
import signal
import threading
import time

import numpy as np
import pytest

import holdfast as hf


def test_same_bits_for_any_number_of_threads(arm):
    random = np.random.default_rng(5)
    n, samples = 12, 80
    inputs = random.normal(0, 2, (n, samples, 1))
    states = random.normal(0, 0.3, (n, 2))
    parameters = {"bearing.level": random.uniform(0.1, 0.5, n), "arm.elbow.mass": 1.2}
    results = [hf.rollout(arm, inputs, states=states, parameters=parameters, every=3, threads=k)
               for k in (1, 2, 5)]
    assert results[0].data.shape == (n, samples, 2)
    for other in results[1:]:
        assert other.data.tobytes() == results[0].data.tobytes()
    # And each is the run that a sim makes
    s = hf.Sim(arm, parameters={"bearing.level": parameters["bearing.level"][7],
                                "arm.elbow.mass": 1.2})
    s.set_state(states[7, :1], states[7, 1:])
    for k in range(samples):
        s.inputs["motor"] = inputs[7, k, 0]
        s.steps(3)
        assert results[0]["arm.elbow.position"][7, k] == s.q[0]
    assert results[0].time[-1] == pytest.approx(s.time)


TWO_LINKS = """
gravity: [0, 0, -9.81]
method: {type: rk4, step: 1e-3}
signals: {shoulder: {input: 0}, elbow: {input: 0}}
bodies:
  arm:
    type: tree
    joints:
      upper: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}
      lower: {type: revolute, parent: upper, offset: [0.3, 0, 0], axis: [0, 1, 0], mass: 0.7, center: [0.1, 0, 0],
              inertia: [0.005, 0.005, 0.005]}
forces:
  - {name: drive-1, on: arm.upper, type: torque, value: shoulder}
  - {name: drive-2, on: arm.lower, type: torque, value: elbow}
  - {name: friction-1, on: arm.upper, type: friction, law: stiction, level: 0.5, stiffness: 1e4, damping: 50}
  - {name: friction-2, on: arm.lower, type: friction, law: lugre, level: 0.3, stiffness: 1e3, damping: 5}
"""


@pytest.mark.parametrize("method", ["euler", "semi-implicit-euler", "rk4", "rk4-tau", "discrete"])
@pytest.mark.parametrize("names", [[], ["friction-1.level"], ["arm.lower.mass", "friction-2.level"]])
def test_side_by_side(method, names):
    """Sixteen runs at a time in one sim, and the rest alone: the bits of runs one by one."""
    model, n, samples = hf.Model(TWO_LINKS), 37, 60
    random = np.random.default_rng(3)
    inputs = np.round(random.normal(0, 2, (n, samples, 2)))  # many stay as they are
    states = random.normal(0, 0.3, (n, 4))
    parameters = {name: random.uniform(0.3, 0.9, n) for name in names}
    record = ["arm.lower.position", "friction-1.force", "friction-2.mode", "arm.upper.velocity"]

    def run(part, **keys):
        return hf.rollout(model, inputs[part], states=states[part], record=record, method=method,
                          parameters={k: v[part] for k, v in parameters.items()}, **keys).data

    whole = run(slice(None), threads=3, every=2)
    for i in range(n):
        assert run(slice(i, i + 1), threads=1, every=2).tobytes() == whole[i:i + 1].tobytes()


def test_side_by_side_with_a_run_that_fails():
    model, n = hf.Model(TWO_LINKS), 32
    states = np.zeros((n, 4))
    states[5, 3] = 1e200
    r = hf.rollout(model, n=n, samples=50, states=states, strict=False)
    assert r.failed.nonzero()[0].tolist() == [5] and "finite" in r.problem[1]
    alone = hf.rollout(model, n=1, samples=50, states=states[6])
    assert r.data[6].tobytes() == alone.data[0].tobytes() and np.isnan(r.data[5, -1]).all()


def test_without_inputs(block):
    r = hf.rollout(block, n=3, samples=10, record=["*.force", "energy.kinetic"])
    assert r.data.shape == (3, 10, 4) and "floor.force" in r.channels
    assert (r.data[0] == r.data[2]).all() and len(r) == 3


def test_wrong_shapes(block):
    with pytest.raises(ValueError, match="inputs must be"):
        hf.rollout(block, np.zeros((3, 4, 2)))
    with pytest.raises(ValueError, match="do not agree"):
        hf.rollout(block, np.zeros((3, 4, 1)), parameters={"block.mass": [1, 2]})
    with pytest.raises(ValueError, match="how many samples"):
        hf.rollout(block, n=3)
    with pytest.raises(ValueError, match="states must be"):
        hf.rollout(block, n=3, samples=2, states=np.zeros((3, 5)))
    with pytest.raises(hf.Error, match="run 1 of 2: .*must be positive"):
        hf.rollout(block, samples=2, parameters={"block.mass": [1, -2]})


def test_runs_that_fail(block):
    r = hf.rollout(block, samples=4, parameters={"block.mass": [1, -2, 3]}, strict=False)
    assert list(r.failed) == [False, True, False]
    assert np.isnan(r.data[1]).all() and np.isfinite(r.data[2]).all()


def test_parameters_of_the_file():
    m = hf.Model("""
method: {type: rk4, step: 1e-3}
parameters: {mu: 0.4, speed: 1}
bodies: {block: {type: mass, dim: 1, mass: 1, velocity: speed}}
forces:
  - {name: floor, on: block, type: friction, law: stiction, level: "10*mu", stiffness: 1e4, damping: 100}
""")
    mu, mass = np.linspace(0.1, 0.8, 7), np.linspace(1, 2, 7)
    many = [hf.rollout(m, n=7, samples=20, every=10, parameters={"block.mass": mass, "mu": mu}, threads=k)
            for k in (1, 3)]
    assert many[0].data.tobytes() == many[1].data.tobytes()
    s = hf.Sim(m, parameters={"mu": mu[4], "block.mass": mass[4]})
    s.steps(200)
    assert many[0]["block.position"][4, -1] == s.q[0]
    with pytest.raises(hf.Error, match="run 0 of 2: .*nu.*its own are mu, speed"):
        hf.rollout(m, samples=2, parameters={"nu": [1, 2]})


def test_why_runs_go_alone(examples):
    """Rollouts say what kept them from running side by side."""
    m = hf.Model("""
method: {type: rk4, step: 1e-3}
parameters: {m: 1}
bodies: {b: {type: mass, dim: 1, mass: m, position: 0.5}}
forces: [{name: spring, on: b, type: spring, stiffness: 90}]
""")
    assert hf.rollout(m, n=16, samples=2).alone is None
    assert "fewer than 16" in hf.rollout(m, n=3, samples=2).alone
    assert "method" in hf.rollout(m, n=16, samples=2, method="timestep").alone
    assert "whole machine" in hf.rollout(m, n=16, samples=2, record=["energy.residual"]).alone
    assert "own parameters" in hf.rollout(m, n=16, samples=2, parameters={"m": 2}).alone
    slow = hf.load(examples / "gripper.yaml")
    assert "contacts among many" in hf.rollout(slow, n=16, samples=1, method="rk4", strict=False).alone


@pytest.mark.parametrize("n", [1, 16])
def test_interrupts_end_long_samples(block, n):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.time()
    with pytest.raises(KeyboardInterrupt):
        hf.rollout(block, n=n, samples=2, every=10**9)
    assert time.time() - begin < 10.0  # at once, but for a busy machine


@pytest.mark.parametrize("method, law", [("rk4", "stiction, stiffness: 1e4, damping: 50"), ("switch", "coulomb"),
                                         ("timestep", "coulomb"), ("discrete", "coulomb")])
def test_inputs_that_are_no_numbers_are_named(method, law):
    m = hf.Model(f"""
method: {{type: {method}, step: 1e-3}}
signals: {{calm: {{input: 0}}, pull: {{input: 0}}}}
bodies: {{b: {{type: mass, dim: 1, mass: 1}}}}
forces: [{{name: d, on: b, type: force, value: pull}}, {{name: f, on: b, type: friction, law: {law}, level: 1}}]
""")
    inputs = np.zeros((20, 5, 2))
    inputs[7, 3, 1], inputs[9, 2, 1] = np.inf, np.nan
    with pytest.raises(hf.Error, match="run 7 of 20: .*signal 'pull': the input must be a finite number, and is infinite"):
        hf.rollout(m, inputs)
    result = hf.rollout(m, inputs, strict=False)
    assert result.failed.nonzero()[0].tolist() == [7, 9]
    assert np.isfinite(result.data[7, :3]).all() and np.isnan(result.data[7, 3:]).all()
    s = hf.Sim(m)
    s.inputs["pull"] = np.nan
    with pytest.raises(hf.Error, match="'pull': the input must be a finite number, and is not a number"):
        s.step()
