# SPDX-License-Identifier: Apache-2.0
"""The fit of bench-fit as a program in Python would do it: scipy's least_squares around simulations
by the library's C functions, called by ctypes. Two threads share the logs; calls leave the
interpreter's lock.

    fit.py LIBRARY MODEL FOLDER SUM

Where it ends far above SUM, the sum of squares [rad^2] that can be reached, it goes on from there
with narrower secants. Last it prints `python`, its seconds of processors and its sum of squares,
at its first end and at its last."""
import ctypes
import pathlib
import re
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.optimize import least_squares

# Secants as parts of the unknowns, one search after the other, as hf_fit_run has them; and the sum of squares, as a
# factor of the wanted one, with which it is content.
SECANTS = [0.05, 0.005, 0.0002]
NEAR = 1.01
NAMES = ["armature", "kt", "R", "offset", "forth", "back", "viscous"]


class List(ctypes.Structure):
    _fields_ = [("values", ctypes.POINTER(ctypes.c_double)), ("count", ctypes.c_int)]


class Id(ctypes.Structure):
    _fields_ = [("id", ctypes.c_int)]


def declare(library):
    """The functions that are called, with their types."""
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double
    table = {
        "hf_spec_parse": (pointer, [text, ctypes.c_size_t, text, text, pointer, pointer]),
        "hf_spec_destroy": (None, [pointer]),
        "hf_spec_find_signal": (Id, [pointer, text]),
        "hf_spec_set_table": (ctypes.c_int, [pointer, Id, List, List, ctypes.c_bool, ctypes.c_bool, pointer]),
        "hf_model_compile": (pointer, [pointer, pointer]),
        "hf_model_destroy": (None, [pointer]),
        "hf_sim_create": (pointer, [pointer, pointer, pointer]),
        "hf_sim_destroy": (None, [pointer]),
        "hf_sim_advance": (ctypes.c_int, [pointer, number, ctypes.c_bool, pointer]),
        "hf_sim_positions": (ctypes.POINTER(number), [pointer]),
    }
    for name, (result, arguments) in table.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def as_list(values):
    return List(values.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), len(values))


def simulate(hf, text, log):
    """Positions at the log's times."""
    error = ctypes.create_string_buffer(4096)
    encoded = text.encode()
    spec = hf.hf_spec_parse(encoded, len(encoded), b"servo.yaml", None, None, error)
    for name in ("goal", "gain", "enabled"):
        signal = hf.hf_spec_find_signal(spec, name.encode())
        if hf.hf_spec_set_table(spec, signal, as_list(log["time"]), as_list(log[name]), True, False, error) < 0:
            raise RuntimeError("hf_spec_set_table")
    model = hf.hf_model_compile(spec, error)
    sim = hf.hf_sim_create(model, None, error)
    q = hf.hf_sim_positions(sim)
    advance, out = hf.hf_sim_advance, np.empty(len(log["time"]))
    for k, t in enumerate(log["time"].tolist()):
        if advance(sim, t, False, error) < 0:
            raise RuntimeError("hf_sim_advance")
        out[k] = q[0]
    hf.hf_sim_destroy(sim)
    hf.hf_model_destroy(model)
    hf.hf_spec_destroy(spec)
    return out


def main():
    library, model, folder, wanted = sys.argv[1:]
    hf = declare(ctypes.CDLL(library))
    text = pathlib.Path(model).read_text()
    line = re.search(r"^parameters: \{(.*)\}$", text, re.M)
    start = [float(re.search(rf"\b{name}: ([^,]*)", line.group(1)).group(1)) for name in NAMES]
    logs = [np.genfromtxt(f"{folder}/log-{i}.csv", delimiter=",", names=True) for i in range(16)]
    logs = [{name: np.ascontiguousarray(log[name]) for name in log.dtype.names} for log in logs]
    pool, runs = ThreadPoolExecutor(2), [0]

    def residuals(values):
        numbers = ", ".join(f"{name}: {value:.17g}" for name, value in zip(NAMES, values))
        changed = text.replace(line.group(0), f"parameters: {{{numbers}}}")
        runs[0] += len(logs)
        parts = pool.map(lambda log: simulate(hf, changed, log) - log["position"], logs)
        return np.concatenate(list(parts))

    # scipy's secants are parts of each unknown: the offset, whose first guess is 0, is counted from -0.02
    start = np.array(start)
    size = np.where(start == 0, 0.02, start)
    zero = np.where(start == 0, -0.02, 0.0)
    low = np.where(start == 0, -np.inf, 0.0)
    begin = time.process_time()
    at, ends = (start - zero) / size, []
    for secant in SECANTS:
        found = least_squares(lambda u: residuals(zero + size * u), at, jac="3-point", diff_step=secant, bounds=(low, np.inf))
        at = found.x
        ends.append((time.process_time() - begin, 2.0 * found.cost))
        values = ", ".join(f"{name} {value:.6g}" for name, value in zip(NAMES, zero + size * at))
        print(f"  scipy, secants of {secant}: {values}; sum of squares {ends[-1][1]:.4g}, {runs[0]} simulations, {found.message}")
        if ends[-1][1] <= NEAR * float(wanted):
            break
    print("python %.6g %.9g %.6g %.9g" % (*ends[0], *ends[-1]))


if __name__ == "__main__":
    main()
