// SPDX-License-Identifier: Apache-2.0
// Loops between several trees: the energy is kept, and two methods of different kinds agree.
#include <hf_machine.h>
#include <holdfast/contact.h>

#include <math.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_in_one_cluster)};
    return hf_run_tests(tests);
}
