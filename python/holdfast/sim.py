# SPDX-License-Identifier: Apache-2.0
"""Sims: runs of a model, step by step or as a whole."""
import math
from collections import namedtuple

import numpy as np

from . import _holdfast
from .recording import Recording

Event = namedtuple("Event", "time force before after")
Energy = namedtuple("Energy", "kinetic potential stored input dissipated start residual turnover")
Verdict = namedtuple("Verdict", "trustworthy why within")

#: Columns of Sim.contacts: force and bodies by index (-1: the world), regime (0 open, 1 stick,
#: 2 slip), point and unit normal [m], push on `on` [N], gap [m].
contact_dtype = np.dtype([("force", "i4"), ("on", "i4"), ("to", "i4"), ("regime", "i4"),
                          ("point", "f8", 3), ("normal", "f8", 3), ("push", "f8", 3),
                          ("gap", "f8")])


class Sim(_holdfast.Sim):
    """A run of a model.

    model        a Model
    method       its name; None: the model's
    step         [s]; None: the model's
    parameters   numbers of the machine to change at the start (Model.parameters)
    controllers  [(period [s], function)]: called with the sim at 0, period, 2 period, ...
    events       whether located events are kept (method switch)
    room         bytes taken now for contacts of later steps: while they suffice no step allocates
                 (stats: room_used, room_missed)
    other        keys of the method: rtol=1e-8, solver="nsn", ...

    q, v and y are read-only arrays on the sim's own memory: they show the state as it is now.
    """

    def __init__(self, model, method=None, step=None, *, parameters=None, controllers=None,
                 events=True, room=0, **keys):
        super().__init__(model, method, math.nan if step is None else step, keys, controllers, events,
                         room)
        self.model = model
        self.q = np.asarray(self._view(1))
        self.v = np.asarray(self._view(2))
        self.y = np.asarray(self._view(3))
        self._values = np.asarray(self._view(0))
        self.inputs = self._inputs({n: model._signal_ids[n] for n in model.inputs})
        self._cache = {}
        self._made = (method, step, keys)
        self._controlled = bool(controllers)
        self._parameters_set = {}
        if parameters:
            self.set_parameters(parameters)

    # Time -----------------------------------------------------------------------------------

    def steps(self, count):
        """Makes `count` steps."""
        self._steps(count)

    def advance(self, until, stop_at_event=False):
        """Runs to that very time; or to the next event, and then returns True."""
        return self._advance(until, stop_at_event)

    def run(self, until=None, record=None, *, every=1, stop_at_event=False, pictures=True,
            progress=None):
        """Runs and records.

        until     time [s]; None: the model's duration
        record    names of channels, groups or patterns; None: what the model records
        every     steps from sample to sample
        pictures  keeps the machine's motion for report() and notebooks
        progress  True: a bar by tqdm, where it is installed; or a function of the time

        An error in the middle is raised with what was recorded as its attribute `recording`.
        """
        until = self.model.duration if until is None else until
        ids = self.model._records() if record is None else self.model.ids(record)
        bar, call = _progress(progress, self.time, until)
        first = len(self.events)
        try:
            result, problem = self._run(until, np.array(ids, dtype=np.int32), every, stop_at_event,
                                        pictures, call)
        finally:
            if bar is not None:
                bar.close()
        recording = Recording(self.model, ids, result, self.events[first:], self.verdict)
        if problem is not None:
            problem.recording = recording
            raise problem
        return recording

    # Looking --------------------------------------------------------------------------------

    def __getitem__(self, name):
        """A channel now: an array of its numbers, of shape () for one. Positions and velocities
        are views that follow the sim; the others show this moment until they are asked again."""
        view, live = self._cache.get(name) or self._locate(name)
        if not live:
            self._refresh()
        return view

    def _locate(self, name):
        model = self.model
        if name in model._channel_ids:
            ids = [model._channel_ids[name]]
        else:
            ids = model._group(name)
        slots = [model.channels[i - 1] for i in ids]
        homes = (self._values, self.q, self.v)
        live = all(s.home != 0 for s in slots) and len({s.home for s in slots}) == 1
        first = slots[0].index if live else ids[0] - 1
        places = [s.index for s in slots] if live else [i - 1 for i in ids]
        home = homes[slots[0].home] if live else self._values
        if places == list(range(first, first + len(places))):
            view = home[first:first + len(places)]
            if name in model._channel_ids:
                view = view.reshape(())
        else:
            raise KeyError(f"'{name}' is not one stretch of numbers: ask for its parts")
        self._cache[name] = view, live
        return self._cache[name]

    @property
    def values(self):
        """All channels now, in the order of model.channels."""
        self._refresh()
        return self._values

    @property
    def method(self):
        """Name of the method."""
        return self._method()[0]

    @property
    def dt(self):
        """The step [s]."""
        return self._method()[1]

    @property
    def energy(self):
        """The energy ledger [J]."""
        return Energy(**self._energy())

    @property
    def stats(self):
        """Steps, evaluations, contacts, residuals: a dict."""
        return self._stats()

    @property
    def verdict(self):
        """Whether the run can be trusted so far, why not, and within which residual of contacts."""
        return Verdict(*self._verdict())

    @property
    def events(self):
        """Stops, break-aways and impacts that the method located."""
        names = self.model.forces
        return [Event(t, names[i - 1].name, a, b) for t, i, a, b in self._events]

    @property
    def contacts(self):
        """Contacts of the last step, as an array of contact_dtype."""
        return np.frombuffer(self._contacts(), dtype=contact_dtype)

    def friction(self, force):
        """What became of a force: seconds in stick and slip, heat, largest force."""
        return self._force_stats(self.model._force_ids[force])

    def pose(self, body):
        """Where a body's origin is [m], and its orientation (w, x, y, z)."""
        numbers = self._pose(self.model._body_ids[body])
        return np.array(numbers[:3]), np.array(numbers[3:])

    # State and parameters -------------------------------------------------------------------

    def set_state(self, q=None, v=None, *, body=None):
        """Overwrites the state: of one body, or of all that are not driven."""
        for b in self.model.bodies:
            if (body is not None and b.name != body) or (body is None and b.type == "driven"):
                continue
            for numbers, velocity in ((q, 0), (v, 1)):
                first, count = (b.velocity, b.velocity_count) if velocity else \
                    (b.position, b.position_count)
                if numbers is None or count == 0:
                    continue
                flat = np.ascontiguousarray(np.atleast_1d(numbers), dtype=float)
                size = count if body is not None else (self.v if velocity else self.q).size
                if flat.size != size:
                    raise ValueError(f"expected {size} numbers, got {flat.size}")
                part = flat if body is not None else flat[first:first + count].copy()
                self._set_state(self.model._body_ids[b.name], part, velocity)
        if body is not None and body not in self.model._body_ids:
            raise KeyError(f"no body '{body}'")

    def set_parameters(self, parameters):
        """Changes numbers of the machine; state and time stay. Names: model.parameters."""
        every = {n: float(v) for n, v in {**self._parameters_set, **parameters}.items()}
        own = [n for n in every if "." not in n]
        # The file is read again for its own: then all that was ever set is set behind them
        names = own + [n for n in (every if own else parameters) if "." in n]
        self._set_parameters(names, np.array([every[n] for n in names], dtype=float), len(own))
        self._parameters_set = every

    @property
    def parameters(self):
        """Numbers of this sim's machine: {name: value}."""
        return {name: value for name, _, value in self._parameters()}

    def __reduce__(self):
        if self._controlled:
            raise TypeError("a sim with controllers cannot be pickled: they are functions")
        method, step, keys = self._made
        return _restored, (self.model, method, step, keys, self._parameters_set, self.save())

    def copy(self):
        """Another sim in the same state."""
        function, arguments = self.__reduce__()
        return function(*arguments)

    # Dynamics -------------------------------------------------------------------------------

    def rate(self, state=None, smooth=False):
        """z' = f(z, u) for z = [q, v, y]; None: the present one. smooth: without set-valued laws."""
        out = np.empty(self.q.size + self.v.size + self.y.size)
        given = None if state is None else np.ascontiguousarray(state, dtype=float)
        self._rate(given, smooth, out)
        return out

    def linearize(self, smooth=False):
        """A and B of z' = A dz + B du at the present state; inputs in the order of model.inputs."""
        n = self.q.size + self.v.size + self.y.size
        a, b = np.empty((n, n)), np.empty((n, len(self.model.inputs)))
        self._linearize(smooth, a, b)
        return a, b

    def _tree_id(self, tree):
        links = [b.name for b in self.model.bodies if b.type == "link"]
        trees = list(dict.fromkeys(name.partition(".")[0] for name in links))
        if tree is None and len(trees) == 1:
            tree = trees[0]
        found = 0 if tree is None else self.model._tree(tree)
        if found == 0:
            what = "which tree?" if tree is None else f"no tree '{tree}';"
            raise KeyError(f"{what} the machine has {', '.join(trees) or 'none'}")
        return found

    def mass_matrix(self, tree=None):
        """M of a tree (None: of the only one) at the present state."""
        n = self._tree_size(self._tree_id(tree))[2]
        out = np.empty((n, n))
        self._tree(0, self._tree_id(tree), np.empty(0), out)
        return out

    def inverse_dynamics(self, tree=None, acceleration=None):
        """Generalized forces that give these accelerations, at the present state."""
        n = self._tree_size(self._tree_id(tree))[2]
        given = np.zeros(n) if acceleration is None else np.ascontiguousarray(acceleration, float)
        out = np.empty(n)
        self._tree(1, self._tree_id(tree), given, out)
        return out

    def bias(self, tree=None):
        """Generalized forces of gravity and velocities: inverse dynamics at no acceleration."""
        return self.inverse_dynamics(tree)

    def forward_dynamics(self, tree, forces):
        """Accelerations that generalized forces give, without the forces of laws."""
        out = np.empty(self._tree_size(self._tree_id(tree))[2])
        self._tree(2, self._tree_id(tree), np.ascontiguousarray(forces, float), out)
        return out

    def jacobian(self, tree, link, point=(0.0, 0.0, 0.0)):
        """6 x nv of a point of a link: angular, then linear; world axes."""
        out = np.empty((6, self._tree_size(self._tree_id(tree))[2]))
        body = self.model._body_ids[f"{tree}.{link}"]
        self._jacobian(self._tree_id(tree), body, *map(float, point), out)
        return out

    def __repr__(self):
        return f"<holdfast.Sim of '{self.model.name}' by {self.method}, t = {self.time:g} s>"


def _restored(model, method, step, keys, parameters, state):
    sim = Sim(model, method, step, parameters=parameters, **keys)
    sim.restore(state)
    return sim


def _progress(progress, begin, end):
    """A bar and the function that moves it."""
    if progress is None or progress is False:
        return None, None
    if callable(progress):
        return None, progress
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None, None
    bar = tqdm(total=round(end - begin, 6), unit="s", unit_scale=True)
    return bar, lambda t: bar.update(t - begin - bar.n)
