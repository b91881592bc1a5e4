# SPDX-License-Identifier: Apache-2.0
"""Recordings: what a run left."""
import html
import os
import tempfile

import numpy as np

from . import _holdfast


class Recording:
    """Channels over time. r["elbow.position"] is an array; r.time the times [s].

    channels  names, in order     units  by name       data  [channels, samples]
    events    located events      verdict  whether the run can be trusted
    """

    def __init__(self, model, ids, result, events, verdict):
        time, data, self.stopped_at_event, self._scene, self._summary, frames = result
        self.model, self.events, self.verdict = model, events, verdict
        self.channels = [model.channels[i - 1].name for i in ids]
        self.units = {model.channels[i - 1].name: model.channels[i - 1].unit for i in ids}
        self.time = np.frombuffer(time)
        self.data = np.ascontiguousarray(np.frombuffer(data).reshape(len(self.time), len(ids)).T)
        self.data.flags.writeable = False
        self._frames = frames

    def __getitem__(self, name):
        """A channel over time; of a group ("sphere.position") [parts, samples]; "time"."""
        if name in self.units:
            return self.data[self.channels.index(name)]
        rows = [i for i, c in enumerate(self.channels) if c.startswith(name + ".")]
        if name == "time":
            return self.time
        if not rows:
            raise KeyError(f"'{name}' was not recorded; recorded: {', '.join(self.channels[:12])}")
        return self.data[rows]

    def __len__(self):
        return len(self.time)

    def __contains__(self, name):
        return name in self.units

    def keys(self):
        """Names of the channels."""
        return list(self.channels)

    def to_pandas(self):
        """A DataFrame whose index is the time."""
        import pandas
        index = pandas.Index(self.time, name="time")
        frame = pandas.DataFrame(self.data.T, index=index, columns=self.channels)
        frame.attrs["units"] = dict(self.units)
        return frame

    def to_xarray(self):
        """A Dataset of one variable a channel over the dimension time, with units."""
        import xarray
        variables = {c: ("time", self.data[i], {"units": self.units[c]})
                     for i, c in enumerate(self.channels)}
        time = ("time", self.time, {"units": "s"})
        return xarray.Dataset(variables, coords={"time": time}, attrs={"title": self.model.name})

    def to_csv(self, path):
        """The file that `holdfast run -o` writes: every number reads back to the same double."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(",".join(["time"] + self.channels) + "\n")
            for row in np.vstack([self.time, self.data]).T:
                file.write(",".join(map(repr, row.tolist())) + "\n")

    def plot(self, *names, axes=None):
        """Curves by matplotlib, channels of one unit in one panel. Returns the axes."""
        import matplotlib.pyplot as plt
        names = list(names) or self.channels
        chosen = [c for n in names for c in ([n] if n in self.units else
                                            [c for c in self.channels if c.startswith(n + ".")])]
        units = list(dict.fromkeys(self.units[c] for c in chosen))
        if axes is None:
            _, axes = plt.subplots(len(units), 1, sharex=True, squeeze=False,
                                   figsize=(8, 2.2 * len(units)), layout="constrained")
            axes = axes[:, 0]
        axes = np.atleast_1d(axes)
        for panel, unit in zip(axes, units):
            for c in chosen:
                if self.units[c] == unit:
                    panel.plot(self.time, self[c], label=c)
            panel.set_ylabel(f"[{unit}]" if unit else "[-]")
            panel.legend(loc="best", fontsize="small")
        axes[-1].set_xlabel("time [s]")
        return axes

    def _page_tuple(self, label):
        frames = self._frames
        return (label, self.model.name, self.model.text, self.channels,
                [self.units[c] for c in self.channels], self._scene, self._summary, self.time,
                self.data) + tuple(frames)

    def report(self, path, label=None):
        """Writes one HTML page to look at and to send: curves, energy, the machine in 3-D."""
        _holdfast.write_page(os.fspath(path), [self._page_tuple(label or self.model.name)])

    def page(self):
        """The same page as text."""
        folder = tempfile.mkdtemp(prefix="holdfast-")
        path = os.path.join(folder, "page.html")
        try:
            self.report(path)
            with open(path, encoding="utf-8") as file:
                return file.read()
        finally:
            if os.path.exists(path):
                os.remove(path)
            os.rmdir(folder)

    def _repr_html_(self):
        try:
            page = self.page()
        except _holdfast.Error:  # the page was not built in
            rows = "".join(f"<tr><td>{html.escape(c)}</td><td>{self.data[i, -1]:.6g} "
                           f"{html.escape(self.units[c])}</td></tr>"
                           for i, c in enumerate(self.channels))
            return f"<p>{html.escape(repr(self))}</p><table>{rows}</table>"
        return (f'<iframe srcdoc="{html.escape(page, quote=True)}" '
                'style="width:100%;height:640px;border:0"></iframe>')

    def __repr__(self):
        trusted, why, within = self.verdict
        said = ("trustworthy" + (f" within {within}" if within else "") if trusted else
                f"doubtful: {why}")
        return (f"<holdfast.Recording of '{self.model.name}': {len(self.channels)} channels, "
                f"{len(self.time)} samples, {self.time[0]:g} to {self.time[-1]:g} s, {said}>")
