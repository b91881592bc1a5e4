#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pages of the Python package anew, from what it says and does.

    PYTHONPATH=build/python scripts/docs-python.py [--check]

docs/python-api.md        the reference, from docstrings
docs/python-tutorial.md   every ```python block is run, one after the other; the ```text block behind
                          it becomes what it printed, and figures are drawn
--check changes nothing: it prints what differs, and ends with 1.
"""
import contextlib
import difflib
import inspect
import io
import os
import pathlib
import re
import sys
import tempfile

os.environ["MPLBACKEND"] = "Agg"
import holdfast as hf  # noqa: E402
import holdfast.gym  # noqa: E402

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
HEAD = """# Python: reference

Made from the docstrings by `scripts/docs-python.py`. [Python](python.md) explains the package by its uses, the
[tutorial](python-tutorial.md) by an example.
"""


def _signature(thing):
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        text = "()"
    return re.sub(r"\(self(, )?", "(", re.sub(r", _\w+=\w+", "", text))


def _prose(thing):
    """A docstring as Markdown: paragraphs as they are, indented tables as code."""
    text = inspect.getdoc(thing) or ""
    parts = []
    for block in text.split("\n\n"):
        lines = block.split("\n")
        table = all(re.match(r"\s{2,}|\S+( \S+)*(, \S+)*\s{2,}\S", line) for line in lines)
        parts.append("\n".join("    " + line for line in lines) if table else block)
    return "\n\n".join(parts)


def _members(cls):
    for name, thing in inspect.getmembers(cls):
        if name.startswith("_") and name not in ("__getitem__",):
            continue
        owner = next((c for c in cls.__mro__ if name in vars(c)), None)
        if owner is None or not owner.__module__.startswith("holdfast"):
            continue
        if isinstance(vars(owner)[name], property) or inspect.isdatadescriptor(vars(owner)[name]):
            yield f"`{name}`", thing
        elif callable(thing):
            yield f"`{name}{_signature(thing)}`", thing


def _class(name, cls):
    lines = [f"\n## {name}\n", f"    {name}{_signature(cls)}\n", _prose(cls), ""]
    rows = [(title, " ".join((inspect.getdoc(thing) or "").split())) for title, thing in _members(cls)]
    nothing = [title for title, text in rows if not text]
    if nothing:
        raise SystemExit(f"{name}: no docstring: {', '.join(nothing)}")
    if rows:
        lines += ["| | |", "|---|---|"]
        lines += [f"| {title.replace('|', chr(92) + '|')} | {text.replace('|', chr(92) + '|')} |" for title, text in rows]
    return "\n".join(lines).rstrip() + "\n"


def _function(name, function):
    return f"\n## {name}\n\n    {name}{_signature(function)}\n\n{_prose(function)}\n"


def reference():
    parts = [HEAD]
    for name in ("load", "Model", "Spec", "Sim", "Recording", "rollout", "Rollout", "sweep", "Table", "fit", "Fit", "FitLog", "Error"):
        thing = getattr(hf, name)
        parts.append((_class if inspect.isclass(thing) else _function)(f"holdfast.{name}", thing))
    for name in ("Env", "VectorEnv"):
        parts.append(_class(f"holdfast.gym.{name}", getattr(holdfast.gym, name)))
    parts.append(_class("holdfast.laws.Law", hf.laws.Law))
    parts.append("\nLaws, each a function of its parameters that gives a Law:\n\n| | |\n|---|---|\n")
    for name in hf.laws.names():
        made = getattr(hf.laws, name)
        phrase, *keys = [line for line in inspect.getdoc(made).split("\n") if line]
        words = ", ".join(line.split("  ")[0] for line in keys)
        parts.append(f"| `laws.{name}` | {phrase.replace('|', chr(92) + '|')}{': ' + words if words else ''} |\n")
    return "".join(parts)


def tutorial(page, figures):
    """The page with its outputs as they are now; figures are written into a folder."""
    names = {"FIGURES": str(figures)}
    out, place = [], 0
    for match in re.finditer(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", page, re.M | re.S):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(compile(match[1], "docs/python-tutorial.md", "exec"), names)
        out.append(page[place:match.start()] + f"```python\n{match[1]}```\n")
        if said.getvalue():
            out.append(f"\n```text\n{said.getvalue()}```\n")
        place = match.end()
    return "".join(out) + page[place:]


def main():
    check = "--check" in sys.argv[1:]
    path = DOCS / "python-tutorial.md"
    figures = pathlib.Path(tempfile.mkdtemp()) if check else DOCS / "figures"
    pages = {DOCS / "python-api.md": reference(),
             path: tutorial(path.read_text(encoding="utf-8"), figures)}
    wrong = 0
    for path, text in pages.items():
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if check and old != text:
            wrong = 1
            sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), text.splitlines(True),
                                                       f"{path.name} (is)", f"{path.name} (should be)", n=1))
        elif not check:
            path.write_text(text, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
