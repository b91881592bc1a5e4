# SPDX-License-Identifier: Apache-2.0
from typing import Any, Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

def names() -> list[str]: ...

class Law:
    name: str
    parameters: dict[str, Any]
    states: int
    def __init__(self, name: str, **parameters: Any) -> None: ...
    def state(self, shape: Any = ()) -> Array: ...
    def evaluate(self, rate: npt.ArrayLike, gap: npt.ArrayLike = 0.0,
                 state: npt.ArrayLike | None = None, *, normal: npt.ArrayLike = 0.0,
                 mode: npt.ArrayLike = 0.0, tau: float = 0.0) -> dict[str, Array]: ...
    def step(self, rate: npt.ArrayLike, dt: float, state: npt.ArrayLike | None = None,
             gap: npt.ArrayLike = 0.0, **more: Any) -> tuple[Array, Array]: ...
    def force(self, rate: npt.ArrayLike, **more: Any) -> Array: ...

def __getattr__(name: str) -> Callable[..., Law]: ...
