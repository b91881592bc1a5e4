# SPDX-License-Identifier: Apache-2.0
"""Every public name of the package has its types in a stub, with the arguments that it really takes."""
import ast
import inspect
import pathlib

import pytest

import holdfast
import holdfast.gym
import holdfast.laws

FOLDER = pathlib.Path(holdfast.__file__).parent
BUILTIN = set(dir(ValueError)) | set(dir(dict)) | set(dir(tuple))


def stub_of(module):
    name = "__init__" if module is holdfast else module.__name__.split(".")[-1]
    tree = ast.parse((FOLDER / f"{name}.pyi").read_text(encoding="utf-8"))
    return {n.name: n for n in tree.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))} | \
        {n.target.id: n for n in tree.body if isinstance(n, ast.AnnAssign)}


def public(module):
    names = getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]
    for name in names:
        thing = getattr(module, name)
        own = (getattr(thing, "__module__", None) or "holdfast").startswith(("holdfast", "_holdfast"))
        if not inspect.ismodule(thing) and own:
            yield name, thing


def arguments_of(stub):
    a = stub.args
    return [x.arg for x in a.posonlyargs + a.args + ([a.vararg] if a.vararg else []) + a.kwonlyargs
            + ([a.kwarg] if a.kwarg else [])]


def check_arguments(thing, stub, where):
    try:
        real = [n for n in inspect.signature(thing).parameters if n == "_" or not n.startswith("_")]
    except (TypeError, ValueError):
        return  # of C, without a signature
    typed = arguments_of(stub)
    assert real in (typed, typed[1:]), f"{where} takes {real}, its stub says {typed}"


@pytest.mark.parametrize("module", [holdfast, holdfast.laws, holdfast.gym], ids=lambda m: m.__name__)
def test_everything_is_typed(module):
    stub = stub_of(module)
    for name, thing in public(module):
        assert name in stub, f"{module.__name__}.{name} has no types"
        assert thing.__doc__ or not callable(thing), f"{name} has no docstring"
        if inspect.isfunction(thing):
            check_arguments(thing, stub[name], name)
        if not inspect.isclass(thing):
            continue
        members = {n.name: n for n in stub[name].body if isinstance(n, ast.FunctionDef)}
        fields = {n.target.id for n in stub[name].body if isinstance(n, ast.AnnAssign)}
        for member in dir(thing):
            if member.startswith("_") or (issubclass(thing, (Exception, dict, tuple)) and member in BUILTIN):
                continue
            assert member in members or member in fields, f"{name}.{member} has no types"
            if member in members and inspect.isroutine(getattr(thing, member)):
                check_arguments(getattr(thing, member), members[member], f"{name}.{member}")
                assert getattr(thing, member).__doc__, f"{name}.{member} has no docstring"
