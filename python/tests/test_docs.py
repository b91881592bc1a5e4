# SPDX-License-Identifier: Apache-2.0
"""The snippets of docs/python.md run, one after the other, as they are printed; the examples too."""
import re
import runpy
import subprocess
import sys

import pytest
from conftest import ROOT


def test_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    snippets = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(snippets) >= 10
    names = {}
    for snippet in snippets:
        exec(compile(snippet, "docs/python.md", "exec"), names)
    said = capsys.readouterr().out
    assert "<holdfast.Sim of 'arm' by timestep" in said and "bad.yaml:2:" in said
    assert (tmp_path / "arm.csv").exists()


@pytest.mark.parametrize("name, said", [("from-mujoco", "[1 1 1 1]"), ("from-modelica", "0.0 0.0")])
def test_pages_of_translations(name, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    for snippet in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S):
        exec(compile(snippet, f"docs/{name}.md", "exec"), {})
    assert said in capsys.readouterr().out


def test_reference_and_tutorial_are_current():
    pytest.importorskip("matplotlib")
    script = ROOT / "scripts" / "docs-python.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, "scripts/docs-python.py makes them anew:\n" + done.stdout + done.stderr


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "python").glob("*.py")),
                         ids=lambda path: path.stem)
def test_examples(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    runpy.run_path(str(path), run_name="__main__")
