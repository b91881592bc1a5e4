# SPDX-License-Identifier: Apache-2.0
"""Recordings and what they turn into."""
import re

import numpy as np
import pytest

import holdfast as hf


@pytest.fixture
def recording(block):
    s = hf.Sim(block)
    s.inputs["pull"] = 30.0
    return s.run(1.0, every=2)


def test_arrays(recording):
    assert len(recording) == 501 and recording.time[1] == pytest.approx(2e-3)
    assert recording["floor.mode"].shape == (501,)
    assert recording["floor"].shape == (2, 501)
    assert recording.units["block.velocity"] == "m/s"
    with pytest.raises(KeyError, match="not recorded"):
        recording["spring.force"]
    assert recording.verdict.trustworthy and "trustworthy" in repr(recording)


def test_pandas_and_xarray(recording):
    frame = pytest.importorskip("pandas") and recording.to_pandas()
    assert frame.index.name == "time" and frame.attrs["units"]["floor.force"] == "N"
    assert frame["block.position"].iloc[-1] == recording["block.position"][-1]
    pytest.importorskip("xarray")
    data = recording.to_xarray()
    assert data["block.velocity"].attrs["units"] == "m/s" and data.sizes["time"] == 501


def test_csv_reads_back(recording, tmp_path):
    recording.to_csv(tmp_path / "run.csv")
    back = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True, deletechars="")
    assert (back["time"] == recording.time).all()
    assert (back["blockposition" if "blockposition" in back.dtype.names else "block.position"]
            == recording["block.position"]).all()


def test_plot(recording, tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = recording.plot("block.position", "floor.force")
    assert len(axes) == 2 and axes[0].get_ylabel() == "[m]"
    axes[0].figure.savefig(tmp_path / "run.png")


def test_page(recording, tmp_path):
    try:
        recording.report(tmp_path / "run.html", label="mine")
    except hf.Error as problem:
        pytest.skip(str(problem))
    page = (tmp_path / "run.html").read_text()
    assert "block.position" in page and len(page) > 100000
    inline = recording._repr_html_()
    assert inline.startswith("<iframe srcdoc=") and not re.search(r'srcdoc="[^"]*<', inline)


def test_progress(block):
    seen = []
    hf.Sim(block, step=1e-5).run(3.0, every=1000, progress=seen.append, pictures=False)
    assert seen and seen == sorted(seen) and seen[-1] == pytest.approx(3.0)
    hf.Sim(block).run(0.1, progress=True)
