# SPDX-License-Identifier: Apache-2.0
"""Rollouts: many runs of one model at once."""
import math
import os

import numpy as np

from . import _holdfast


class Rollout:
    """What came of many runs: data[n, T, channels], channels by name, failed[n].

    `alone` says why runs went one by one, None: they went side by side, several in one sim. It is a
    matter of speed only."""

    def __init__(self, channels, data, time, status, problem, alone=None):
        self.channels, self.data, self.time, self.status = channels, data, time, status
        self.failed = status < 0
        self.problem, self.alone = problem, alone

    def __getitem__(self, name):
        """[n, T] of a channel."""
        try:
            return self.data[:, :, self.channels.index(name)]
        except ValueError:
            raise KeyError(f"'{name}' was not recorded") from None

    def __len__(self):
        return len(self.data)


def rollout(model, inputs=None, *, n=None, samples=None, every=1, parameters=None, states=None,
            record=None, method=None, step=None, threads=None, strict=True, **keys):
    """Runs n sims on all cores, without the interpreter's lock.

    inputs      [n, T, inputs] (or [T, inputs] for all): held from sample to sample
    n, samples  how many runs and samples, where inputs do not say it
    every       steps from sample to sample
    parameters  {name: array[n] or number}, names as in model.parameters
    states      [n, nq + nv] at t = 0
    record      channels, groups or patterns; None: all positions and velocities
    threads     None or 0: as many as there are cores. It has no influence on any bit
    strict      raises when a run fails; else it is NaN from there on, and `failed` says so
    """
    names = sorted(parameters or {}, key=lambda name: "." in name)  # the file's own first
    columns = [np.atleast_1d(np.asarray(parameters[k], dtype=float)) for k in names]
    if inputs is not None:
        inputs = np.asarray(inputs, dtype=float)
        if inputs.ndim == 2:
            inputs = inputs[None]
        if inputs.ndim != 3 or inputs.shape[2] != len(model.inputs):
            raise ValueError(f"inputs must be [n, T, {len(model.inputs)}], got {inputs.shape}")
        samples = inputs.shape[1]
    if states is not None:
        states = np.atleast_2d(np.asarray(states, dtype=float))
        if states.shape[1] != model.nq + model.nv:
            raise ValueError(f"states must be [n, {model.nq + model.nv}], got {states.shape}")
    sizes = {len(a) for a in columns + [a for a in (inputs, states) if a is not None]} - {1}
    if n is not None:
        sizes.add(n)
    if len(sizes) > 1:
        raise ValueError(f"numbers of runs do not agree: {sorted(sizes)}")
    if every < 1:
        raise ValueError(f"every must be at least 1, got {every}")
    if threads is not None and threads < 0:
        raise ValueError(f"threads must not be negative, got {threads}")
    if samples is None:
        raise ValueError("how many samples? Give inputs, or samples=")
    n = sizes.pop() if sizes else 1
    record = [c.name for c in model.channels if c.home != 0] if record is None else record
    ids = np.array(model.ids(record), dtype=np.int32)
    signals = np.array([model._signal_ids[i] for i in model.inputs], dtype=np.int32)
    out = np.full((n, samples, len(ids)), np.nan)
    status = np.zeros(n, dtype=np.int32)

    def full(array):
        wanted = (n,) + array.shape[1:]
        return np.ascontiguousarray(np.broadcast_to(array, wanted))

    run, text, alone = _holdfast.rollout(
        model, method, math.nan if step is None else step, keys, n, samples, every, ids, signals,
        None if inputs is None else full(inputs), names,
        np.ascontiguousarray(np.stack([full(c) for c in columns], axis=1)) if names else np.empty(0),
        None if states is None else full(states), threads or os.cpu_count() or 1, out, status,
        sum("." not in name for name in names))
    problem = None if run < 0 else (run, text)
    if problem is not None and strict:
        raise _holdfast.Error(f"run {problem[0]} of {n}: {problem[1]}")
    dt = model.step if step is None else step
    time = dt * every * np.arange(1, samples + 1)
    return Rollout([model.channels[i - 1].name for i in ids], out, time, status, problem, alone)
