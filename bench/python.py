# SPDX-License-Identifier: Apache-2.0
"""What Python adds to a step, and what rollouts lose: bench/python.py, with the package on the path.

Times are of the processor, of all threads together: other programs on the machine hardly count. Each
figure is the best of several repetitions, which take turns; the C loop is Sim.steps, one call for all
steps."""
import os
import pathlib
import sys
import time

import numpy as np

import holdfast as hf

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPEC = """
name: two links
gravity: [0, 0, -9.81]
method: {type: rk4-tau, step: 1e-3}
signals:
  shoulder: {input: 0}
  elbow: {input: 0}
bodies:
  arm:
    type: tree
    joints:
      shoulder: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.15, 0, 0], inertia: [0.01, 0.01, 0.01]}
      elbow: {type: revolute, parent: shoulder, offset: [0.3, 0, 0], axis: [0, 1, 0], mass: 0.7, center: [0.1, 0, 0],
              inertia: [0.005, 0.005, 0.005]}
forces:
  - {name: shoulder-drive, on: arm.shoulder, type: force, value: shoulder}
  - {name: elbow-drive, on: arm.elbow, type: force, value: elbow}
  - {name: shoulder-friction, on: arm.shoulder, type: friction, law: stiction, level: 0.5, stiffness: 1e4, damping: 50}
  - {name: elbow-friction, on: arm.elbow, type: friction, law: stiction, level: 0.3, stiffness: 1e4, damping: 50}
"""


MASS = """
name: a mass with friction
method: {type: rk4, step: 1e-3}
signals: {pull: {input: 0}}
bodies: {block: {type: mass, dim: 1, mass: 1, position: 0.5}}
forces:
  - {name: drive, on: block, type: force, value: pull}
  - {name: spring, on: block, type: spring, stiffness: 90}
  - {name: floor, on: block, type: friction, law: stiction, level: 2, stiffness: 1e4, damping: 50}
"""


def seconds(function, *arguments):
    begin = time.process_time()
    function(*arguments)
    return time.process_time() - begin


def best(repetitions, *functions):
    """The least time of each, with turns taken."""
    least = [np.inf] * len(functions)
    for _ in range(repetitions):
        for i, function in enumerate(functions):
            least[i] = min(least[i], seconds(function))
    return least


def overheads(model, count=50000, repetitions=9):
    s = hf.Sim(model)

    def c_loop():
        s.reset()
        s.steps(count)

    def python_loop():
        s.reset()
        step = s.step
        for _ in range(count):
            step()

    def controlled():
        s.reset()
        step, inputs, q, v = s.step, s.inputs, memoryview(s.q), memoryview(s.v)
        for _ in range(count):
            inputs["shoulder"] = 40.0 * (0.5 - q[0]) - 4.0 * v[0]
            step()

    def bare():
        for _ in range(count):
            pass

    c, python, control, loop = best(repetitions, c_loop, python_loop, controlled, bare)
    print(f"step in C            {1e9 * c / count:8.0f} ns")
    print(f"s.step() adds        {1e9 * (python - c - loop) / count:8.0f} ns")
    print(f"PD controller adds   {1e9 * (control - c - loop) / count:8.0f} ns")


def rollouts(model, n=1000, samples=1000, repetitions=3):
    s = hf.Sim(model)
    inputs = np.zeros((n, samples, len(model.inputs)))
    changing = np.random.default_rng(1).normal(size=inputs.shape)

    def c_loop():
        s.reset()
        s.steps(n * samples // 10)

    def one():
        hf.rollout(model, inputs, threads=1)

    threads = os.cpu_count() or 1

    def all_cores():
        hf.rollout(model, inputs, threads=threads)

    def other_inputs():
        hf.rollout(model, changing, threads=threads)

    c, single, many, other = best(repetitions, c_loop, one, all_cores, other_inputs)
    rate = n * samples / 10 / c
    print(f"steps in C           {rate:8.3g} /s")
    print(f"rollout, 1 thread    {n * samples / single:8.3g} /s  ({n * samples / single / rate:.2f} of C)")
    print(f"rollout, {threads} threads   {n * samples / many:8.3g} /s  ({n * samples / many / rate:.2f} of C a core)")
    print(f"... inputs change    {n * samples / other:8.3g} /s  ({n * samples / other / rate:.2f} of C a core)")


if __name__ == "__main__":
    arm = hf.Model(SPEC)
    quick = "--quick" in sys.argv
    overheads(arm, *((5000, 2) if quick else ()))
    for machine in (arm, hf.Model(MASS)):
        print(machine.name)
        rollouts(machine, *((20, 100, 1) if quick else ()))
