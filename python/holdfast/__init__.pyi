# SPDX-License-Identifier: Apache-2.0
from os import PathLike
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple, Sequence

import numpy as np
import numpy.typing as npt

from . import laws as laws

Array = npt.NDArray[np.float64]
Names = str | Iterable[str]

__version__: str

class Error(ValueError):
    status: str
    code: int
    file: str
    line: int
    column: int
    component: str | None
    member: str | None
    law: str | None
    time: float
    recording: Recording

class Channel(NamedTuple):
    name: str
    unit: str
    home: int
    index: int

class Body(NamedTuple):
    name: str
    type: str
    mass: float
    position: int
    position_count: int
    velocity: int
    velocity_count: int

class Force(NamedTuple):
    name: str
    law: str
    dim: int
    friction: bool

class Signal(NamedTuple):
    name: str
    type: str

class Parameter(NamedTuple):
    name: str
    unit: str
    value: float

class Event(NamedTuple):
    time: float
    force: str
    before: int
    after: int

class Energy(NamedTuple):
    kinetic: float
    potential: float
    stored: float
    input: float
    dissipated: float
    start: float
    residual: float
    turnover: float

class Verdict(NamedTuple):
    trustworthy: bool
    why: str
    within: str

class Model:
    channels: list[Channel]
    bodies: list[Body]
    forces: list[Force]
    signals: list[Signal]
    inputs: list[str]
    def __init__(self, text: str, parameters: Mapping[str, Any] | None = None, *,
                 method: str | None = None, step: float | None = None, variant: str | None = None,
                 label: str = "model", folder: str | None = None) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def method(self) -> str: ...
    @property
    def step(self) -> float: ...
    @property
    def duration(self) -> float: ...
    @property
    def gravity(self) -> Array: ...
    @property
    def nq(self) -> int: ...
    @property
    def nv(self) -> int: ...
    @property
    def ny(self) -> int: ...
    @property
    def parameters(self) -> dict[str, Parameter]: ...
    @property
    def recorded(self) -> list[str]: ...
    def ids(self, names: Names) -> list[int]: ...

def load(path: str | PathLike[str], parameters: Mapping[str, Any] | None = None, *,
         method: str | None = None, step: float | None = None,
         variant: str | None = None) -> Model: ...

class Spec:
    settings: dict[str, Any]
    bodies: dict[str, Any]
    signals: dict[str, Any]
    forces: list[dict[str, Any]]
    loops: list[dict[str, Any]]
    record: list[str]
    def __init__(self, name: str = "machine", **settings: Any) -> None: ...
    def force(self, name: str, **keys: Any) -> Spec: ...
    def text(self) -> str: ...
    def compile(self, parameters: Mapping[str, Any] | None = None,
                folder: str | None = None) -> Model: ...

class Inputs:
    def __setitem__(self, name: str, value: float) -> None: ...
    def __getitem__(self, name: str) -> float | None: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def update(self, values: Mapping[str, float]) -> None: ...

class Sim:
    model: Model
    q: Array
    v: Array
    y: Array
    inputs: Inputs
    def __init__(self, model: Model, method: str | None = None, step: float | None = None, *,
                 parameters: Mapping[str, float] | None = None,
                 controllers: Sequence[tuple[float, Callable[[Sim], Any]]] | None = None,
                 events: bool = True, room: int = 0, **keys: Any) -> None: ...
    @property
    def time(self) -> float: ...
    @property
    def values(self) -> Array: ...
    @property
    def method(self) -> str: ...
    @property
    def dt(self) -> float: ...
    @property
    def energy(self) -> Energy: ...
    @property
    def stats(self) -> dict[str, Any]: ...
    @property
    def verdict(self) -> Verdict: ...
    @property
    def events(self) -> list[Event]: ...
    @property
    def contacts(self) -> npt.NDArray[Any]: ...
    @property
    def parameters(self) -> dict[str, float]: ...
    def __getitem__(self, name: str) -> Array: ...
    def step(self) -> None: ...
    def steps(self, count: int) -> None: ...
    def advance(self, until: float, stop_at_event: bool = False) -> bool: ...
    def run(self, until: float | None = None, record: Names | None = None, *, every: int = 1,
            stop_at_event: bool = False, pictures: bool = True,
            progress: bool | Callable[[float], Any] | None = None) -> Recording: ...
    def reset(self) -> None: ...
    def save(self) -> bytes: ...
    def restore(self, state: bytes) -> None: ...
    def copy(self) -> Sim: ...
    def friction(self, force: str) -> dict[str, Any]: ...
    def pose(self, body: str) -> tuple[Array, Array]: ...
    def set_state(self, q: npt.ArrayLike | None = None, v: npt.ArrayLike | None = None, *,
                  body: str | None = None) -> None: ...
    def set_parameters(self, parameters: Mapping[str, float]) -> None: ...
    def rate(self, state: npt.ArrayLike | None = None, smooth: bool = False) -> Array: ...
    def linearize(self, smooth: bool = False) -> tuple[Array, Array]: ...
    def mass_matrix(self, tree: str | None = None) -> Array: ...
    def inverse_dynamics(self, tree: str | None = None,
                         acceleration: npt.ArrayLike | None = None) -> Array: ...
    def bias(self, tree: str | None = None) -> Array: ...
    def forward_dynamics(self, tree: str, forces: npt.ArrayLike) -> Array: ...
    def jacobian(self, tree: str, link: str,
                 point: Sequence[float] = (0.0, 0.0, 0.0)) -> Array: ...

class Recording:
    model: Model
    channels: list[str]
    units: dict[str, str]
    time: Array
    data: Array
    events: list[Event]
    verdict: Verdict
    stopped_at_event: bool
    def __getitem__(self, name: str) -> Array: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...
    def keys(self) -> list[str]: ...
    def to_pandas(self) -> Any: ...
    def to_xarray(self) -> Any: ...
    def to_csv(self, path: str | PathLike[str]) -> None: ...
    def plot(self, *names: str, axes: Any = None) -> Any: ...
    def report(self, path: str | PathLike[str], label: str | None = None) -> None: ...
    def page(self) -> str: ...

class Rollout:
    channels: list[str]
    data: Array
    time: Array
    status: npt.NDArray[np.int32]
    failed: npt.NDArray[np.bool_]
    problem: tuple[int, str] | None
    alone: str | None
    def __getitem__(self, name: str) -> Array: ...
    def __len__(self) -> int: ...

def rollout(model: Model, inputs: npt.ArrayLike | None = None, *, n: int | None = None,
            samples: int | None = None, every: int = 1,
            parameters: Mapping[str, npt.ArrayLike] | None = None,
            states: npt.ArrayLike | None = None, record: Names | None = None,
            method: str | None = None, step: float | None = None, threads: int | None = None,
            strict: bool = True, **keys: Any) -> Rollout: ...

class Table:
    names: list[str]
    columns: dict[str, Array | list[str]]
    failed: npt.NDArray[np.bool_]
    def __getitem__(self, name: str) -> Array | list[str]: ...
    def __len__(self) -> int: ...
    def to_pandas(self) -> Any: ...

def sweep(model: Model | str | PathLike[str], vary: Mapping[str, str | npt.ArrayLike] | Iterable[str] = (),
          of: Names = (), *, samples: int = 0, design: str = "random", indices: str | None = None,
          seed: int = 1, sets: Iterable[str] = (), variants: Iterable[str] = (),
          methods: Iterable[str] = (), regimes: bool = False, energy: bool = False,
          after: float = 0.0, duration: float | None = None, every: int = 1, jobs: int | None = None,
          output: str | PathLike[str] | None = None, resume: bool = False) -> Table: ...

class FitParameter(NamedTuple):
    name: str
    unit: str
    value: float
    half_width: float
    error: float
    white: float
    by_segments: float
    by_logs: float
    start: float
    low: float
    high: float
    determined: str

class FitError(NamedTuple):
    rms: float
    mean_absolute: float
    largest: float
    relative: float
    normalized: float
    r2: float
    correlation_time: float

class FitLog:
    name: str
    channel: str
    validation: bool
    time: Array
    measured: Array
    simulated: Array
    whole: Array
    errors: FitError
    whole_errors: FitError
    @property
    def residuals(self) -> Array: ...

class Fit:
    parameters: dict[str, FitParameter]
    correlations: Array
    logs: list[FitLog]
    messages: list[str]
    text: str | None
    converged: bool
    stopped: bool
    iterations: int
    simulations: int
    residuals: int
    segments: int
    segment: float
    aic: float
    bic: float
    condition: float
    cost: float
    @property
    def verdict(self) -> str: ...
    @property
    def model(self) -> Model: ...
    def __getitem__(self, name: str) -> float: ...
    def to_pandas(self) -> Any: ...

Log = str | PathLike[str] | Mapping[str, npt.ArrayLike]

def fit(model: Model | str | PathLike[str], logs: Log | Iterable[Log], *,
        match: Mapping[str, str | tuple[str, float]],
        free: str | Iterable[str] | Mapping[str, tuple[float, float] | Mapping[str, Any] | None],
        inputs: Mapping[str, str | tuple[str, float | str]] | None = None,
        validate: Log | Iterable[Log] = (), segments: float | Sequence[float] = 1.0,
        hold: str = "held", offsets: Names = (), scales: Names = (), per_log: bool = False,
        fixed_starts: bool = False, loss: str = "squares", loss_scale: float = 1.0, starts: int = 1,
        seed: int = 1, iterations: int = 50, jobs: int | None = None,
        progress: Callable[[int, float, int], Any] | None = None) -> Fit: ...
