# SPDX-License-Identifier: Apache-2.0
"""Holdfast: machines whose friction really sticks.

    import holdfast as hf
    m = hf.load("arm.yaml")
    s = hf.Sim(m, method="timestep", step=1e-3)
    while s.time < 10:
        s.inputs["motor"] = 40 * (0.5 - s.q[0]) - 4 * s.v[0]
        s.step()
    r = s.run(until=20, record=["*.position", "bearing.mode"])
"""
from ._holdfast import Error, version as __version__
from .fit import Fit, FitError, FitLog, FitParameter, fit
from .model import Model, Spec, load
from .recording import Recording
from .rollout import Rollout, rollout
from .sim import Sim
from .sweep import Table, sweep
from . import laws

__all__ = ["Error", "Fit", "FitError", "FitLog", "FitParameter", "Model", "Recording", "Rollout", "Sim", "Spec", "Table", "fit",
           "laws", "load", "rollout", "sweep"]
