# SPDX-License-Identifier: Apache-2.0
"""Many runs at once."""
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
