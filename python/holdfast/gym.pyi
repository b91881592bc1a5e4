# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import Any, Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import Model, Sim

Array = npt.NDArray[np.float64]

class Box:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    low: npt.NDArray[Any]
    high: npt.NDArray[Any]
    def __init__(self, low: npt.ArrayLike, high: npt.ArrayLike, shape: Sequence[int] | None = None,
                 dtype: npt.DTypeLike = ..., seed: int | None = None) -> None: ...
    @property
    def np_random(self) -> np.random.Generator: ...
    def seed(self, seed: int | None = None) -> Any: ...
    def sample(self) -> npt.NDArray[Any]: ...
    def contains(self, x: Any) -> bool: ...
    def __contains__(self, x: Any) -> bool: ...

class Env:
    metadata: dict[str, Any]
    render_mode: str | None
    spec: Any
    model: Model
    sim: Sim | None
    action_names: list[str]
    observation_names: list[str]
    action_space: Box
    observation_space: Box
    np_random: np.random.Generator
    def __init__(self, model: Model | str | PathLike[str], action: Mapping[str, tuple[float, float]],
                 observe: str | Sequence[str] | None = None,
                 reward: Callable[[Sim, Array], float] | None = None,
                 done: Callable[[Sim], bool] | None = None, *, limit: float | None = None,
                 every: int = 1, start: Callable[[Sim, np.random.Generator], None] | None = None,
                 **sim: Any) -> None: ...
    @property
    def np_random_seed(self) -> int: ...
    def reset(self, *, seed: int | None = None,
              options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]: ...
    def step(self, action: npt.ArrayLike) -> tuple[Array, float, bool, bool, dict[str, Any]]: ...
    def render(self) -> None: ...
    def close(self) -> None: ...
    @property
    def unwrapped(self) -> Env: ...

class VectorEnv:
    metadata: dict[str, Any]
    envs: list[Env]
    num_envs: int
    single_action_space: Box
    single_observation_space: Box
    action_space: Box
    observation_space: Box
    def __init__(self, num_envs: int, *arguments: Any, **keys: Any) -> None: ...
    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]: ...
    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, npt.NDArray[np.bool_],
                                                    npt.NDArray[np.bool_], dict[str, Any]]: ...
    def close(self, **unused: Any) -> None: ...
