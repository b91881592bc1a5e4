# SPDX-License-Identifier: Apache-2.0
"""Environments for learning, with the interface of Gymnasium: reset, step, spaces, seeding.

Where gymnasium is installed the classes are its environments; without it they work the same, with
spaces of their own that have shape, low, high, sample and contains.
"""
import numpy as np

from .model import Model, load
from .sim import Sim

__all__ = ["Box", "Env", "VectorEnv"]

try:
    import gymnasium as _gymnasium
    _Base, _VectorBase = _gymnasium.Env, _gymnasium.vector.VectorEnv
    Box = _gymnasium.spaces.Box
    _modes = getattr(_gymnasium.vector, "AutoresetMode", None)  # since Gymnasium 1.1
    _NEXT_STEP = "NextStep" if _modes is None else _modes.NEXT_STEP
except ImportError:
    _gymnasium = None
    _Base = _VectorBase = object
    _NEXT_STEP = "NextStep"

    class Box:
        """An interval of numbers in every coordinate."""

        def __init__(self, low, high, shape=None, dtype=np.float64, seed=None):
            shape = np.shape(low) if shape is None else tuple(shape)
            self.shape, self.dtype = shape, np.dtype(dtype)
            self.low = np.broadcast_to(np.asarray(low, dtype), shape).copy()
            self.high = np.broadcast_to(np.asarray(high, dtype), shape).copy()
            self.seed(seed)

        @property
        def np_random(self):
            """The generator of samples."""
            return self._random

        def seed(self, seed=None):
            """Makes samples repeatable."""
            self._random = np.random.default_rng(seed)
            return [seed]

        def sample(self):
            """Random numbers: uniform where there are bounds, else normal."""
            bounded = np.isfinite(self.low) & np.isfinite(self.high)
            low, high = np.where(bounded, self.low, -1.0), np.where(bounded, self.high, 1.0)
            plain = self._random.normal(size=self.shape)
            return np.where(bounded, self._random.uniform(low, high), plain).astype(self.dtype)

        def contains(self, x):
            """Whether x has the shape and lies within the bounds."""
            x = np.asarray(x)
            return np.can_cast(x.dtype, self.dtype) and x.shape == self.shape and \
                bool(np.all(x >= self.low) and np.all(x <= self.high))

        def __contains__(self, x):
            return self.contains(x)

        def __repr__(self):
            return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


class Env(_Base):
    """A machine as an environment.

    model    a Model, or the path of a model file
    action   input signals that an action sets, with their bounds: {"motor": (-2, 2)}
    observe  channels, groups or patterns; None: all positions and velocities
    reward   function(sim, action) -> number; None: 0
    done     function(sim) -> bool: the episode is over; None: never
    limit    seconds after which an episode is truncated; None: the model's duration
    every    steps of the method in a step of the environment
    start    function(sim, random): sets state and parameters of an episode's beginning
    other    method, step and its keys, as for Sim
    """

    metadata = {"render_modes": []}
    render_mode = None
    spec = None

    def __init__(self, model, action, observe=None, reward=None, done=None, *, limit=None, every=1,
                 start=None, **sim):
        self.model = model if isinstance(model, Model) else load(model)
        self._sim_keys, self._reward, self._done, self._start = sim, reward, done, start
        self._limit = self.model.duration if limit is None else limit
        self._every = every
        self.action_names = list(action)
        low, high = np.array([action[n] for n in action], dtype=float).reshape(-1, 2).T
        self.action_space = Box(low, high, dtype=np.float64)
        names = [c.name for c in self.model.channels if c.home != 0] if observe is None else observe
        self._ids = np.array(self.model.ids(names)) - 1
        self.observation_names = [self.model.channels[i].name for i in self._ids]
        self.observation_space = Box(-np.inf, np.inf, (len(self._ids),), dtype=np.float64)
        self._np_random, self._np_random_seed, self.sim = None, None, None

    def _observe(self):
        return self.sim.values[self._ids]

    def _seed(self, seed):
        seed = int(np.random.SeedSequence().entropy if seed is None else seed)
        self._np_random, self._np_random_seed = np.random.default_rng(seed), seed

    @property
    def np_random(self):
        """The generator of random numbers."""
        if self._np_random is None:
            self._seed(None)
        return self._np_random

    @np_random.setter
    def np_random(self, generator):
        self._np_random, self._np_random_seed = generator, -1

    @property
    def np_random_seed(self):
        """What it began with; -1: it came from outside."""
        if self._np_random is None:
            self._seed(None)
        return self._np_random_seed

    def reset(self, *, seed=None, options=None):
        """A new episode: (observation, info)."""
        if seed is not None or self._np_random is None:
            self._seed(seed)
        if self.sim is None or self.sim._parameters_set:
            self.sim = Sim(self.model, **self._sim_keys)
        else:
            self.sim.reset()
        if self._start is not None:
            self._start(self.sim, self._np_random)
        return self._observe(), {"time": self.sim.time}

    def step(self, action):
        """(observation, reward, terminated, truncated, info)"""
        if self.sim is None:
            raise RuntimeError("call reset before step")
        action = np.clip(np.asarray(action, dtype=float).reshape(self.action_space.shape),
                         self.action_space.low, self.action_space.high)
        for name, value in zip(self.action_names, action):
            self.sim.inputs[name] = value
        self.sim.steps(self._every)
        reward = 0.0 if self._reward is None else float(self._reward(self.sim, action))
        terminated = bool(self._done is not None and self._done(self.sim))
        truncated = bool(self.sim.time >= self._limit - 1e-9)
        return self._observe(), reward, terminated, truncated, {"time": self.sim.time}

    def render(self):
        """Nothing: record a run with env.sim.run(...) and look at its page."""
        return None

    def close(self):
        """Forgets the sim."""
        self.sim = None

    @property
    def unwrapped(self):
        """The environment itself."""
        return self


class VectorEnv(_VectorBase):
    """Several environments side by side: arrays of observations, rewards and ends. An environment
    whose episode ended begins anew in the next step (autoreset "next step" of Gymnasium)."""

    metadata = {"autoreset_mode": _NEXT_STEP}

    def __init__(self, num_envs, *arguments, **keys):
        self.envs = [Env(*arguments, **keys) for _ in range(num_envs)]
        self.num_envs = num_envs
        first = self.envs[0]
        self.single_action_space = first.action_space
        self.single_observation_space = first.observation_space
        a, o = first.action_space, first.observation_space
        self.action_space = Box(np.tile(a.low, (num_envs, 1)), np.tile(a.high, (num_envs, 1)),
                                dtype=a.dtype)
        self.observation_space = Box(-np.inf, np.inf, (num_envs,) + o.shape, dtype=o.dtype)
        self._over = np.zeros(num_envs, dtype=bool)

    def _gather(self, infos):
        # With each array a mask of the environments that have it, as Gymnasium wants
        return {"time": np.array([i["time"] for i in infos]),
                "_time": np.ones(self.num_envs, dtype=bool)}

    def reset(self, *, seed=None, options=None):
        """Episodes of all: seeds are seed, seed + 1, ... or a list of them."""
        seeds = seed if isinstance(seed, (list, tuple)) else \
            [None if seed is None else seed + i for i in range(self.num_envs)]
        if len(seeds) != self.num_envs:
            raise ValueError(f"{self.num_envs} environments need as many seeds, got {len(seeds)}")
        self._over[:] = False
        found = [e.reset(seed=s) for e, s in zip(self.envs, seeds)]
        return np.stack([o for o, _ in found]), self._gather([i for _, i in found])

    def step(self, actions):
        """(observations, rewards, terminated, truncated, infos)"""
        results = []
        if len(actions) != self.num_envs:
            raise ValueError(f"{self.num_envs} environments need as many actions, got {len(actions)}")
        for env, action, over in zip(self.envs, actions, self._over):
            if over:
                observation, info = env.reset()
                results.append((observation, 0.0, False, False, info))
            else:
                results.append(env.step(action))
        observations, rewards, terminated, truncated, infos = zip(*results)
        terminated, truncated = np.array(terminated), np.array(truncated)
        self._over = terminated | truncated
        return (np.stack(observations), np.array(rewards), terminated, truncated,
                self._gather(infos))

    def close(self, **unused):
        """Closes all."""
        for env in self.envs:
            env.close()
