# SPDX-License-Identifier: Apache-2.0
"""An inverted pendulum on a cart: linearized, stabilized by LQR (the Riccati equation by the
Hamiltonian's eigenvectors, with numpy alone), then simulated with friction that the linear model does
not know."""
import numpy as np

import holdfast as hf

model = hf.Model("""
name: cart and pole
gravity: [0, 0, -9.81]
method: {type: rk4-tau, step: 1e-3}
signals:
  push: {input: 0}
bodies:
  cart:
    type: tree
    joints:
      rail: {type: prismatic, axis: [1, 0, 0], mass: 1}
      pole: {type: revolute, parent: rail, axis: [0, 1, 0], mass: 0.2, center: [0, 0, 0.4],
             inertia: [0.01, 0.01, 0.01]}
forces:
  - {name: drive, on: cart.rail, type: force, value: push}
  - {name: rail-friction, on: cart.rail, type: friction, law: stiction, level: 0.2, stiffness: 1e4, damping: 50}
""")

# The linear model, without the friction and its inner state
s = hf.Sim(model, parameters={"rail-friction.level": 0.0})
A, B = (m[:4] for m in s.linearize())
A = A[:, :4]
Q, R = np.diag([10.0, 10.0, 1.0, 1.0]), np.array([[1.0]])
H = np.block([[A, -B @ np.linalg.inv(R) @ B.T], [-Q, -A.T]])
values, vectors = np.linalg.eig(H)
stable = vectors[:, values.real < 0]
P = np.real(stable[4:] @ np.linalg.inv(stable[:4]))
K = np.linalg.inv(R) @ B.T @ P

s = hf.Sim(model)
pole = model.bodies[[b.name for b in model.bodies].index("cart.pole")]
start = np.zeros(2)
start[pole.position] = 0.1
s.set_state(start, np.zeros(2))
while s.time < 10:
    s.inputs["push"] = -(K @ np.concatenate([s.q, s.v])).item()
    s.step()
print(f"after 10 s: q = {s.q}, v = {s.v}; verdict {s.verdict}")
assert abs(s.q[pole.position]) < 0.05
