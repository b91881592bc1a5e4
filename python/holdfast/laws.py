# SPDX-License-Identifier: Apache-2.0
"""Friction and contact laws as functions of arrays, for controllers and fits.

    law = hf.laws.lugre(level={"kinetic": 1.0, "static": 1.5, "stribeck_velocity": 0.01},
                        stiffness=1e5)
    force, state = law.step(velocity, 1e-3, state)

A law opposes the motion: force has the sign of the velocity. Names and parameters are those of model
files; hf.laws.names() lists them.
"""
import numpy as np

from . import _holdfast

_LAWS = {name.replace("-", "_"): (name, phrase, kind, bool(applied), low, params)
         for name, phrase, kind, applied, low, params in _holdfast.law_list()}
_ON_COORDINATES = {key for key, law in _LAWS.items() if law[2] in (0, 1) and law[4] == 1}


def names():
    """Laws that can be evaluated here."""
    return sorted(key for key in _ON_COORDINATES if not _LAWS[key][3])


class Law:
    """One law with its parameters, on any number of motions at once."""

    def __init__(self, name, **parameters):
        key = name.replace("-", "_")
        if key not in _ON_COORDINATES:
            raise ValueError(f"no friction law '{name}' here; there are {', '.join(names())}")
        if _LAWS[key][3]:
            raise ValueError(f"law '{name}' is found over whole steps of a machine: it is no "
                             "function of the motion")
        self.name, self.parameters = _LAWS[key][0], parameters
        nothing = (None,) * 9
        #: numbers of inner state
        self.states = _holdfast.law_eval(self.name, parameters, 0.0, *nothing)

    def state(self, shape=()):
        """The state of fresh elements."""
        return np.zeros(tuple(np.atleast_1d(shape)) + (self.states,) if shape != () else
                        (self.states,))

    def evaluate(self, rate, gap=0.0, state=None, *, normal=0.0, mode=0.0, tau=0.0):
        """A dict: force, dstate, mode (-1, 0, 1), stored [J], dissipated [W]; shaped as rate."""
        rate, gap, normal, mode = np.broadcast_arrays(
            *(np.asarray(x, dtype=float) for x in (rate, gap, normal, mode)))
        shape, n = rate.shape, rate.size
        state = np.zeros((n, self.states)) if state is None else \
            np.ascontiguousarray(state, dtype=float).reshape(n, self.states)
        flat = [np.ascontiguousarray(x, dtype=float).reshape(n) for x in (gap, rate, normal)]
        force, stored, heat = np.empty(n), np.empty(n), np.empty(n)
        mode, dstate = np.array(mode, dtype=float).reshape(n), np.empty((n, self.states))
        _holdfast.law_eval(self.name, self.parameters, tau, *flat, state, force, dstate, mode,
                           stored, heat)
        return {"force": force.reshape(shape), "dstate": dstate.reshape(shape + (self.states,)),
                "mode": mode.reshape(shape), "stored": stored.reshape(shape),
                "dissipated": heat.reshape(shape)}

    def step(self, rate, dt, state=None, gap=0.0, **more):
        """Force over a step of dt seconds, and the state after it: an Euler step that looks ahead
        by tau = dt, as method euler does."""
        rate = np.asarray(rate, dtype=float)
        state = np.zeros(rate.shape + (self.states,)) if state is None else np.asarray(state, float)
        out = self.evaluate(rate, gap, state, tau=dt, **more)
        return out["force"], state + dt * out["dstate"]

    def force(self, rate, **more):
        """The force alone."""
        return self.evaluate(rate, **more)["force"]

    def __repr__(self):
        inside = ", ".join(f"{k}={v!r}" for k, v in self.parameters.items())
        return f"holdfast.laws.{self.name.replace('-', '_')}({inside})"


def __getattr__(name):
    if name in _ON_COORDINATES:
        def make(**parameters):
            return Law(name, **parameters)
        make.__name__ = name
        make.__doc__ = _LAWS[name][1] + "\n\n" + "\n".join(
            f"{p}  [{u}]  {m}" for p, u, m, _ in _LAWS[name][5])
        return make
    raise AttributeError(f"no law '{name}'; there are {', '.join(names())}")


def __dir__():
    return names() + ["Law", "names"]
