# SPDX-License-Identifier: Apache-2.0
"""A PD controller moves an arm with friction in its joint: without an integral part it stops where
the friction holds it, and stays there exactly."""
import holdfast as hf

spec = hf.Spec("arm", gravity=[0, 0, -9.81], method={"type": "timestep", "step": 1e-3})
spec.signals["motor"] = {"input": 0}
spec.bodies["arm"] = {"type": "tree", "joints": {"elbow": {
    "type": "revolute", "axis": [0, 1, 0], "mass": 1.0, "center": [0.2, 0, 0],
    "inertia": [0.01, 0.01, 0.01]}}}
spec.force("torque", on="arm.elbow", type="force", value="motor")
spec.force("bearing", on="arm.elbow", type="friction", law="coulomb", level=0.3)

s = hf.Sim(spec.compile())
q, v, inputs = s.q, s.v, s.inputs
while s.time < 5:
    inputs["motor"] = 40 * (0.5 - q[0]) - 4 * v[0]
    s.step()
print(f"elbow at {q[0]:.4f} rad, {v[0]:.1e} rad/s, held by {float(s['bearing.force']):.3f} Nm")
assert v[0] == 0.0
