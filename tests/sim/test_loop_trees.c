// SPDX-License-Identifier: Apache-2.0
// Loops between several trees: the energy is kept, and two methods of different kinds agree. Loops
// that hold nothing of their own: the machine is the same without them.
#include <hf_machine.h>
#include <holdfast/contact.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINK(name, more)                                                                           \
    name ": {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.15, 0, 0],\n"                    \
         "    inertia: [0.001, 0.02, 0.02]" more "}"

static hf_sim *start(const char *text, const char *method, hf_model **model)
{
    char all[3000];
    (void)snprintf(all, sizeof all, "method: {type: %s, step: 5e-4}\n%s", method, text);
    *model = model_of(all);
    hf_sim_def def = hf_sim_def_default(*model);
    def.methods[0] = hf_contact_methods();
    return sim_from(*model, &def);
}

// A four-bar linkage: two cranks, each a tree, and a rod.
static const char linkage[] =
    "gravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  left: {type: tree, joints: {" LINK(
        "a", ", position: -1.2, velocity: 2") "}}\n"
                                              "  right: {type: tree, joints: {" LINK(
                                                  "b", ", offset: [0.5, 0, 0], guess: "
                                                       "-1.3") "}}\n"
                                                               "%s"
                                                               "loops:\n"
                                                               "  p: {type: point, on: "
                                                               "%s, to: left.a, point: "
                                                               "[-0.25, 0, 0], to_point: "
                                                               "[0.3, 0, 0]}\n"
                                                               "  q: {type: point, on: "
                                                               "%s, to: right.b, point: "
                                                               "[0.25, 0, 0], to_point: "
                                                               "[0.3, 0, 0]}\n";

static void trees_in_one_cluster(void **state)
{
    (void)state;
    // The rod between: slides and turns in the plane, by joints without mass of their own
    char text[2400];
    (void)snprintf(
        text, sizeof text, linkage,
        "  rod: {type: tree, joints: {x: {type: prismatic, axis: [1, 0, 0], guess: 0.4},\n"
        "    z: {parent: x, type: prismatic, axis: [0, 0, 1], guess: 0.25},\n"
        "    r: {parent: z, type: revolute, axis: [0, 1, 0], mass: 0.8, inertia: [0.001, "
        "0.03, 0.03]}}}\n",
        "rod.r", "rod.r");
    static const char *const methods[] = {"rk4", "timestep"};
    double angle[2];
    for (int i = 0; i < 2; ++i) {
        hf_model *model;
        hf_sim *sim = start(text, methods[i], &model);
        run_until(sim, 0.5);
        angle[i] = value_of(sim, "left.a.position");
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), i == 0 ? 1e-6 : 0.05, methods[i], "energy is kept");
        assert_true(fabs(angle[i] + 1.2) > 0.1);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
    hf_check_near(angle[1], angle[0], 0.02, "crank under timestep", "under rk4");
}

// Two joints of one kind along the line p + s n, and a loop of that kind between the world and the
// second link. All that the loop holds the joints hold: its rows are rounding, and must hold
// nothing. Directions are random; the line is near the origin and far away, the machine of metres
// and of micrometres.
static void start_along_a_line(hf_rng *rng, bool slides, const char *loop, double size, double far,
                               hf_model **model, hf_sim **sim)
{
    char text[2400];
    double n[3], p[3], u[3];
    for (int k = 0; k < 3; ++k) {
        n[k] = hf_rng_normal(rng), p[k] = far * hf_rng_normal(rng), u[k] = hf_rng_normal(rng);
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double s = size * hf_rng_uniform(rng, 0.5, 2.0) / length;
    // The frame whose z axis is n, turned about it at random: as fixed and prismatic loops ask
    double c = n[2] / length, w = sqrt(0.5 * (1.0 + c)), a = hf_rng_uniform(rng, 0.0, 6.0);
    double x = -n[1] / length / (2.0 * w), y = n[0] / length / (2.0 * w);
    double q[4] = {w * cos(a / 2), x * cos(a / 2) + y * sin(a / 2), y * cos(a / 2) - x * sin(a / 2),
                   w * sin(a / 2)};
    char frames[400] = "";
    if (slides && loop[0] != '\0') {
        (void)snprintf(frames, sizeof frames,
                       "orientation: [%.17g, %.17g, %.17g, %.17g], to_orientation: [%.17g, %.17g, "
                       "%.17g, %.17g]",
                       q[0], q[1], q[2], q[3], q[0], q[1], q[2], q[3]);
    } else if (loop[0] != '\0') {
        (void)snprintf(frames, sizeof frames,
                       "axis: [%.17g, %.17g, %.17g], to_axis: [%.17g, %.17g, %.17g]", n[0], n[1],
                       n[2], n[0], n[1], n[2]);
    }
    const char *type = slides ? "prismatic" : "revolute";
    (void)snprintf(
        text, sizeof text,
        "gravity: [%.17g, %.17g, %.17g]\nbodies: {line: {type: tree, joints: {\n"
        "  a: {type: %s, offset: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g], mass: 1, "
        "inertia: [%g, %g, %g], center: [%g, %g, 0]},\n"
        "  b: {type: %s, parent: a, offset: [%.17g, %.17g, %.17g], axis: [%.17g, %.17g, %.17g], "
        "mass: 2, inertia: [%g, %g, %g], center: [0, %g, %g]}}}}\n%s%s%s",
        u[0], u[1], u[2], type, p[0], p[1], p[2], n[0], n[1], n[2], size * size, size * size,
        size * size, size, size, type, s * n[0], s * n[1], s * n[2], n[0], n[1], n[2], size * size,
        size * size, size * size, size, size, loop, frames, loop[0] == '\0' ? "" : ", to_point: [");
    if (loop[0] != '\0') {
        size_t end = strlen(text);
        (void)snprintf(text + end, sizeof text - end, "%.17g, %.17g, %.17g]}}\n", p[0] + s * n[0],
                       p[1] + s * n[1], p[2] + s * n[2]);
    }
    *sim = start(text, "rk4", model);
}

static void loops_that_hold_nothing(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261119);
    for (int round = 0; round < 60; ++round) {
        bool slides = round % 2 == 0;
        double size = round % 3 == 0 ? 1e-6 : 0.3, far = round % 5 < 2 ? 0.0 : round % 5 * 20.0;
        double at[2][2];
        hf_rng same = rng;
        for (int i = 0; i < 2; ++i) {
            hf_model *model;
            hf_sim *sim;
            rng = same;
            start_along_a_line(&rng, slides,
                               i == 0   ? ""
                               : slides ? "loops: {c: {type: prismatic, on: line.b, "
                                        : "loops: {c: {type: revolute, on: line.b, ",
                               size, far, &model, &sim);
            run_until(sim, slides ? 0.3 : 0.3 * sqrt(size));
            at[i][0] = value_of(sim, "line.a.position"),
            at[i][1] = value_of(sim, "line.b.position");
            hf_sim_destroy(sim);
            hf_model_destroy(model);
        }
        for (int k = 0; k < 2; ++k) {
            hf_check_near(at[1][k], at[0][k], 1e-7 * (fabs(at[0][0]) + fabs(at[0][1])),
                          k == 0 ? "a with the loop" : "b with the loop", "without it");
        }
    }
}

// A four-bar chain in a plane that is turned by a little, or by much, out of the world's: of the
// rows of its loop one is then a small part of the others, with rounding of its own.
static void planar_chains_turned_a_little(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20261120);
    double level = 0.0;
    for (int round = 0; round < 60; ++round) {
        double angle = round == 0 ? 0.0 : pow(10.0, hf_rng_uniform(&rng, -16.0, -0.1));
        char text[1500];
        (void)snprintf(
            text, sizeof text,
            "gravity: [0, 0, -9.81]\nbodies: {bars: {type: tree, joints: {\n"
            "  base: {type: fixed, offset: [1, 2, 0.5], orientation: [%.17g, 0, 0, %.17g]},\n"
            "  crank: {type: revolute, parent: base, axis: [0, 1, 0], mass: 1, center: [0.1, 0, "
            "0], "
            "inertia: [0.01, 0.01, 0.01]},\n"
            "  rod: {type: revolute, parent: crank, offset: [0.2, 0, 0], axis: [0, 1, 0], mass: 1, "
            "center: [0.2, 0, 0.1], inertia: [0.01, 0.01, 0.01]},\n"
            "  rocker: {type: revolute, parent: base, offset: [0.5, 0, 0.1], axis: [0, 1, 0], "
            "mass: "
            "1, center: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01]}}}}\n"
            "loops: {pin: {type: point, on: bars.rod, to: bars.rocker, point: [0.3, 0, 0.3], "
            "to_point: [0, 0, 0.2]}}\n",
            cos(angle / 2.0), sin(angle / 2.0));
        static const char *const methods[] = {"rk4", "timestep"};
        hf_model *model;
        hf_sim *sim = start(text, methods[round > 0 && round % 4 == 3], &model);
        run_until(sim, 0.4);
        double crank = value_of(sim, "bars.crank.position");
        level = round == 0 ? crank : level;
        hf_check_near(crank, level, round % 4 == 3 ? 0.01 : 1e-6, "crank of a turned chain",
                      "of one along the axes");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_in_one_cluster),
                                       cmocka_unit_test(loops_that_hold_nothing),
                                       cmocka_unit_test(planar_chains_turned_a_little)};
    return hf_run_tests(tests);
}
