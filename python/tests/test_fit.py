# SPDX-License-Identifier: Apache-2.0
"""Fits from Python: numbers of a machine come back from its own logs, with true messages."""
import math

import numpy as np
import pytest

import holdfast as hf

SLIDE = """
method: {type: discrete, step: 5e-3}
parameters: {m: 1.2, fc: 3, fv: 0.8, idle: 5}
bodies: {block: {type: mass, dim: 1, mass: m}, spare: {type: mass, dim: 1, mass: idle}}
signals: {drive: {input: 0}}
forces:
  - {name: motor, on: block, type: force, value: drive}
  - {name: pad, on: block, type: friction, law: coulomb, level: {coulomb: fc, viscous: fv}}
"""


def record(seconds=4.0, noise=1e-4, seed=1, shift=0.0, **parameters):
    """A log of the machine: what its drive was told, and where it was."""
    model = hf.Model(SLIDE, {f"parameters.{k}": v for k, v in parameters.items()})
    sim, random = hf.Sim(model), np.random.default_rng(seed)
    time = 0.005 * np.arange(round(seconds / 0.005) + 1)
    drive = 6 * np.sin(2 * time) + 4 * np.sin(5.3 * time + 1) + 3 * np.sin(11 * time)
    position = np.empty_like(time)
    for k, t in enumerate(time):
        position[k] = sim.q[0] + shift
        sim.inputs["drive"] = drive[k]
        if k + 1 < len(time):
            sim.advance(time[k + 1])
    return {"time": time, "u": drive, "y": position + noise * random.standard_normal(len(time))}


@pytest.fixture(scope="module")
def found():
    first = hf.Model(SLIDE, {"parameters.m": 1.0, "parameters.fc": 2.4, "parameters.fv": 0.5})
    return hf.fit(first, [record(seed=1)], validate=[record(2.0, seed=2)], inputs={"drive": "u"},
                  match={"block.position": "y"}, free=["m", "fc", "fv"])


def test_numbers_come_back(found):
    assert found.converged and not found.stopped
    for name, truth in (("m", 1.2), ("fc", 3.0), ("fv", 0.8)):
        p = found.parameters[name]
        assert abs(p.value - truth) <= 2 * p.half_width and p.half_width < 0.3 * truth
        assert p.determined == "by the logs" and found[name] == p.value
    assert found.correlations.shape == (3, 3) and np.allclose(np.diag(found.correlations), 1)


def test_logs_and_residuals(found):
    train, judge = found.logs
    assert not train.validation and judge.validation and train.channel == "block.position"
    assert abs(train.errors.rms - np.sqrt(np.mean(train.residuals**2))) < 1e-12
    assert 0.8e-4 < train.errors.rms < 1.2e-4 and judge.errors.rms < 4e-4
    assert len(train.time) == len(train.measured) == len(train.whole) == 801


def test_fitted_model(found):
    m = found.model.parameters["m"].value
    assert abs(m - found["m"]) < 1e-6  # rounded in the text
    assert "idle: 5" in found.text
    assert "m " in str(found) and found.verdict in str(found)
    assert len(found.to_pandas()) == 3 if _has("pandas") else True


def _has(name):
    import importlib.util
    return importlib.util.find_spec(name) is not None


def test_same_as_from_a_file(tmp_path, found):
    log = record(seed=1)
    path = tmp_path / "run.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("time,u,y\n")
        file.writelines(f"{t!r},{u!r},{y!r}\n" for t, u, y in
                        zip(*(log[c].tolist() for c in ("time", "u", "y"))))
    first = hf.Model(SLIDE, {"parameters.m": 1.0, "parameters.fc": 2.4, "parameters.fv": 0.5})
    again = hf.fit(first, path, inputs={"drive": "u"}, match={"block.position": "y"},
                   free=["m", "fc", "fv"], jobs=1)
    assert again["m"] == found["m"] and again["fc"] == found["fc"]


def test_delay_offset_bounds_and_priors():
    log = record(shift=0.02)
    log["u"] = np.concatenate([log["u"][2:], log["u"][-2:]])  # told 10 ms early
    f = hf.fit(hf.Model(SLIDE), log, inputs={"drive": ("u", "free")},
               match={"block.position": ("y", 1e-4)}, offsets="block.position",
               free={"m": {"low": 0.5, "high": 1.1, "start": 1.0}, "fv": {"start": 0.6, "prior": (0.8, 0.01)}}, iterations=20)
    assert f.parameters["m"].determined == "at its upper bound" and any("bound" in s for s in f.messages)
    assert f.parameters["fv"].start == 0.6
    f = hf.fit(hf.Model(SLIDE), log, inputs={"drive": ("u", "free")}, match={"block.position": "y"},
               free={"m": {"logarithmic": True}})
    assert abs(f["delay of drive"] - 0.01) < 1e-3


def test_what_cannot_be_known():
    f = hf.fit(hf.Model(SLIDE), record(2.0), inputs={"drive": "u"}, match={"block.position": "y"},
               free=["m", "idle"])
    assert f.parameters["idle"].determined.startswith("not at all")
    assert any("idle" in message for message in f.messages)


def test_progress_ends_it():
    calls = []

    def progress(iteration, rms, simulations):
        calls.append((iteration, rms, simulations))
        return iteration < 1
    f = hf.fit(hf.Model(SLIDE, {"parameters.m": 1.0}), record(2.0), inputs={"drive": "u"},
               match={"block.position": "y"}, free="m", progress=progress)
    assert f.stopped and calls and all(math.isfinite(c[1]) for c in calls)
    with pytest.raises(ZeroDivisionError):
        hf.fit(hf.Model(SLIDE), record(2.0), inputs={"drive": "u"}, match={"block.position": "y"},
               free="m", progress=lambda *a: 1 / 0)


def test_messages():
    log, kept = record(2.0), dict(inputs={"drive": "u"}, match={"block.position": "y"}, free="m")
    for change, words in (({"free": "mass"}, "mass"), ({"free": []}, "nothing is free"),
                          ({"match": {"block.place": "y"}}, "block.place"),
                          ({"inputs": {"drive": "voltage"}}, "voltage"), ({"hold": "cubic"}, "hold"),
                          ({"free": {"m": {"lower": 1}}}, "lower"), ({"offsets": "pad.force"}, "pad.force"),
                          ({"inputs": {"drive": ("u", "soon")}}, "soon")):
        with pytest.raises(ValueError, match=words):
            hf.fit(hf.Model(SLIDE), log, **{**kept, **change})
    with pytest.raises(ValueError, match="times must rise"):
        hf.fit(hf.Model(SLIDE), {**log, "time": log["time"][::-1]}, **kept)
    with pytest.raises(ValueError, match="not finite at row 3"):
        hf.fit(hf.Model(SLIDE), {**log, "y": np.where(np.arange(len(log["y"])) == 3, np.nan, log["y"])}, **kept)
    with pytest.raises(hf.Error, match="nowhere.csv"):
        hf.fit(hf.Model(SLIDE), "nowhere.csv", **kept)
    with pytest.raises(TypeError, match="log 1"):
        hf.fit(hf.Model(SLIDE), [7], **kept)
