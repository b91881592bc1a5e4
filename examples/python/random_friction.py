# SPDX-License-Identifier: Apache-2.0
"""200 arms, each with other friction and another start, in all cores: where do they end?"""
import numpy as np

import holdfast as hf

model = hf.Model("""
name: pendulum
gravity: [0, 0, -9.81]
method: {type: timestep, step: 2e-3}
bodies:
  arm:
    type: tree
    joints:
      pin: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0, 0, -0.3], inertia: [0.01, 0.01, 0.01]}
forces:
  - {name: bearing, on: arm.pin, type: friction, law: coulomb, level: 0.3}
""")
random = np.random.default_rng(7)
n = 200
level = random.uniform(0.15, 0.6, n)
r = hf.rollout(model, n=n, samples=100, every=50, parameters={"bearing.level": level},
               states=np.column_stack([random.uniform(-1.5, 1.5, n), np.zeros(n)]))
end = r["arm.pin.position"][:, -1]
at_rest = r["arm.pin.velocity"][:, -1] == 0.0
# At rest the weight is within the level: m g l |sin q| <= F
held = np.abs(9.81 * 0.3 * np.sin(end)) <= level * (1 + 1e-6)
print(f"{at_rest.sum()} of {n} at rest exactly, mean |angle| {np.abs(end).mean():.3f} rad")
assert at_rest.mean() > 0.9 and held[at_rest].all()
