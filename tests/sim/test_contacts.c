// SPDX-License-Identifier: Apache-2.0
// Rigid contacts in machines: no suction and friction in its cone at every stage, exact rest of
// spinning and rolling balls, spheres on spheres, wishes, orders, bad starts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "sim/sim_data.h"

#include <holdfast/models.h>
#include <holdfast/sim.h>

static hf_model *parse(const char *text)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static hf_sim *start(const hf_model *model, double step)
{
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method.step = step > 0.0 ? step : def.method.step;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void run_to(hf_sim *sim, double end)
{
    hf_error error = {0};
    while (hf_sim_time(sim) < end - 0.5 * hf_sim_method(sim).step) {
        if (hf_sim_step(sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static double value(hf_sim *sim, const char *name)
{
    hf_channel channel = hf_model_find_channel(hf_sim_model(sim), name);
    if (channel.id == 0) {
        fail_msg("no channel '%s'", name);
    }
    return hf_sim_value(sim, channel);
}

// The four stages of each step of a bouncing, tumbling box, looked at one by one.
static void every_stage(void **state)
{
    (void)state;
    hf_model *model =
        parse("gravity: [0, 0, -9.81]\n"
              "method: {type: rk4, step: 5e-4}\n"
              "duration: 1\n"
              "bodies:\n"
              "  box: {type: rigid, mass: 2, shape: {type: box, size: [0.3, 0.2, 0.1]},\n"
              "        position: [0, 0, 0.3], velocity: [1, 0, 0], angular_velocity: [3, 2, 5]}\n"
              "forces:\n"
              "  - {name: floor, on: box, type: contact, restitution: 0.4, friction: 0.5}\n");
    hf_sim *sim = start(model, 0.0);
    const int n = model->n;
    double stage[128], slope[128];
    assert_true(n <= 128);
    int touching = 0, slipping = 0;
    hf_error error = {0};
    for (int k = 0; k < 2000; ++k) {
        // the stages of the step that comes, with the method's own evaluation
        const double shift[4] = {0.0, 0.5, 0.5, 1.0};
        memset(slope, 0, sizeof slope);
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < n; ++i) {
                stage[i] = sim->x[i] + shift[r] * 5e-4 * slope[i];
            }
            hf_sim_eval(sim, sim->core->time + shift[r] * 5e-4, HF_SIDE_AT, 0.0, stage, slope);
            for (int f = 0; f < model->force_count; ++f) {
                const double *force = sim->force + model->forces[f].row;
                assert_true(force[0] <= 0.0);
                hf_check_below(hypot(force[1], force[2]), -0.5 * force[0] * (1.0 + 1e-12) + 1e-300,
                               "|ft|", "mu N");
                touching += force[0] < 0.0;
                slipping += sim->mode[f] == 1.0;
            }
        }
        sim->fresh = false;
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_true(touching > 1000 && slipping > 100);
    hf_check_below(value(sim, "energy.kinetic"), 1e-20, "kinetic energy", "rest");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball that spins about the vertical and one that rolls: both stop, at a time that Coulomb gives.
static void balls_come_to_rest(void **state)
{
    (void)state;
    hf_model *model = parse(
        "gravity: [0, 0, -10]\n"
        "method: {type: rk4, step: 1e-4}\n"
        "duration: 4\n"
        "bodies:\n"
        "  top: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, 0.1],\n"
        "        angular_velocity: [0, 0, 10]}\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [1, 0, "
        "0.1],\n"
        "         velocity: [0.5, 0, 0], angular_velocity: [0, 5, 0]}\n"
        "forces:\n"
        "  - {name: under-top, on: top, type: contact, friction: 0.5, spin_friction: 4e-3}\n"
        "  - {name: under-ball, on: ball, type: contact, friction: 0.5, rolling_friction: 2e-3}\n");
    hf_sim *sim = start(model, 0.0);
    // J w/(c N) = 0.004 * 10/(0.004 * 10) = 1 s
    run_to(sim, 0.95);
    assert_true(value(sim, "top.angular_velocity.z") > 0.4);
    run_to(sim, 1.05);
    hf_check_below(fabs(value(sim, "top.angular_velocity.z")), 1e-2, "spin", "stopped at 1 s");
    // rolling: (J + m R^2) w' = -c N: 0.014 * 5/(0.02) = 3.5 s
    run_to(sim, 3.3);
    assert_true(value(sim, "ball.velocity.x") > 0.02);
    run_to(sim, 4.0);
    hf_check_below(fabs(value(sim, "top.angular_velocity.z")), 1e-12, "spin", "rest");
    hf_check_below(fabs(value(sim, "ball.velocity.x")), 1e-12, "velocity", "rest");
    hf_check_below(fabs(value(sim, "ball.angular_velocity.y")), 1e-11, "rolling", "rest");
    hf_check_near(value(sim, "ball.position.x"), 1.0 + 0.25 / (2.0 * 1.0 / 7.0), 2e-3,
                  "distance rolled", "v^2/(2 a), a = (5/7) c g/R");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two balls in space: momentum and angular momentum stay, restitution is the wish's, and friction
// turns them.
static void spheres_collide(void **state)
{
    (void)state;
    hf_model *model = parse(
        "method: {type: rk4, step: 1e-4}\n"
        "duration: 1\n"
        "bodies:\n"
        "  a: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [-0.5, 0, 0],\n"
        "      velocity: [2, 0, 0]}\n"
        "  b: {type: rigid, mass: 3, shape: {type: sphere, radius: 0.2}, position: [0, 0, 0]}\n"
        "  c: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [-0.5, 5, "
        "0.1],\n"
        "      velocity: [2, 0, 0], angular_velocity: [0, 0, 7]}\n"
        "  d: {type: rigid, mass: 3, shape: {type: sphere, radius: 0.2}, position: [0, 5, 0]}\n"
        "forces:\n"
        "  - {name: ab, on: a, to: b, type: contact, restitution: 0.6, friction: 0.4}\n"
        "  - {name: cd, on: c, to: d, type: contact, restitution: 0.6, friction: 0.4}\n");
    hf_sim *sim = start(model, 0.0);
    run_to(sim, 0.5);
    double va = value(sim, "a.velocity.x"), vb = value(sim, "b.velocity.x");
    hf_check_near(va + 3.0 * vb, 2.0, 1e-12, "momentum", "action = reaction");
    hf_check_near(vb - va, 0.6 * 2.0, 0.01 * 2.0, "restitution", "the wish");
    const hf_body c = hf_model_find_body(model, "c"), d = hf_model_find_body(model, "d");
    const double *qc = hf_sim_position(sim, c), *qd = hf_sim_position(sim, d);
    const double *uc = hf_sim_velocity(sim, c), *ud = hf_sim_velocity(sim, d);
    double jc = 0.4 * 0.01, jd = 0.4 * 3.0 * 0.04;
    double lx = qc[1] * uc[2] - qc[2] * uc[1] + 3.0 * (qd[1] * ud[2] - qd[2] * ud[1]) + jc * uc[3] +
                jd * ud[3];
    double ly = qc[2] * uc[0] - qc[0] * uc[2] + 3.0 * (qd[2] * ud[0] - qd[0] * ud[2]) + jc * uc[4] +
                jd * ud[4];
    double lz = qc[0] * uc[1] - qc[1] * uc[0] + 3.0 * (qd[0] * ud[1] - qd[1] * ud[0]) + jc * uc[5] +
                jd * ud[5];
    hf_check_near(lx, 0.0, 1e-6, "angular momentum x", "action = reaction");
    hf_check_near(ly, 0.2, 1e-6, "angular momentum y", "action = reaction");
    hf_check_near(lz, -10.0 + jc * 7.0, 1e-6, "angular momentum z", "action = reaction");
    assert_true(fabs(ud[4]) > 0.1 && fabs(ud[5]) > 0.01);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A ball rolls over the top of a fixed one, sticking to it: the deflection is carried along and no
// energy goes.
static void sphere_rolls_on_sphere(void **state)
{
    (void)state;
    hf_model *model =
        parse("gravity: [0, 0, -9.81]\n"
              "method: {type: rk4, step: 1e-4}\n"
              "duration: 1\n"
              "bodies:\n"
              "  hill: {type: rigid, mass: 1e9, shape: {type: sphere, radius: 1}}\n"
              "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, "
              "1.1],\n"
              "         velocity: [0.5, 0, 0], angular_velocity: [0, 5, 0]}\n"
              "forces:\n"
              "  - {name: top, on: ball, to: hill, type: contact, restitution: 0.3, friction: 2}\n"
              "  - {name: hold, on: hill, type: force, value: [0, 0, 9.81e9]}\n");
    hf_sim *sim = start(model, 0.0);
    run_to(sim, 0.6);
    // rolling without slip on a fixed sphere: (7/10) v^2 + g z is kept
    double x = value(sim, "ball.position.x"), z = value(sim, "ball.position.z");
    double v = hypot(value(sim, "ball.velocity.x"), value(sim, "ball.velocity.z"));
    assert_true(x > 0.3);
    hf_check_near(hypot(x, z), 1.1, 5e-4, "distance", "on the surface");
    hf_check_near(0.7 * v * v + 9.81 * z, 0.7 * 0.25 + 9.81 * 1.1, 0.02, "energy", "rolling");
    hf_check_near(value(sim, "ball.angular_velocity.y") * 0.1, v, 2e-3, "spin", "rolling");
    assert_true(value(sim, "top.mode") == 0.0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The wish in a machine: light and heavy, slow and fast. The impact falls anywhere in a step.
static void wishes_in_a_machine(void **state)
{
    (void)state;
    for (int i = 0; i < 24; ++i) {
        double mass = pow(10.0, i % 7 - 3), speed = pow(10.0, i % 3 - 1), wish = 0.05 + 0.04 * i;
        char text[800];
        (void)snprintf(text, sizeof text,
                       "method: {type: rk4, step: 1e-3}\n"
                       "duration: 1\n"
                       "bodies:\n"
                       "  mass: {type: mass, dim: 1, axes: z, mass: %.17g, position: %.17g,\n"
                       "         velocity: %.17g}\n"
                       "forces:\n"
                       "  - {name: wall, on: mass, type: contact, restitution: %.17g}\n",
                       mass, speed * 0.0507 * (1.0 + 0.013 * i), -speed, wish);
        hf_model *model = parse(text);
        hf_sim *sim = start(model, 0.0);
        run_to(sim, 0.5);
        hf_check_near(value(sim, "mass.velocity") / speed, wish, 0.01, "restitution", "the wish");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Away from changes of contact the order is four; with an impact the residual falls with the step.
static void orders(void **state)
{
    (void)state;
    const char *text =
        "gravity: [0, 0, -9.81]\n"
        "method: {type: rk4, step: 1e-3}\n"
        "duration: 1\n"
        "bodies:\n"
        "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1},\n"
        "         position: [0, 0, 0.09999], velocity: [1e-3, 0, 0]}\n"
        "  drop: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [1, 0, "
        "0.2]}\n"
        "forces:\n"
        "  - {name: held, on: ball, type: contact, law: rigid-contact, stiffness: 1e5,\n"
        "     damping_time: 1e-3, filter_time: 5e-4, friction: 0.9}\n"
        "  - {name: struck, on: drop, type: contact, law: rigid-contact, stiffness: 1e5,\n"
        "     damping_time: 4e-3, filter_time: 2e-3, friction: 0.9}\n";
    hf_model *model = parse(text);
    double z[3], residual[3];
    const double steps[] = {2e-4, 1e-4, 5e-5};
    for (int i = 0; i < 3; ++i) {
        hf_sim *sim = start(model, steps[i]);
        run_to(sim, 0.01);
        z[i] = value(sim, "ball.position.z");
        run_to(sim, 0.3);
        residual[i] = fabs(hf_sim_energy(sim).residual);
        hf_sim_destroy(sim);
    }
    hf_model_destroy(model);
    hf_check_near(log2(fabs(z[0] - z[1]) / fabs(z[1] - z[2])), 4.0, 0.3, "order", "RK4 in contact");
    assert_true(residual[0] > 2.0 * residual[2]);
    hf_check_below(residual[2], 1e-4, "residual [J]", "step 5e-5 s");
}

static void expect_refusal(const char *text, const char *part)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_parse(text, strlen(text), "model.yaml", NULL, NULL, &error);
    hf_model *model = spec == NULL ? NULL : hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    if (model != NULL) {
        hf_model_destroy(model);
        fail_msg("accepted, '%s' expected", part);
    }
    if (strstr(error.text, part) == NULL) {
        fail_msg("got '%s', expected '%s'", error.text, part);
    }
}

#define BALL(height)                                                                               \
    "gravity: [0, 0, -9.81]\nmethod: {type: rk4, step: 1e-3}\nduration: 1\nbodies:\n"              \
    "  ball: {type: rigid, mass: 1, shape: {type: sphere, radius: 0.1}, position: [0, 0, " height  \
    "]}\nforces:\n"

static void bad_input(void **state)
{
    (void)state;
    expect_refusal(BALL("0.2") "  - {name: f, on: ball, type: contact, restitution: 1.2}\n",
                   "0 to 1");
    expect_refusal(BALL("0.2") "  - {name: f, on: ball, type: contact, restitution: -0.1}\n",
                   "0 to 1");
    expect_refusal(BALL("0.2") "  - {name: f, on: ball, type: contact, friction: -0.3}\n",
                   "friction");
    expect_refusal(BALL("0.2") "  - {name: f, on: ball, type: contact, restitution: 0.3,\n"
                               "     damping_time: 1e-3, filter_time: 1e-4}\n",
                   "either it or them");
    expect_refusal(BALL("0.2") "  - {name: f, on: ball, type: contact, damping_time: 1e-3}\n",
                   "go together");
    expect_refusal(BALL("0.05") "  - {name: f, on: ball, type: contact, restitution: 0.3}\n",
                   "0.05 m deep");
    expect_refusal(BALL("0.2") "  - {name: f, on: ball, to: ball, type: contact}\n", "different");
}

// A shallow start is taken as it is, at rest, and says how deep it is.
static void shallow_start(void **state)
{
    (void)state;
    hf_model *model =
        parse(BALL("0.0999") "  - {name: f, on: ball, type: contact, stiffness: auto}\n");
    hf_contact_report report;
    assert_true(hf_model_contact(model, (hf_force){1}, &report));
    hf_check_near(report.start_depth, 1e-4, 1e-12, "depth", "the file");
    hf_sim *sim = start(model, 0.0);
    run_to(sim, 1.0);
    hf_check_near(value(sim, "ball.position.z"), 0.1 - 9.81 / report.chosen.stiffness, 1e-9, "z",
                  "m g/K");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void unreachable_wish(void **state)
{
    (void)state;
    hf_model *model = parse(BALL(
        "0.2") "  - {name: f, on: ball, type: contact, restitution: 0.3, penetration: 1e-6}\n");
    hf_contact_report report;
    assert_true(hf_model_contact(model, (hf_force){1}, &report));
    assert_false(report.verdict.penetration);
    hf_check_near(report.forecast.rest_depth, 9.81 / report.chosen.stiffness, 1e-15, "depth",
                  "m g/K");
    assert_true(report.verdict.best_step > 0.0 && report.verdict.best_step < 1e-3);
    hf_model_destroy(model);
}

// The smallest edge or radius of all shapes is what depth is judged by, whichever way the shapes
// are written.
static void smallest_of_shapes(void **state)
{
    (void)state;
    static const struct {
        const char *shape;
        double size;
    } cases[] = {
        {"shape: {type: sphere, radius: 0.03}", 0.03},
        {"shape: {type: sphere, radius: 0.03, restitution: 0.5}", 0.03}, // a surface of its own
        {"shape: {type: box, size: [0.05, 0.02, 0.04], friction: 0.1}", 0.02},
        {"shape: {type: capsule, radius: 0.03, length: 0.001, friction: 0.1}", 0.03},
        {"shape: {type: cylinder, radius: 0.03, length: 0.01, friction: 0.1}", 0.01},
        {"shape: {type: cone, radius: 0.02, length: 0.05, friction: 0.1}", 0.02},
        {"shape: {type: ellipsoid, radii: [0.03, 0.02, 0.015], friction: 0.1}", 0.015},
        {"shapes: {a: {type: sphere, radius: 0.03}, b: {type: box, size: [0.1, 0.1, 0.012], "
         "position: [0, 0, 0.05]}}",
         0.012},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[800];
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, -9.81]\nmethod: {type: verlet, step: 4e-3}\nbodies:\n"
            "  ground: {type: static, position: [0, 0, -0.5], shape: {type: box, size: "
            "[2, 2, 1], friction: 0.3}}\n"
            "  x: {type: rigid, mass: 1, position: [0, 0, 0.1], velocity: [0, 0, -9], "
            "%s}\nforces:\n  - {name: touch, type: collide, among: all, friction: 0.2}\n",
            cases[i].shape);
        hf_model *model = parse(text);
        hf_contact_report report;
        assert_true(hf_model_contact(model, (hf_force){1}, &report));
        hf_check_near(report.site.size, cases[i].size, 1e-15, cases[i].shape, "smallest");
        // At 9 m/s and 4 ms it goes deeper than a tenth of any of them
        hf_error error = {0};
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        assert_non_null(sim);
        for (int k = 0; k < 20; ++k) {
            assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        }
        hf_verdict verdict = hf_sim_verdict(sim);
        assert_false(verdict.trustworthy);
        assert_non_null(strstr(verdict.why, "deep into each other"));
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A conveyor carries a mass to its own speed; what it puts in is in the ledger.
static void conveyor(void **state)
{
    (void)state;
    hf_model *model =
        parse("gravity: [0, 0, -10]\n"
              "method: {type: rk4, step: 2e-4}\n"
              "duration: 1\n"
              "bodies:\n"
              "  mass: {type: mass, mass: 2}\n"
              "forces:\n"
              "  - {name: belt, on: mass, type: contact, friction: 0.4, stiffness: auto,\n"
              "     plane: {velocity: [1, 0.5, 0]}}\n");
    hf_sim *sim = start(model, 0.0);
    run_to(sim, 1.0);
    hf_check_near(value(sim, "mass.velocity.x"), 1.0, 1e-9, "vx", "the belt's");
    hf_check_near(value(sim, "mass.velocity.y"), 0.5, 1e-9, "vy", "the belt's");
    // half of what the belt puts in becomes heat
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.input, 2.5, 0.02, "input", "m v^2");
    hf_check_below(fabs(energy.residual), 1e-3, "residual", "ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A box on a floor is eight contacts: a channel of the floor means that of each.
static void a_family_of_contacts(void **state)
{
    (void)state;
    hf_model *model = parse("gravity: [0, 0, -9.81]\n"
                            "bodies: {box: {type: rigid, mass: 1, position: [0, 0, 0.5],\n"
                            "               shape: {type: box, size: [1, 1, 1]}}}\n"
                            "forces:\n"
                            "  - {name: floor, on: box, type: contact}\n");
    hf_channel channels[12];
    int count = hf_model_expand_channels(model, "floor.gap", channels, 12);
    assert_int_equal(count, 8);
    for (int i = 0; i < count; ++i) {
        char name[64], want[64];
        hf_model_channel_name(model, channels[i], name, sizeof name);
        (void)snprintf(want, sizeof want, "floor.%d.gap", i + 1);
        assert_string_equal(name, want);
    }
    // Room for some: all are counted, none is written behind the end
    channels[3].id = -7;
    assert_int_equal(hf_model_expand_channels(model, "floor.gap", channels, 3), 8);
    assert_int_equal(channels[3].id, -7);
    assert_int_equal(hf_model_expand_channels(model, "floor.nothing", channels, 12), 0);
    assert_int_equal(hf_model_expand_channels(model, "flo.gap", channels, 12), 0);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_stage),
        cmocka_unit_test(balls_come_to_rest),
        cmocka_unit_test(spheres_collide),
        cmocka_unit_test(sphere_rolls_on_sphere),
        cmocka_unit_test(wishes_in_a_machine),
        cmocka_unit_test(orders),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(shallow_start),
        cmocka_unit_test(unreachable_wish),
        cmocka_unit_test(smallest_of_shapes),
        cmocka_unit_test(conveyor),
        cmocka_unit_test(a_family_of_contacts),
    };
    return hf_run_tests(tests);
}
