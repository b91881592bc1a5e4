// SPDX-License-Identifier: Apache-2.0
// Strings through points, around spheres and cylinders and over pulleys, and wrenches: the rate is
// the derivative of the gap, the bias that of the rate, Phi the transpose of Psi, at random states
// of a tree; lengths by closed forms; machines that run under every kind of method.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/models.h>

#include "couplings/wrap.h"
#include "hf_test.h"
#include "sim/sim_data.h"

enum { STATES = 300 };

#define TREE                                                                                       \
    "name: strings\n"                                                                              \
    "method: {type: rk4, step: 1e-4}\n"                                                            \
    "duration: 1\n"                                                                                \
    "bodies:\n"                                                                                    \
    "  arm:\n"                                                                                     \
    "    type: tree\n"                                                                             \
    "    joints:\n"                                                                                \
    "      base: {type: spherical, mass: 1, inertia: [0.1, 0.2, 0.15]}\n"                          \
    "      upper: {type: revolute, parent: base, offset: [0.3, 0, 0.1], axis: [0, 1, 0.2], "       \
    "mass: 0.5, center: [0.1, 0, 0], inertia: [0.02, 0.03, 0.03]}\n"                               \
    "      lower: {type: prismatic, parent: upper, offset: [0.3, 0, 0], axis: [1, 0, 0.1], "       \
    "mass: 0.3, inertia: [0.01, 0.02, 0.02]}\n"                                                    \
    "      hand: {type: spherical, parent: lower, offset: [0.2, 0, 0], mass: 0.2, "                \
    "inertia: [0.01, 0.012, 0.014]}\n"                                                             \
    "forces:\n"

// One force of each kind of place.
static const char *const PLACES[] = {
    "path: [{on: world, point: [0, 0.2, 0.5]}, {on: arm.upper, point: [0.1, 0, 0.1]}, "
    "{on: arm.hand, point: [0.1, 0.1, 0]}]",
    "path: [{on: arm.base, point: [0.1, 0.1, 0.3]}, {on: arm.upper, point: [0.1, 0, 0], sphere: "
    "0.15}, {on: arm.hand, point: [0.2, 0, 0.1]}]",
    "path: [{on: world, point: [0.1, 0.9, 0.3]}, {on: arm.upper, point: [0.1, 0, 0], sphere: 0.15, "
    "side: {on: arm.base, point: [0, 0, 0.9]}}, {on: arm.hand, point: [0.2, 0, 0.1]}]",
    "path: [{on: arm.base, point: [0.1, 0.1, 0.4]}, {on: arm.upper, point: [0.1, 0, 0], cylinder: "
    "0.15, axis: [0.2, 1, 0.1]}, {on: arm.hand, point: [0.3, 0, 0.1]}]",
    "path: [{on: world, point: [0.1, 0.1, 0.9]}, {on: arm.upper, point: [0.1, 0, 0], cylinder: 0.1,"
    " axis: [0.2, 1, 0.1], side: [0, 0, 0.5]}, {on: arm.hand, point: [0.3, 0, 0.1]}]",
    "path: [{on: world, point: [0.1, 0.9, 0.3]}, {on: arm.upper, point: [0.1, 0, 0], sphere: 0.05, "
    "side: [0.1, 0, 0.01]}, {on: arm.hand, point: [0.2, 0, 0.1]}]",
    "path: [{on: world, point: [0.1, 0.9, 0.3]}, {on: arm.upper, point: [0.1, 0, 0], cylinder: "
    "0.05, axis: [0, 1, 0.5], side: [0.1, 0, 0.01]}, {on: arm.hand, point: [0.2, 0, 0.1]}]",
    "path: [{pulley: 2}, {on: world, point: [0.1, 0.9, 0.3]}, {on: arm.upper, point: [0.1, 0, 0]}, "
    "{pulley: 3}, {on: arm.upper, point: [0, 0.1, 0]}, {on: arm.lower, sphere: 0.1}, {on: arm.hand,"
    " point: [0.2, 0, 0.1]}, {on: world, point: [0, 0, 1]}]",
    "wrench: {on: arm.hand, point: [0.1, 0.2, -0.1], force: [0.3, -1, 2], torque: [0.1, 0.7, "
    "-0.3]}",
};
enum { KINDS = sizeof PLACES / sizeof *PLACES };

static hf_model *parse(const char *text)
{
    hf_error error = {0};
    hf_model *model = hf_model_parse(text, strlen(text), "test", NULL, NULL, &error);
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    return model;
}

static void look(hf_sim *sim, const double *x, double *gap, double *rate)
{
    hf_update_poses(sim, x, x + sim->model->nq);
    hf_force_psi(
        &sim->model->forces[0],
        &(hf_motion){
            .q = x, .v = x + sim->model->nq, .poses = sim->poses, .gap = gap, .rate = rate});
}

// One force at one state. False: between two ways, where the rate has a kink.
static bool check_state(hf_sim *sim, const double *x, bool gapless)
{
    const double spacing = 1e-5;
    const hf_model *model = sim->model;
    double gap[3], rate[3], moved[64], dq[64], change = 0.0;
    hf_pose_rate rates[16];
    hf_sim_q_rate(sim, x, dq);
    for (int k = 0; k < 3; ++k) {
        memcpy(moved, x, (size_t)(model->nq + model->nv) * sizeof *x);
        for (int i = 0; i < model->nq; ++i) {
            moved[i] += (k - 1) * spacing * dq[i];
        }
        look(sim, moved, &gap[k], &rate[k]);
    }
    // Slopes by central differences
    double slope = (gap[2] - gap[0]) / (2.0 * spacing),
           bend = (rate[2] - rate[0]) / (2.0 * spacing);
    if (!gapless) {
        hf_check_near(rate[1], slope, 2e-8 * (1.0 + fabs(slope)), "rate",
                      "central difference of the gap");
    }
    double left = (rate[1] - rate[0]) / spacing, right = (rate[2] - rate[1]) / spacing;
    if (fabs(left - right) > 1e-2 * (1.0 + fabs(bend))) {
        return false;
    }
    look(sim, x, &gap[1], &rate[1]);
    hf_pose_rates(sim, rates);
    hf_force_bias(&model->forces[0],
                  &(hf_bias){.poses = sim->poses, .rates = rates, .change = &change});
    hf_check_near(change, bend, 2e-7 * (1.0 + fabs(bend)), "bias",
                  "central difference of the rate");
    // The transpose
    double power = 0.0, size = 1.0;
    memset(sim->wrenches, 0, (size_t)model->pose_count * sizeof *sim->wrenches);
    memset(sim->u, 0, (size_t)model->nv * sizeof *sim->u);
    sim->force[0] = 1.7;
    hf_force_phi(&model->forces[0], &(hf_actions){.force = sim->force,
                                                  .q = x,
                                                  .poses = sim->poses,
                                                  .u = sim->u,
                                                  .wrenches = sim->wrenches});
    for (int i = 0; i < model->pose_count; ++i) {
        power += hf_v3_dot(sim->wrenches[i].force, sim->poses[i].velocity) +
                 hf_v3_dot(sim->wrenches[i].torque, sim->poses[i].spin);
        size += hf_v3_norm(sim->wrenches[i].force) * hf_v3_norm(sim->poses[i].velocity);
    }
    hf_check_near(power, -1.7 * rate[1], 1e-14 * size, "power on the bodies", "-force.rate");
    return true;
}

static void everywhere(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(311);
    for (int kind = 0; kind < KINDS; ++kind) {
        char text[4000];
        hf_error error = {0};
        (void)snprintf(text, sizeof text, TREE "  - {name: f, type: force, value: 1, %s}\n",
                       PLACES[kind]);
        hf_model *model = parse(text);
        hf_sim *sim = hf_sim_create(model, NULL, &error);
        assert_non_null(sim);
        int kinks = 0;
        for (int k = 0; k < STATES; ++k) {
            for (int i = 0; i < model->nq + model->nv; ++i) {
                sim->x[i] = hf_rng_uniform(&rng, -1.0, 1.0);
            }
            hf_sim_normalize(sim, sim->x);
            kinks += check_state(sim, sim->x, strncmp(PLACES[kind], "wrench", 6) == 0) ? 0 : 1;
        }
        hf_check_below(kinks, 3.0, "states at a kink", "a chance of 1e-3 each");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Around a ball of radius r from a to b, the angle t between them: two tangents and an arc. Around
// a cylinder the same unrolled with the rise. Points that see each other: straight. With a side,
// the long way round.
static void closed_forms(void **state)
{
    (void)state;
    const double r = 0.3, a = 0.5, b = 0.7, t = 2.8;
    double lines = sqrt(a * a - r * r) + sqrt(b * b - r * r), bows = acos(r / a) + acos(r / b);
    hf_wrap_round ball = {.center = {1.0, 2.0, 3.0}, .radius = r};
    hf_vec3 from = {1.0 + a, 2.0, 3.0}, to = {1.0 + b * cos(t), 2.0 + b * sin(t), 3.0};
    hf_wrap_way way = hf_wrap_find(&ball, from, to);
    assert_true(way.wraps);
    hf_check_near(way.arc, r * (t - bows), 1e-15, "arc", "r (t - acos r/a - acos r/b)");
    hf_check_near(hf_v3_norm(hf_v3_sub(way.off, from)) + hf_v3_norm(hf_v3_sub(to, way.on)), lines,
                  1e-15, "lines", "tangents");
    ball.has_side = true;
    ball.side = (hf_vec3){1.0, 1.0, 3.0};
    way = hf_wrap_find(&ball, from, to);
    hf_check_near(way.arc, r * (2.0 * acos(-1.0) - t - bows), 1e-15, "arc", "the other way round");
    hf_wrap_round drum = {.axis = {0.0, 0.0, 1.0}, .radius = r};
    from = (hf_vec3){a, 0.0, -0.4};
    to = (hf_vec3){b * cos(t), b * sin(t), 0.8};
    way = hf_wrap_find(&drum, from, to);
    double flat = lines + r * (t - bows);
    double all = hf_v3_norm(hf_v3_sub(way.off, from)) + way.arc + hf_v3_norm(hf_v3_sub(to, way.on));
    hf_check_near(all, hypot(flat, 1.2), 1e-15, "over a cylinder", "unrolled");
    to = (hf_vec3){0.4, 0.3, 0.8};
    assert_false(hf_wrap_find(&drum, from, to).wraps);
    // From within: both lines make the same angle with the radius
    drum.axis = (hf_vec3){0};
    drum.has_side = true;
    from = (hf_vec3){0.9, 0.0, 0.0};
    to = (hf_vec3){0.9 * cos(0.8), 0.9 * sin(0.8), 0.0};
    way = hf_wrap_find(&drum, from, to);
    assert_true(way.wraps && way.inside);
    hf_check_near(way.off.x, r * cos(0.4), 1e-8, "place", "halfway");
    hf_check_near(way.off.y, r * sin(0.4), 1e-8, "place", "halfway");
}

// A weight on a rope over two pulleys, and its counterweight on the loose one: with divisor 2 half
// the force holds it. Under every method the ledger closes and a rope with friction holds still.
static void machines(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "{type: rk4, step: 1e-4}", "{type: adaptive, rtol: 1e-10, atol: 1e-12}",
        "{type: switch, rtol: 1e-10, atol: 1e-12}", "{type: timestep, step: 1e-3}"};
    for (int m = 0; m < 4; ++m) {
        char text[3000];
        hf_error error = {0};
        (void)snprintf(
            text, sizeof text,
            "name: rope\ngravity: [0, 0, -9.81]\nmethod: %s\nduration: 1\n"
            "bodies:\n"
            "  load: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], position: [0, 0, -1]}\n"
            "  bob: {type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0], mass: 1, center: "
            "[0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}}}\n"
            "forces:\n"
            "  - {name: rope, type: spring, stiffness: 500, damping: 4, rest: 0.9,\n"
            "     path: [{on: world, point: [0.1, 0, 0.5]}, {on: world, point: [0, 0, 0.2], "
            "sphere: "
            "0.05}, {on: load, point: [0, 0, 0.1]}]}\n"
            "  - {name: string, type: spring, stiffness: 40, damping: 0.2, rest: 0.4,\n"
            "     path: [{pulley: 2}, {on: world, point: [0, 0, 0.6]}, {on: bob.pin, point: [0.4, "
            "0, 0]}]}\n",
            methods[m]);
        hf_model *model = parse(text);
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_adaptive_methods();
        def.methods[1] = hf_contact_methods();
        hf_sim *sim = hf_sim_create(model, &def, &error);
        if (sim == NULL) {
            fail_msg("%s", error.text);
        }
        while (hf_sim_time(sim) < 1.0 - 1e-9) {
            if (hf_sim_step(sim, &error) < 0) {
                fail_msg("%s", error.text);
            }
        }
        // The scheme of steps puts its own errors of first order into the ledger
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), m == 3 ? 0.05 : 1e-5, "residual", "the ledger");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Friction along a string holds a pendulum where its pull is below the level, to the bit.
static void held(void **state)
{
    (void)state;
    static const char *const methods[] = {"{type: switch}", "{type: timestep, step: 2e-3}"};
    for (int m = 0; m < 2; ++m) {
        char text[2000];
        hf_error error = {0};
        (void)snprintf(
            text, sizeof text,
            "name: held\ngravity: [0, 0, -9.81]\nmethod: %s\nduration: 1\nbodies:\n  bob: "
            "{type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0], mass: 1, center: "
            "[0.5, 0, 0], inertia: [0.01, 0.01, 0.01]}}}\nforces:\n"
            "  - {name: brake, type: friction, law: coulomb, level: 12, path: [{on: world, "
            "point: [0, 0, 0.6]}, {on: world, point: [0.2, 0, 0.3], cylinder: 0.1, axis: "
            "[0, 1, 0]}, {on: bob.pin, point: [0.5, 0, 0]}]}\n",
            methods[m]);
        hf_model *model = parse(text);
        hf_sim_def def = hf_sim_def_default(model);
        def.methods[0] = hf_adaptive_methods();
        def.methods[1] = hf_contact_methods();
        hf_sim *sim = hf_sim_create(model, &def, &error);
        if (sim == NULL) {
            fail_msg("%s", error.text);
        }
        double before = hf_sim_positions(sim)[0];
        while (hf_sim_time(sim) < 1.0 - 1e-9) {
            if (hf_sim_step(sim, &error) < 0) {
                fail_msg("%s", error.text);
            }
        }
        hf_check_near(hf_sim_positions(sim)[0], before, 0.0, "angle", "the string holds it");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Square drag along an axis of a body, v' = -b v |v|/m: v = v0/(1 + b v0 t/m), and all that the
// body loses is heat of the law, also in steps where the law is soft enough to stay explicit.
static void drag(void **state)
{
    (void)state;
    static const char text[] =
        "name: drag\nmethod: {type: timestep, step: 1e-4}\nduration: 1\nbodies:\n"
        "  ship: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], velocity: [3, 0, 0]}\nforces:\n"
        "  - {name: water, type: law, wrench: {on: ship, force: [1, 0, 0]}, parameters: {b: 1.5}, "
        "force: \"b*rate*abs(rate)\"}\n";
    hf_error error = {0};
    hf_model *model = parse(text);
    hf_sim_def def = hf_sim_def_default(model);
    def.methods[0] = hf_contact_methods();
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    while (hf_sim_time(sim) < 1.0 - 1e-9) {
        assert_true(hf_sim_step(sim, &error) >= 0);
    }
    double v = 3.0 / (1.0 + 1.5 * 3.0 / 2.0);
    hf_check_near(hf_sim_velocities(sim)[0], v, 1e-3, "speed", "v0/(1 + b v0 t/m)");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.dissipated, 9.0 - v * v, 3e-3, "heat", "what the body has lost");
    hf_check_below(fabs(energy.residual), 3e-3, "residual", "the ledger");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Messages of files that are wrong.
static void wrong(void **state)
{
    (void)state;
    static const struct {
        const char *place, *says;
    } cases[] = {
        {"path: [{on: world}, {on: world, sphere: 0.1}]", "it must end in a point"},
        {"path: [{on: world}, {on: world}]", "between two different bodies"},
        {"path: [{on: arm.hand}]", "2 to 40 parts"},
        {"path: [{on: world}, {on: arm.hand, axis: [0, 0, 1]}]", "only a cylinder has an axis"},
        {"path: [{on: world}, {on: arm.hand, sphere: -1}, {on: arm.hand}]", "must be positive"},
        {"path: [{on: world}, {on: arm.hand}], on: arm.hand", "has no 'on'"},
        {"wrench: {on: arm.hand}", "other than zero"},
        {"wrench: {on: world, force: [0, 0, 1]}", "can turn"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[3000];
        hf_error error = {0};
        (void)snprintf(text, sizeof text, TREE "  - {name: f, type: force, value: 1, %s}\n",
                       cases[i].place);
        hf_model *model = hf_model_parse(text, strlen(text), "test", NULL, NULL, &error);
        if (model != NULL || strstr(error.text, cases[i].says) == NULL) {
            fail_msg("%s: want '%s', got '%s'", cases[i].place, cases[i].says, error.text);
        }
    }
}

// Whether the parts make a path, by its grammar: ways of two points or more, a round thing only
// between two points of a way, pulleys between ways and one before the first if it is wished.
static bool is_path(const char *parts)
{
    if (*parts == 'u') { // a pulley
        ++parts;
    }
    for (;;) {
        int points = 0;
        if (*parts != 'p') {
            return false;
        }
        for (; *parts == 'p'; ++points) {
            ++parts;
            if ((*parts == 's' || *parts == 'c') && parts[1] == 'p') {
                ++parts;
            }
        }
        if (points < 2 || (*parts != '\0' && *parts != 'u')) {
            return false;
        }
        if (*parts++ == '\0') {
            return true;
        }
    }
}

// All orders of two to five parts, each by that grammar.
static void orders(void **state)
{
    (void)state;
    static const char letters[] = "pscu";
    static const char *const texts[2][4] = {
        {"{on: world}", "{on: world, sphere: 0.01}", "{on: world, cylinder: 0.01, axis: [0, 0, 1]}",
         "{pulley: 2}"},
        {"{on: a.b, point: [1, 0, 0]}", "{on: a.b, point: [1, 0, 0], sphere: 0.01}",
         "{on: a.b, point: [1, 0, 0], cylinder: 0.01, axis: [0, 1, 0]}", "{pulley: 2}"}};
    int good = 0;
    for (int length = 2; length <= 5; ++length) {
        for (int code = 0; code < 1 << (2 * length); ++code) {
            char parts[8] = "", text[2000];
            int used =
                snprintf(text, sizeof text,
                         "name: s\nmethod: {type: rk4, step: 1e-3}\nduration: 1\nbodies:\n"
                         "  a: {type: tree, joints: {b: {type: revolute, axis: [0, 1, 0], mass: 1, "
                         "inertia: [1, 1, 1]}}}\nforces:\n"
                         "  - {name: f, type: force, value: 1, path: [");
            for (int k = 0; k < length; ++k) {
                int kind = code >> (2 * k) & 3;
                parts[k] = letters[kind];
                used += snprintf(text + used, sizeof text - (size_t)used, "%s%s",
                                 k == 0 ? "" : ", ", texts[k % 2][kind]);
            }
            (void)snprintf(text + used, sizeof text - (size_t)used, "]}\n");
            hf_error error = {0};
            hf_model *model = hf_model_parse(text, strlen(text), "test", NULL, NULL, &error);
            if ((model != NULL) != is_path(parts)) {
                fail_msg("%s: %s", parts, model != NULL ? "is taken" : error.text);
            }
            good += model != NULL;
            hf_model_destroy(model);
        }
    }
    assert_true(good > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everywhere), cmocka_unit_test(closed_forms), cmocka_unit_test(machines),
        cmocka_unit_test(held),       cmocka_unit_test(wrong),        cmocka_unit_test(drag),
        cmocka_unit_test(orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
