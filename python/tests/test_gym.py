# SPDX-License-Identifier: Apache-2.0
"""The environment, against a stand-in of Gymnasium's published interface: Env.reset(seed=, options=)
gives (observation, info), Env.step(action) five values, spaces contain what they give."""
import importlib
import sys
import types

import numpy as np
import pytest

import holdfast.gym


def make(gym, arm, **more):
    def start(sim, random):
        sim.set_state([random.uniform(-1, 1)], [0.0])

    return gym.Env(arm, {"motor": (-5, 5)}, reward=lambda s, a: -abs(s.q[0] - 0.5),
                   done=lambda s: s.q[0] > 3, limit=0.2, every=10, start=start, **more)


def check(env):
    observation, info = env.reset(seed=3)
    assert observation in env.observation_space and isinstance(info, dict)
    again, _ = env.reset(seed=3)
    assert (observation == again).all()
    other, _ = env.reset()
    assert (other != again).any()
    steps, truncated = 0, False
    while not truncated:
        action = env.action_space.sample()
        assert action in env.action_space
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space and isinstance(reward, float)
        assert isinstance(terminated, bool) and isinstance(truncated, bool)
        steps += 1
    assert steps == 20
    env.close()


def test_without_gymnasium(arm):
    check(make(holdfast.gym, arm))


def test_as_one_of_its_environments(arm, monkeypatch):
    stand_in = types.ModuleType("gymnasium")
    stand_in.Env = type("Env", (), {})
    stand_in.vector = types.SimpleNamespace(VectorEnv=type("VectorEnv", (), {}))
    stand_in.spaces = types.SimpleNamespace(Box=holdfast.gym.Box)
    monkeypatch.setitem(sys.modules, "gymnasium", stand_in)
    gym = importlib.reload(holdfast.gym)
    try:
        env = make(gym, arm)
        assert isinstance(env, stand_in.Env)
        check(env)
    finally:
        monkeypatch.delitem(sys.modules, "gymnasium")
        importlib.reload(holdfast.gym)


def test_vector_form(arm):
    vector = holdfast.gym.VectorEnv(3, arm, {"motor": (-5, 5)}, limit=0.05, every=10)
    observations, _ = vector.reset(seed=1)
    assert observations.shape == (3, 2) and vector.action_space.sample().shape == (3, 1)
    for k in range(6):
        observations, rewards, terminated, truncated, infos = vector.step(np.zeros((3, 1)))
        assert truncated.all() == (k == 4)
    assert infos["time"] == pytest.approx(np.zeros(3))  # begun anew
    vector.close()
