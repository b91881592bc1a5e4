# SPDX-License-Identifier: Apache-2.0
"""Laws as functions of arrays."""
import numpy as np
import pytest

import holdfast as hf


def test_spring_and_stiction():
    spring = hf.laws.spring(stiffness=3.0, damping=2.0)
    assert spring.states == 0
    assert spring.force(np.array([1.0, -2.0]), gap=np.array([0.5, 0.0])) == \
        pytest.approx([3.5, -4.0])
    law = hf.laws.stiction(level=2.0, stiffness=1e4, damping=10.0)
    state = None
    for _ in range(1000):
        force, state = law.step(np.array([0.1, -0.1, 0.0]), 1e-3, state)
    assert force == pytest.approx([2.0, -2.0, 0.0])


def test_lugre_in_steady_sliding():
    # f = g(v) + sigma2 v, g by Stribeck's curve                        [CanudasDeWit1995] (1), (3)
    level = {"kinetic": 1.0, "static": 1.5, "stribeck_velocity": 0.01}
    law = hf.laws.lugre(level=level, stiffness=1e4)
    v = np.linspace(5e-3, 0.1, 25)
    state = law.state(v.shape)
    for _ in range(20000):
        out = law.evaluate(v, state=state)
        state = state + 1e-5 * out["dstate"]
    g = 1.0 + 0.5 * np.exp(-(v / 0.01) ** 2)
    assert out["force"] == pytest.approx(g, rel=2e-2)


@pytest.mark.parametrize("name", hf.laws.names())
def test_every_law_evaluates_as_in_a_sim(name):
    law = hf.laws.Law(name)
    v = np.linspace(-1, 1, 7).reshape(7, 1)
    out = law.evaluate(v)
    assert out["force"].shape == (7, 1) and np.isfinite(out["force"]).all()
    assert getattr(hf.laws, name)().name == law.name and getattr(hf.laws, name).__doc__


def test_wrong_laws():
    with pytest.raises(AttributeError):
        hf.laws.nonsense
    with pytest.raises(ValueError, match="whole steps"):
        hf.laws.coulomb()
    with pytest.raises(TypeError, match="no parameter"):
        hf.laws.lugre(colour=1)
    with pytest.raises(hf.Error, match="stiffness"):
        hf.laws.lugre(stiffness=-1)
    with pytest.raises(TypeError, match="a level has"):
        hf.laws.lugre(level={"colour": 1})
