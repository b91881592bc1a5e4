# SPDX-License-Identifier: Apache-2.0
"""Models and sims."""
import gc
import os
import pickle
import signal
import threading
import time
import weakref

import numpy as np
import pytest

import holdfast as hf


def test_the_issue_of_the_readme(arm):
    s = hf.Sim(arm, method="timestep", step=1e-3)
    while s.time < 4:
        s.inputs["motor"] = 40 * (0.5 - s.q[0]) - 4 * s.v[0]
        s.step()
    assert s.v[0] == 0.0 and abs(s.q[0] - 0.5) < 0.06
    r = s.run(until=4.5, record=["*.position", "bearing.mode"])
    assert r.channels == ["arm.elbow.position", "bearing.mode"]
    assert r.time[-1] == 4.5 and len(r) == 501


def test_views_are_the_memory_of_the_sim(block):
    s = hf.Sim(block)
    q, position = s.q, s["block.position"]
    assert position.shape == () and not q.flags.writeable
    assert np.shares_memory(q, position)
    s.inputs["pull"] = 30.0
    s.steps(300)
    assert q[0] > 0.01 and position == q[0] and s["block.velocity"] == s.v[0]
    force = s["floor.force"]
    assert force == pytest.approx(-4.0) and not np.shares_memory(q, force)
    with pytest.raises(ValueError):
        q[0] = 1.0
    assert len(s.values) == len(block.channels)
    # They outlive the sim
    del s
    gc.collect()
    assert q[0] > 0.01 and position == q[0]


def test_sims_are_freed(block):
    def cycle(s):
        kept.append(s)

    kept = []
    s = hf.Sim(block, controllers=[(0.1, cycle)])
    s.step()
    s.own = s
    gone = weakref.ref(s)
    kept.clear()
    del s
    gc.collect()
    assert gone() is None


def test_errors_have_a_place():
    with pytest.raises(hf.Error) as caught:
        hf.Model("bodies:\n  block: {type: mass, dim: 1, mass: -1}\n", label="bad.yaml")
    e = caught.value
    assert str(e).startswith("bad.yaml:2:") and "mass must be positive" in str(e)
    assert (e.file, e.line) == ("bad.yaml", 2) and e.column > 0 and "range" in e.status
    assert isinstance(e, ValueError)
    with pytest.raises(hf.Error, match="no-such.yaml"):
        hf.load("no-such.yaml")
    with pytest.raises(hf.Error, match="^parameters bodies.b.mas=2: "):
        hf.Model("bodies: {b: {type: mass, dim: 1, mass: 1}}\n", {"bodies.b.mas": 2})


def test_wrong_names(block):
    s = hf.Sim(block)
    with pytest.raises(KeyError, match="block.position"):
        s["block.positon"]
    with pytest.raises(KeyError, match="no input 'push'; there are .'pull'"):
        s.inputs["push"] = 1.0
    with pytest.raises(KeyError, match="matches"):
        s.run(0.1, record=["*.nothing"])
    with pytest.raises(ValueError, match="no method"):
        hf.Sim(block, method="magic")
    with pytest.raises(TypeError, match="no key"):
        hf.Sim(block, method="rk4", rtol=1e-3)
    for wrong in (-1.0, 0.0, float("inf")):
        with pytest.raises(hf.Error, match="step must be positive"):
            hf.Sim(block, step=wrong)
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="finite"):
            s.run(wrong)
        with pytest.raises(ValueError, match="finite"):
            s.advance(wrong)
    with pytest.raises(ValueError, match="every"):
        s.run(0.1, every=0)
    with pytest.raises(ValueError):
        s.steps(-1)
    assert len(s.run(0.0)) == 1 and len(s.run(-1.0)) == 1  # nothing to do
    with pytest.raises(hf.Error, match="rtol"):
        hf.Sim(block, method="adaptive", rtol=7)


@pytest.mark.parametrize("method", ["rk4", "rk4-tau", "discrete", "adaptive"])
def test_any_time(block, method):
    s = hf.Sim(block, method=method)
    s.inputs["pull"] = 30.0
    for t in (0.0101, 0.123456, 0.2):
        assert s.advance(t) is False
        assert s.time == pytest.approx(t, abs=1e-15)


def test_methods_agree(block):
    ends = []
    for method, step in (("rk4", 1e-4), ("adaptive", 1e-2), ("rk4-tau", 1e-4)):
        s = hf.Sim(block, method=method, step=step)
        s.inputs["pull"] = 30.0
        s.advance(1.0)
        ends.append(float(s.q[0]))
    assert max(ends) - min(ends) < 1e-4


def test_events(arm):
    s = hf.Sim(arm, method="switch", step=0.01)
    assert s.advance(5.0, stop_at_event=True)
    assert s.events and s.events[-1].force == "bearing"
    assert s.events[-1].time == pytest.approx(s.time)
    while s.advance(1.0, stop_at_event=True):
        pass
    whole = hf.Sim(arm, method="switch", step=0.01)
    whole.advance(1.0)
    assert s.time == whole.time and s.q[0] == pytest.approx(whole.q[0], abs=1e-7)
    s.reset()
    assert s.events == [] and s.time == 0.0


def test_save_restore_and_pickle_to_the_bit(arm):
    s = hf.Sim(arm)
    s.set_parameters({"bearing.level": 0.5})
    s.inputs["motor"] = 3.0
    s.steps(137)
    twin, bytes_ = pickle.loads(pickle.dumps(s)), s.save()
    assert s.copy().q[0] == s.q[0]
    s.steps(500)
    twin.steps(500)
    assert twin.q.tobytes() == s.q.tobytes() and twin.v.tobytes() == s.v.tobytes()
    end = s.q.tobytes()
    s.restore(bytes_)
    s.steps(500)
    assert s.q.tobytes() == end
    with pytest.raises(hf.Error):
        hf.Sim(arm).restore(bytes_)  # another level
    with pytest.raises(TypeError):
        pickle.dumps(hf.Sim(arm, controllers=[(0.1, print)]))


def test_parameters(block):
    assert block.parameters["block.mass"].value == 2.0
    assert block.parameters["block.mass"].unit == "kg"
    s = hf.Sim(block, parameters={"block.mass": 4.0})
    assert s.parameters["block.mass"] == 4.0 and block.parameters["block.mass"].value == 2.0
    with pytest.raises(hf.Error, match="must be positive"):
        s.set_parameters({"block.mass": 0.0})
    with pytest.raises(hf.Error, match="it has mass"):
        s.set_parameters({"block.weight": 1.0})
    changed = hf.Model(block.text, {"bodies.block.mass": 4.0, "method.step": 5e-4})
    assert changed.parameters["block.mass"].value == 4.0 and changed.step == 5e-4


OWN = """
name: own parameters
method: {type: rk4, step: 1e-3}
parameters: {mu: 0.4, load: 10, unused: 1}
signals:
  pull: {input: 0}
bodies:
  block: {type: mass, dim: 1, mass: "load/10"}
forces:
  - {name: pull-force, on: block, type: force, value: pull}
  - {name: floor, on: block, type: friction, law: stiction, level: "mu*load", stiffness: 1e5, damping: 200}
"""


def test_parameters_of_the_file():
    m = hf.Model(OWN, {"mu": 0.3})
    assert m.parameters["mu"].value == 0.3 and m.parameters["floor.level"].value == 3.0
    s = hf.Sim(m, parameters={"mu": 0.5})
    assert s.parameters["mu"] == 0.5 and s.parameters["floor.level"] == 5.0
    s.inputs["pull"] = 4.5
    s.advance(0.1)
    assert abs(s.v[0]) < 1e-6
    before = s.q.tobytes() + s.v.tobytes() + s.y.tobytes()
    s.set_parameters({"floor.stiffness": 2e5})
    s.set_parameters({"mu": 0.4})  # what was set before stays, and so do state, time and inputs
    assert s.parameters["floor.stiffness"] == 2e5 and s.parameters["floor.level"] == 4.0
    assert s.q.tobytes() + s.v.tobytes() + s.y.tobytes() == before and s.time == 0.1
    s.advance(0.3)
    assert s.v[0] == pytest.approx(0.5 * 0.2, rel=0.02)
    twin = pickle.loads(pickle.dumps(s))
    s.advance(0.4), twin.advance(0.4)
    assert twin.q.tobytes() == s.q.tobytes() and twin.parameters == s.parameters
    for wrong, why in (({"mu": -1}, "zero or positive"), ({"nu": 1}, "nu"), ({"load": 0}, "must be positive"),
                       ({"mu": np.nan}, "")):
        kept = s.parameters
        with pytest.raises(hf.Error, match=why):
            s.set_parameters(wrong)
        assert s.parameters == kept
    s.advance(0.5)  # and it goes on
    s.set_parameters({"load": 20})
    assert s.parameters["block.mass"] == 2.0 and s.parameters["floor.level"] == 8.0
    # The whole machine is what it would have been
    fresh = hf.Sim(hf.Model(OWN, {"mu": 0.3}))
    late = hf.Sim(m, parameters={"mu": 0.4})
    late.set_parameters({"mu": 0.3})
    for sim in (fresh, late):
        sim.inputs["pull"] = 5
        sim.advance(0.2)
    assert fresh.q.tobytes() == late.q.tobytes()


PULLED = """
method: {type: rk4, step: 1e-3}
parameters: {pull: {value: 3, range: [0, 10]}, way: {value: 20 mm, unit: mm, range: [1, 50]}}
bodies:
  block: {type: mass, dim: 1, mass: 1, position: way}
  still: {type: static, shape: {type: sphere, radius: 0.1}}
  belt: {type: driven, velocity: 1}
  wheel: {type: rotor, inertia: 1}
signals: {push: "pull*cos(t)", brake: "-0.1*pull*block.velocity"}
forces:
  - {name: push-force, on: block, type: force, value: push}
  - {name: brake-force, on: block, type: force, value: brake}
"""


def test_parameters_inside_of_expressions():
    """A live sim takes expressions of the file over too, of the time and of channels."""
    m = hf.Model(PULLED)
    assert [b.type for b in m.bodies] == ["mass", "static", "driven", "rotor"]
    s = hf.Sim(m)
    for pull in (5.0, 7.0, 2.5):
        s.set_parameters({"pull": pull})
        s.reset()
        s.advance(1.0)
        fresh = hf.Sim(hf.Model(PULLED, {"pull": pull}))
        fresh.advance(1.0)
        assert s.q.tobytes() == fresh.q.tobytes() and s.v.tobytes() == fresh.v.tobytes()
    # Values are in SI units, and stay in their range
    s.set_parameters({"way": 0.05})
    for wrong in ({"pull": 11.0}, {"way": 0.0501}, {"way": 20.0}):
        with pytest.raises(hf.Error, match="outside of its range"):
            s.set_parameters(wrong)
        with pytest.raises(hf.Error, match="outside of its range"):
            hf.rollout(m, samples=2, parameters=wrong)
    assert s.parameters["way"] == 0.05


def test_room_for_contacts(examples):
    m = hf.load(examples / "stack.yaml")
    plain, roomy = hf.Sim(m), hf.Sim(m, room=4 << 20)
    for s in (plain, roomy):
        s.steps(100)
    assert plain.q.tobytes() == roomy.q.tobytes()
    assert roomy.stats["room_used"] > 0 and roomy.stats["room_missed"] == 0
    assert plain.stats["room_used"] == 0
    with pytest.raises(ValueError):
        hf.Sim(m, room=-1)


@pytest.mark.parametrize("budget", [10, None])
def test_the_verdict_of_a_budget(budget):
    """What a budget of iterations left unsolved stands in the verdict, and nowhere else."""
    keys = {} if budget is None else {"iterations": budget}
    m = hf.Model("""
gravity: [0, 0, -9.81]
method: {type: timestep, step: 2e-3, solver: gauss-seidel, tolerance: 1e-8}
bodies:
  ground: {type: static, shape: {type: plane}}
  s: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.05}, position: [0, 0, 0.05], repeat: {count: 6, spacing: [0.01, 0, 0.1]}}
forces: [{name: c, type: collide, among: all, friction: 0.4}]
""")
    s = hf.Sim(m, **keys)
    recording = s.run(0.05)
    said = "budget of 10 iterations"
    assert (said in s.verdict.within) == (said in repr(recording)) == (budget is not None)
    assert s.verdict.trustworthy or s.verdict.why


def test_robots(data, tmp_path):
    path = tmp_path / "pendulum.xml"
    path.write_text('''<mujoco model="pendulum"><worldbody><body name="rod"><joint name="hinge" type="hinge"
      axis="0 1 0" frictionloss="0.1"/><geom type="capsule" size="0.02" fromto="0 0 0 0.4 0 0" mass="1"/></body>
      </worldbody><actuator><motor name="drive" joint="hinge"/></actuator></mujoco>''')
    m = hf.load(path)
    assert m.inputs == ["drive"] and m.nq == 1 and "Made from" in m.text
    s = hf.Sim(pickle.loads(pickle.dumps(m)))
    s.steps(100)
    assert s.q[0] > 0.01
    path.write_text("<mujoco><worldbody><body><joint axis='0 0'/></body></worldbody></mujoco>")
    with pytest.raises(hf.Error, match=r"pendulum\.xml:1:\d+: "):
        hf.load(path)
    if data is not None:
        go1 = hf.load(data / "robots" / "unitree_go1" / "go1.xml")
        assert go1.nv == 18 and len(go1.inputs) == 12


def test_set_state(block, examples):
    s = hf.Sim(block)
    s.set_state([0.3], [-1.0])
    assert s.q[0] == 0.3 and s.v[0] == -1.0
    s.set_state(q=0.1, body="block")
    assert s.q[0] == 0.1
    with pytest.raises(ValueError):
        s.set_state([1.0, 2.0])
    with pytest.raises(hf.Error):
        s.set_state([np.nan])


def test_controllers_and_their_exceptions(block):
    calls = []

    def control(sim):
        calls.append((sim.time, float(sim["floor.force"])))
        sim.inputs["pull"] = 30.0
        if len(calls) == 5:
            raise ZeroDivisionError("five")

    s = hf.Sim(block, controllers=[(0.01, control)])
    with pytest.raises(ZeroDivisionError):
        s.run(1.0)
    assert [t for t, _ in calls] == pytest.approx([0.0, 0.01, 0.02, 0.03, 0.04])

    def wrong(sim):
        sim.step()

    with pytest.raises(RuntimeError, match="may not"):
        hf.Sim(block, controllers=[(0.01, wrong)]).step()


@pytest.mark.parametrize("go", [lambda s: s.steps(10**9), lambda s: s.advance(1e6), lambda s: s.run(1e6)],
                         ids=["steps", "advance", "run"])
def test_interrupts_end_slow_steps(go):
    spec = hf.Spec("pile", gravity=[0, 0, -9.81], method={"type": "timestep", "step": 1e-3})
    for i in range(60):  # steps of a millisecond or so
        spec.bodies[f"b{i}"] = {"type": "rigid", "mass": 1, "shape": {"type": "box", "size": [0.1, 0.1, 0.1]},
                                "position": [0.1 * (i % 4), 0.1 * (i // 4 % 4), 0.05 + 0.1 * (i // 16)]}
    spec.bodies["ground"] = {"type": "static", "shape": {"type": "box", "size": [9, 9, 1]}, "position": [0, 0, -0.5]}
    spec.force("touch", type="collide", among="all", friction=0.4)
    s = hf.Sim(spec.compile())
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.time()
    with pytest.raises(KeyboardInterrupt):
        go(s)
    assert time.time() - begin < 3.0
    s.step()


def test_interrupts_end_a_run(block):
    s = hf.Sim(block, step=1e-6)
    killer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    killer.start()
    begin = time.time()
    with pytest.raises(KeyboardInterrupt):
        s.run(1e4, every=1000000, pictures=False)
    assert time.time() - begin < 5.0
    then = s.time
    s.step()
    assert s.time > then


def test_threads_run_beside_each_other_and_not_inside_each_other(block):
    s = hf.Sim(block, step=1e-6)
    problems = []

    def work():
        try:
            s.steps(300000)
        except RuntimeError as problem:
            problems.append(problem)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    done = round(s.time / 1e-6)
    assert done + 300000 * len(problems) == 900000


def test_failing_runs_keep_what_was_recorded():
    stiff = hf.Model("""
method: {type: rk4, step: 0.1}
bodies: {block: {type: mass, dim: 1, mass: 1, velocity: 1}}
forces: [{name: spring, on: block, type: spring, stiffness: 1e6}]
""")
    with pytest.raises(hf.Error) as caught:
        hf.Sim(stiff).run(1e3, record=["block.position"])
    assert "finite" in str(caught.value) and caught.value.time > 0
    assert len(caught.value.recording) > 3


def test_dynamics(arm):
    s = hf.Sim(arm, method="discrete")
    assert s.mass_matrix("arm")[0, 0] == pytest.approx(0.01 + 0.04)
    assert s.bias("arm")[0] == pytest.approx(-9.81 * 0.2)
    u = s.inverse_dynamics("arm", [3.0])
    assert s.forward_dynamics("arm", u)[0] == pytest.approx(3.0)
    j = s.jacobian("arm", "elbow", (0.2, 0, 0))
    assert j[:, 0] == pytest.approx([0, 1, 0, 0, 0, -0.2])
    a, b = s.linearize(smooth=True)
    assert a[1] == pytest.approx([0.0, 0.0], abs=1e-6) and b[1, 0] == pytest.approx(20.0)
    with pytest.raises(hf.Error, match="coulomb"):
        s.linearize()
    assert s.rate(smooth=True)[1] == pytest.approx(9.81 * 0.2 / 0.05)
    with pytest.raises(KeyError):
        s.mass_matrix("leg")
    assert s.mass_matrix().tobytes() == s.mass_matrix("arm").tobytes() and s.bias()[0] == s.bias("arm")[0]
    with pytest.raises(KeyError, match="which tree.*has none"):
        hf.Sim(hf.Model(PULLED)).mass_matrix()


def test_contacts(examples):
    s = hf.Sim(hf.load(examples / "stack.yaml"))
    s.steps(20)
    c = s.contacts
    assert len(c) > 0 and np.allclose(np.linalg.norm(c["normal"], axis=1), 1.0)
    weight = c["push"][:, 2][c["to"] == c["to"].min()].sum()
    assert weight > 0
    position, turn = s.pose(s.model.bodies[0].name)
    assert position.shape == (3,) and np.linalg.norm(turn) == pytest.approx(1.0)


def test_spec_in_python():
    spec = hf.Spec("slider", method={"type": "rk4", "step": 1e-3}, gravity=np.array([0, 0, -9.81]))
    spec.bodies["block"] = {"type": "mass", "dim": 1, "mass": 1.0, "velocity": 1.0}
    spec.force("floor", on="block", type="friction", law="stiction", level=1.0, stiffness=1e5,
               damping=100)
    spec.record = ["block.velocity"]
    r = hf.Sim(spec.compile()).run(2.0)
    assert abs(r["block.velocity"][-1]) < 1e-6
    spec.bodies["block"]["mass"] = -1
    with pytest.raises(hf.Error, match="mass must be positive"):
        spec.compile()


def test_every_example_runs(examples):
    for path in sorted(examples.glob("*.yaml")):
        model = hf.load(path)
        if model.method == "nlp":
            continue
        s = hf.Sim(model)
        s.steps(3)
        assert np.all(np.isfinite(s.values)), path
