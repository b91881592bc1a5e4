# SPDX-License-Identifier: Apache-2.0
"""Models: machines that are compiled once and simulated many times."""
import fnmatch
import json
import os
from collections import namedtuple

import numpy as np

from . import _holdfast

Channel = namedtuple("Channel", "name unit home index")
Body = namedtuple("Body", "name type mass position position_count velocity velocity_count")
Force = namedtuple("Force", "name law dim friction")
Signal = namedtuple("Signal", "name type")
Parameter = namedtuple("Parameter", "name unit value")


def _word(value):
    """A value as YAML: JSON is a part of it."""
    if isinstance(value, (np.floating, np.integer, np.bool_)):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, float):
        return repr(value)
    return value if isinstance(value, str) else json.dumps(value)


class Model(_holdfast.Model):
    """A compiled machine, from the text of a model file. Immutable; sims and threads share it.

    text        a model file (YAML)
    parameters  changes by path, as `holdfast run --set` takes them: {"bodies.block.mass": 2}
    method      another method than the text's, by name
    step        another step [s]
    variant     one of the text's variants
    label       stands for the file name in messages
    folder      where tables and meshes that the text names are; None: they are refused
    """

    def __init__(self, text, parameters=None, *, method=None, step=None, variant=None,
                 label="model", folder=None, _path=None):
        if step is not None and not step > 0:
            raise ValueError(f"step must be positive, got {step}")
        items = tuple(f"{path}={_word(value)}" for path, value in (parameters or {}).items())
        super().__init__(_path, text, label, folder, items, 0.0 if step is None else step, variant, method)
        self._made = (text, label, folder, dict(parameters or {}), method, step, variant)
        self._facts = self._info()
        self.channels = [Channel(*c) for c in self._channels()]
        self.bodies = [Body(*b) for b in self._bodies()]
        self.forces = [Force(*f) for f in self._forces()]
        self.signals = [Signal(*s) for s in self._signals()]
        self.inputs = [s.name for s in self.signals if s.type == "input"]
        self._channel_ids = {c.name: i + 1 for i, c in enumerate(self.channels)}
        self._body_ids = {b.name: i + 1 for i, b in enumerate(self.bodies)}
        self._force_ids = {f.name: i + 1 for i, f in enumerate(self.forces)}
        self._signal_ids = {s.name: i + 1 for i, s in enumerate(self.signals)}

    name = property(lambda self: self._facts["name"], doc="The machine's name.")
    text = property(lambda self: self._facts["text"], doc="The text it was read from.")
    method = property(lambda self: self._facts["method"], doc="Its method, by name.")
    step = property(lambda self: self._facts["step"], doc="Its step [s].")
    duration = property(lambda self: self._facts["duration"], doc="Its duration [s].")
    gravity = property(lambda self: np.array(self._facts["gravity"]), doc="Gravity [m/s^2].")
    nq = property(lambda self: self._facts["coordinates"], doc="Numbers in q.")
    nv = property(lambda self: self._facts["velocities"], doc="Numbers in v.")
    ny = property(lambda self: self._facts["law_states"], doc="Inner states of laws.")

    @property
    def parameters(self):
        """Numbers that Sim.set_parameters can change: {name: Parameter(name, unit, value)}. Names
        with a dot are of components; those without are the file's own `parameters:`."""
        return {p[0]: Parameter(*p) for p in self._parameters()}

    @property
    def recorded(self):
        """Names of the channels that the model itself asks to record."""
        return [self.channels[i - 1].name for i in self._records()]

    def ids(self, names):
        """Channel ids of names, groups ("sphere.position") and patterns ("*.position")."""
        found = []
        for name in [names] if isinstance(names, str) else names:
            if name in self._channel_ids:
                found.append(self._channel_ids[name])
            elif any(c in name for c in "*?["):
                some = [i for n, i in self._channel_ids.items() if fnmatch.fnmatchcase(n, name)]
                if not some:
                    raise KeyError(f"no channel matches '{name}'")
                found += some
            else:
                found += self._group(name)
        return list(dict.fromkeys(found))

    def _group(self, name):
        ids = self._expand(name)
        if isinstance(ids, str):
            raise KeyError(f"no channel '{name}'" + (f"; did you mean '{ids}'?" if ids else ""))
        return ids

    def __reduce__(self):
        text, label, folder, parameters, method, step, variant = self._made
        return _rebuild, (text, label, folder, parameters, method, step, variant)

    def __repr__(self):
        f = self._facts
        return (f"<holdfast.Model '{self.name}': {f['bodies']} bodies, {f['forces']} forces, "
                f"{f['freedoms']} degrees of freedom, {self.method}>")


def _rebuild(text, label, folder, parameters, method, step, variant):
    return Model(text, parameters, method=method, step=step, variant=variant, label=label,
                 folder=folder)


def load(path, parameters=None, *, method=None, step=None, variant=None):
    """Reads a model file (YAML), or a robot in MJCF, URDF or SDF as it is: hf.load("go1.xml").

    Arguments as for Model; messages name file, line and column. The text of a robot's model is the
    model file that was made of it.
    """
    path = os.fspath(path)
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except OSError as problem:
        raise _holdfast.Error(f"{path}: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise _holdfast.Error(f"{path}: this is no text in UTF-8") from None
    return Model(text, parameters, method=method, step=step, variant=variant, label=path,
                 folder=os.path.dirname(path) or ".")


class Spec:
    """A machine built in Python: the keys of model files (docs/model-file.md) as dicts.

        spec = hf.Spec("block", gravity=[0, 0, -9.81], method={"type": "rk4", "step": 1e-4})
        spec.bodies["block"] = {"type": "mass", "dim": 1, "mass": 1.0}
        spec.force("floor", on="block", type="friction", law="stiction", level=10,
                   stiffness=1e5, damping=100)
        model = spec.compile()

    bodies, signals and settings are dicts, forces, loops and record are lists: as in a file.
    """

    def __init__(self, name="machine", **settings):
        self.settings = dict(settings, name=name)
        self.bodies, self.signals, self.forces, self.loops, self.record = {}, {}, [], [], []

    def force(self, name, **keys):
        """Adds a force; keys as in a model file."""
        self.forces.append(dict({"name": name}, **keys))
        return self

    def text(self):
        """The model file."""
        parts = dict(self.settings, bodies=self.bodies, signals=self.signals, forces=self.forces,
                     loops=self.loops, record=self.record)
        empty = ({}, [])
        kept = {key: part for key, part in parts.items()
                if key == "bodies" or not any(type(part) is type(e) and part == e for e in empty)}
        return json.dumps(kept, indent=1, default=lambda o: o.tolist())

    def compile(self, parameters=None, folder=None):
        """The machine as a Model."""
        return Model(self.text(), parameters, label=self.settings["name"], folder=folder)
