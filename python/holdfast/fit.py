# SPDX-License-Identifier: Apache-2.0
"""Fits: from logs of a machine to numbers of its model, with error bars."""
import math
import os
from collections import namedtuple
from collections.abc import Mapping

import numpy as np

from . import _holdfast
from .model import Model, _word, load
from .sweep import _chosen

FitParameter = namedtuple("FitParameter", "name unit value half_width error white by_segments by_logs "
                          "start low high determined")
FitError = namedtuple("FitError", "rms mean_absolute largest relative normalized r2 correlation_time")

_HOLDS = ("held", "linear", "smooth")
_LOSSES = ("squares", "soft-l1", "huber")
_KEYS = {"low", "high", "start", "prior", "per_log", "logarithmic"}


class FitLog:
    """One channel of one log: what was measured and what the fitted machine does.

    time, measured, simulated (in segments, as fitted), whole (in one run): arrays
    errors, whole_errors    FitError of both
    validation              whether it was not fitted to
    """

    def __init__(self, name, channel, validation, time, measured, simulated, whole, errors, whole_errors):
        self.name, self.channel, self.validation = name, channel, bool(validation)
        self.time, self.measured, self.simulated, self.whole = (
            np.frombuffer(b) for b in (time, measured, simulated, whole))
        self.errors, self.whole_errors = FitError(*errors), FitError(*whole_errors)

    @property
    def residuals(self):
        """Measured less simulated, in segments."""
        return self.measured - self.simulated

    def __repr__(self):
        return f"<holdfast.FitLog '{self.name}' {self.channel}: rms {self.errors.rms:.4g}>"


class Fit:
    """What came of a fit.

    parameters    {name: FitParameter}: value, half_width of the 95 % interval, error (standard
                  deviation), white (as if residuals had no memory), by_segments, by_logs, start,
                  low, high, unit, and how it was determined
    logs          [FitLog]: every log and channel
    correlations  array
    messages      sentences: the verdict, and what cannot be known, with the experiment that would tell
    verdict       the first of them
    converged, stopped, iterations, simulations, residuals, segments, aic, bic, condition, cost
    text          the model file with the numbers that were found; None where they cannot stand in it
    model         the same as a Model
    """

    def __init__(self, made, model):
        self.parameters = {p[0]: FitParameter(*p) for p in made["parameters"]}
        n = len(self.parameters)
        self.correlations = np.array(made["correlations"]).reshape(n, n)
        self.logs = [FitLog(*log) for log in made["logs"]]
        self.messages, self.text = made["messages"], made["text"]
        for key in ("converged", "stopped", "iterations", "simulations", "residuals", "segments",
                    "segment", "aic", "bic", "condition", "cost"):
            setattr(self, key, made[key])
        self._model = model

    verdict = property(lambda self: self.messages[0], doc="The verdict in words.")

    def __getitem__(self, name):
        """The value of a number, by its name."""
        try:
            return self.parameters[name].value
        except KeyError:
            raise KeyError(f"'{name}' was not fitted; fitted are {', '.join(self.parameters)}") from None

    @property
    def model(self):
        """The machine with the numbers that were found."""
        if self.text is None:
            raise ValueError("the numbers that were found stand nowhere in the model's text")
        text, label, folder, parameters, method, step, variant = self._model._made
        kept = {k: v for k, v in parameters.items()
                if k not in self.parameters and k.removeprefix("parameters.") not in self.parameters}
        return Model(self.text, kept, method=method, step=step, variant=variant, label=label, folder=folder)

    def to_pandas(self):
        """The numbers as a DataFrame, a row each."""
        import pandas
        return pandas.DataFrame(self.parameters.values()).set_index("name")

    def __str__(self):
        rows = [f"{'Parameter':36} {'value':>13} {'+- (95 %)':>11}  {'unit':9} determined"]
        rows += [f"{p.name:36} {p.value:13.6g} {p.half_width:11.3g}  {p.unit or '-':9} {p.determined}"
                 for p in self.parameters.values()]
        return "\n".join(rows + [""] + self.messages)

    def __repr__(self):
        return f"<holdfast.Fit: {len(self.parameters)} numbers, {self.verdict}>"


def _log(log, index):
    """(name, path, time, ((column, numbers), ...)) of a path, or of columns by name."""
    if isinstance(log, (str, os.PathLike)):
        path = os.fspath(log)
        return (path, path, None, ())
    try:
        names = list(log.keys())
        columns = {str(n): np.ascontiguousarray(log[n], dtype=float) for n in names}
    except (AttributeError, TypeError, ValueError) as problem:
        raise TypeError(f"log {index}: expected a path or columns by name, such as {{'time': t, 'u': u}}, "
                        f"got {type(log).__name__} ({problem})") from None
    if "time" not in columns:
        raise ValueError(f"log {index} has no column 'time'; its columns are {', '.join(columns)}")
    time = columns.pop("time")
    for name, column in columns.items():
        if column.shape != time.shape or column.ndim != 1:
            raise ValueError(f"log {index}: column '{name}' has the shape {column.shape}, time has {time.shape}")
        bad = np.flatnonzero(~np.isfinite(column))
        if len(bad):
            raise ValueError(f"log {index}: column '{name}' is not finite at row {bad[0]}")
    back = np.flatnonzero(~(np.diff(time) > 0))
    if len(back) or len(time) < 2 or not np.isfinite(time).all():
        raise ValueError(f"log {index}: times must rise, and there must be two at least"
                         + (f"; they do not at row {back[0] + 1}" if len(back) else ""))
    return (f"log {index}", None, time, tuple(columns.items()))


def _input(signal, said, hold):
    column, delay = said if isinstance(said, (tuple, list)) else (said, 0.0)
    is_free = isinstance(delay, str)
    if is_free and delay != "free":
        raise ValueError(f"the delay of '{signal}' is a number of seconds or 'free', not {delay!r}")
    return (signal, column, hold, 0.0 if is_free else float(delay), is_free)


def _free(name, said):
    if said is None:
        said = {}
    if isinstance(said, (tuple, list)):
        said = dict(zip(("low", "high"), said, strict=True))
    unknown = set(said) - _KEYS
    if unknown:
        raise ValueError(f"free['{name}']: '{min(unknown)}' is no key; keys are {', '.join(sorted(_KEYS))}")
    prior, deviation = said.get("prior", (math.nan, math.nan))

    def number(key):
        value = said.get(key)
        return math.nan if value is None else float(value)
    return (name, number("low"), number("high"), number("start"), float(prior), float(deviation),
            bool(said.get("per_log", False)), bool(said.get("logarithmic", False)))


def _each(names):
    if isinstance(names, str):
        names = [names]
    return names.items() if isinstance(names, Mapping) else ((n, None) for n in names)


def fit(model, logs, *, match, free, inputs=None, validate=(), segments=1.0, hold="held", offsets=(),
        scales=(), per_log=False, fixed_starts=False, loss="squares", loss_scale=1.0, starts=1, seed=1,
        iterations=50, jobs=None, progress=None):
    """Finds the numbers of a model for which its simulation comes nearest to logs of the machine.

    model         a Model, or a path
    logs          paths (CSV), or columns by name with one that is "time": dicts, DataFrames
    match         {channel: column}, or {channel: (column, standard deviation)}; a column may be an
                  expression of columns, "q*pi/180 - 0.1"
    free          names or patterns: ["m", "forces.pad.level.*"], or {name: (low, high)}, or
                  {name: {"low":, "high":, "start":, "prior": (value, deviation), "per_log":,
                  "logarithmic":}}
    inputs        {signal: column}, {signal: (column, delay [s])}, or {signal: (column, "free")}
    validate      logs that are not fitted to, and judge
    segments      lengths [s], one stage after the other; math.inf: the whole log
    hold          inputs between samples: "held", "linear", "smooth"
    offsets, scales    channels whose sensors have them; per_log: in each log its own
    fixed_starts  segments begin at the measured state itself
    loss          "squares", "soft-l1", "huber", bent at loss_scale deviations
    starts, seed  first guesses; iterations: at most, in a stage; jobs: threads
    progress      called as progress(iteration, rms, simulations); False ends it

    Returns a Fit. Ctrl-C raises KeyboardInterrupt.
    """
    if not isinstance(model, Model):
        model = load(model)
    text, label, folder, parameters, method, step, variant = model._made
    if isinstance(logs, (str, os.PathLike, Mapping)) or hasattr(logs, "columns"):
        logs = [logs]
    if isinstance(validate, (str, os.PathLike, Mapping)) or hasattr(validate, "columns"):
        validate = [validate]
    offsets, scales = ([c] if isinstance(c, str) else list(c) for c in (offsets, scales))
    for channel in [*offsets, *scales]:
        if channel not in match:
            raise ValueError(f"'{channel}' has an offset or a scale but is not matched")
    held = _chosen("hold", hold, _HOLDS)
    pairs = [(c, said if isinstance(said, (tuple, list)) else (said, 0.0)) for c, said in match.items()]
    made = _holdfast.fit(
        text, label, folder, tuple(f"{k}={_word(v)}" for k, v in parameters.items()), variant, method,
        0.0 if step is None else float(step),
        tuple(_log(log, i + 1) for i, log in enumerate([*logs, *validate])), len(list(validate)),
        tuple(_input(s, said, held) for s, said in (inputs or {}).items()),
        tuple((c, column, float(deviation), c in offsets, c in scales, per_log)
              for c, (column, deviation) in pairs),
        tuple(_free(n, said) for n, said in _each(free)),
        tuple(float(s) for s in np.atleast_1d(segments)), fixed_starts, _chosen("loss", loss, _LOSSES),
        float(loss_scale), int(starts), int(seed), int(iterations), jobs or os.cpu_count() or 1, progress)
    return Fit(made, model)
