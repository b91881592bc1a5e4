# SPDX-License-Identifier: Apache-2.0
"""The environment, against a stand-in of Gymnasium's published interface: Env.reset(seed=, options=)
gives (observation, info), Env.step(action) five values, spaces contain what they give."""
import enum
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


class FloatBox(holdfast.gym.Box):
    """Like Gymnasium's: numbers are float32 unless another type is asked for."""

    def __init__(self, low, high, shape=None, dtype=np.float32, seed=None):
        super().__init__(low, high, shape, dtype, seed)


class AutoresetMode(enum.Enum):
    NEXT_STEP = "NextStep"


def test_as_one_of_its_environments(arm, monkeypatch):
    stand_in = types.ModuleType("gymnasium")
    stand_in.Env = type("Env", (), {})
    stand_in.vector = types.SimpleNamespace(VectorEnv=type("VectorEnv", (), {}), AutoresetMode=AutoresetMode)
    stand_in.spaces = types.SimpleNamespace(Box=FloatBox)
    monkeypatch.setitem(sys.modules, "gymnasium", stand_in)
    gym = importlib.reload(holdfast.gym)
    try:
        env = make(gym, arm)
        assert isinstance(env, stand_in.Env)
        check(env)
        vector = gym.VectorEnv(2, arm, {"motor": (-5, 5)}, limit=0.05)
        assert isinstance(vector, stand_in.vector.VectorEnv)
        assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
        observations, _ = vector.reset(seed=1)
        assert observations in vector.observation_space
        assert vector.action_space.sample() in vector.action_space
        assert vector.step(vector.action_space.sample())[0] in vector.observation_space
    finally:
        monkeypatch.delitem(sys.modules, "gymnasium")
        importlib.reload(holdfast.gym)


def test_seeds(arm):
    env = make(holdfast.gym, arm)
    env.reset(seed=7)
    assert env.np_random_seed == 7
    first = env.reset()[0]
    env.reset(seed=7)
    assert (env.reset()[0] == first).all()  # episodes after a seed repeat too
    other = make(holdfast.gym, arm)
    other.reset()
    seed = other.np_random_seed
    again = other.reset()[0]
    other.reset(seed=seed)
    assert (other.reset()[0] == again).all()
    env.np_random = np.random.default_rng(1)
    assert env.np_random_seed == -1


def test_vector_form(arm):
    vector = holdfast.gym.VectorEnv(3, arm, {"motor": (-5, 5)}, limit=0.05, every=10)
    observations, _ = vector.reset(seed=1)
    assert observations.shape == (3, 2) and vector.action_space.sample().shape == (3, 1)
    for k in range(6):
        observations, rewards, terminated, truncated, infos = vector.step(np.zeros((3, 1)))
        assert truncated.all() == (k == 4)
    assert infos["time"] == pytest.approx(np.zeros(3)) and infos["_time"].all()  # begun anew
    with pytest.raises(ValueError, match="3 environments need as many actions, got 2"):
        vector.step(np.zeros((2, 1)))
    with pytest.raises(ValueError, match="as many seeds, got 1"):
        vector.reset(seed=[1])
    vector.close()
