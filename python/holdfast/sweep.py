# SPDX-License-Identifier: Apache-2.0
"""Sweeps: one machine, many runs with other numbers, and a row of a table for each."""
import csv
import math
import os
import tempfile

import numpy as np

from . import _holdfast
from .model import Model, _word, load

_DESIGNS = ("random", "lhs", "sobol")
_INDICES = (None, "sobol", "morris")


class Table:
    """Columns by name: arrays of numbers, or lists of texts."""

    def __init__(self, names, columns):
        self.names, self.columns = names, columns

    def __getitem__(self, name):
        """A column: an array of numbers, or a list of texts."""
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(f"'{name}' is no column; columns are {', '.join(self.names)}") from None

    def __len__(self):
        return len(self.columns["case"])

    @property
    def failed(self):
        """True for cases that have no outputs; `message` says why."""
        return np.array([verdict == "failed" for verdict in self["verdict"]])

    def to_pandas(self):
        """A DataFrame; its to_parquet and others write it for other programs."""
        import pandas
        return pandas.DataFrame(self.columns)


def _read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    names, columns = rows[0], {}
    for k, name in enumerate(names):
        texts = [row[k] for row in rows[1:]]
        try:
            if name in ("verdict", "message"):
                raise ValueError
            columns[name] = np.array([float(text) for text in texts])
        except ValueError:
            # An apostrophe keeps spreadsheets from taking a text for a formula
            columns[name] = [t[1:] if t[:1] == "'" and t[1:2] in ("=", "+", "-", "@") else t for t in texts]
    return Table(names, columns)


def _words(vary):
    items = vary.items() if isinstance(vary, dict) else (v.split("=", 1) for v in vary)
    for name, values in items:
        if not isinstance(values, str):
            values = ",".join(v if isinstance(v, str) else repr(float(v)) for v in np.atleast_1d(values))
        yield f"{name}={values}"


def _chosen(what, word, words):
    if word not in words:
        raise ValueError(f"{what} must be one of {', '.join(str(w) for w in words)}, not {word!r}")
    return words.index(word)


def sweep(model, vary=(), of=(), *, samples=0, design="random", indices=None, seed=1, sets=(),
          variants=(), methods=(), regimes=False, energy=False, after=0.0, duration=None, every=1,
          jobs=None, output=None, resume=False):
    """Runs a machine many times with other numbers, on all cores, and returns a Table.

    model       a Model, or a path
    vary        {name: values}: an array, or the words of `holdfast sweep`, "1:20:96",
                "normal:0.35:0.05"; or a list of "NAME=VALUES"
    of          what is kept of a run: "max(abs(block.velocity))", "NAME=EXPRESSION"
    samples, design, indices, seed    of random axes
    sets        changes for all cases, "bodies.block.mass=2"
    output      keeps the table in this CSV file; with `resume` goes on after an interruption

    Failed cases are rows. The table is the same to the bit for any number of jobs.
    """
    if not isinstance(model, Model):
        model = load(model)
    text, label, folder, parameters, method, step, variant = model._made
    sets = [f"{k}={_word(v)}" for k, v in (parameters or {}).items()] + list(sets)
    if step is not None:
        sets.append(f"method.step={float(step)!r}")
    made = None
    if output is None:
        made = tempfile.TemporaryDirectory(prefix="holdfast-")
        output = os.path.join(made.name, "table.csv")
    output = os.fspath(output)
    if not output.lower().endswith(".csv"):
        raise ValueError(f"output must end in .csv, not '{output}'")
    try:
        _holdfast.sweep(text, label, folder, tuple(sets), tuple(_words(vary)),
                        (of,) if isinstance(of, str) else tuple(of),
                        tuple(variants) or ((variant,) if variant else ()),
                        tuple(methods) or ((method,) if method else ()), samples,
                        _chosen("design", design, _DESIGNS), _chosen("indices", indices, _INDICES),
                        seed, regimes, energy, after, math.nan if duration is None else duration,
                        every, jobs or os.cpu_count() or 1, output, resume)
        return _read(output)
    finally:
        if made is not None:
            made.cleanup()
