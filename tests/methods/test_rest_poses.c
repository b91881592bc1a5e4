// SPDX-License-Identifier: Apache-2.0
// Machines of shapes that rest: under every method that takes shapes they rest where timestep,
// whose contacts are rigid, has them, but for what each method's contacts sink in.
#include <hf_machine.h>
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>

#include <math.h>

typedef struct way {
    const char *name;
    double step; // [s]
} way;

static const way METHODS[] = {{"adaptive", 0.01}, {"euler", 1e-4}, {"semi-implicit-euler", 1e-4},
                              {"discrete", 1e-4}, {"rk4", 1e-4},   {"rk4-tau", 1e-4},
                              {"switch", 0.01}};
// Points sink in one upon the other, some deeper than others.
#define LAYERS 6.0
// What else is allowed [m].
#define NEAR 2e-5
enum { METHOD_COUNT = sizeof METHODS / sizeof *METHODS, MOST_CHANNELS = 12 };

typedef struct machine {
    const char *name, *text;
    const char *channels[MOST_CHANNELS];
    double end; // [s]
} machine;

static const machine MACHINES[] = {
    {"gripper",
     "bodies:\n"
     "  hand:\n"
     "    type: tree\n"
     "    joints:\n"
     "      left: {type: prismatic, axis: [1, 0, 0], offset: [-0.045, 0, 0.5], mass: 0.3,\n"
     "        shape: {type: box, size: [0.03, 0.1, 0.08]}}\n"
     "      right: {type: prismatic, axis: [-1, 0, 0], offset: [0.045, 0, 0.5], mass: 0.3,\n"
     "        shape: {type: box, size: [0.03, 0.1, 0.08]}}\n"
     "  capsule: {type: rigid, mass: 0.2, position: [0, 0, 0.5], shape: {type: capsule,\n"
     "    radius: 0.03, length: 0.06, orientation: {axis: [1, 0, 0], angle: 1.5707963267948966}}}\n"
     "forces:\n"
     "  - {name: press-left, on: hand.left, type: force, value: 10}\n"
     "  - {name: press-right, on: hand.right, type: force, value: 10}\n"
     "  - {name: contacts, type: collide, among: [capsule, hand.left, hand.right],\n"
     "     friction: 0.5, restitution: 0}\n",
     {"capsule.position.x", "capsule.position.z", "hand.left.position"},
     0.1},
    {"stack of four boxes",
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  box: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
     "    position: [0, 0, 0.1], repeat: {count: [1, 1, 4], spacing: [0, 0, 0.2]}}\n"
     "forces: [{name: contacts, type: collide, among: all, friction: 0.5, restitution: 0}]\n",
     {"box-1.position.z", "box-2.position.z", "box-3.position.z", "box-4.position.z",
      "box-4.position.x", "box-4.position.y"},
     0.05},
    {"wall of five bricks",
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  low: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
     "    position: [0, 0, 0.05], repeat: {count: [3, 1, 1], spacing: [0.21, 0, 0]}}\n"
     "  high: {type: rigid, mass: 2, shape: {type: box, size: [0.2, 0.1, 0.1]},\n"
     "    position: [0.105, 0, 0.15], repeat: {count: [2, 1, 1], spacing: [0.21, 0, 0]}}\n"
     "forces: [{name: contacts, type: collide, among: all, friction: 0.5, restitution: 0}]\n",
     {"low-1.position.z", "low-2.position.z", "low-2.position.x", "high-1.position.z",
      "high-2.position.z", "high-2.position.x"},
     0.05},
    {"house of cards",
     "bodies:\n"
     "  ground: {type: static, shape: {type: plane}}\n"
     "  left: {type: rigid, mass: 0.09, shape: {type: box, size: [0.01, 0.2, 0.36]},\n"
     "    position: [-0.066262088902549907, 0, 0.17085477245809183],\n"
     "    orientation: {axis: [0, 1, 0], angle: 0.3490658503988659}}\n"
     "  right: {type: rigid, mass: 0.1, shape: {type: box, size: [0.01, 0.2, 0.4]},\n"
     "    position: [0.059421686036036515, 0, 0.18964862487381004],\n"
     "    orientation: {axis: [0, 1, 0], angle: -0.3490658503988659}}\n"
     "forces: [{name: contacts, type: collide, among: all, friction: 0.5, restitution: 0}]\n",
     {"left.position.x", "left.position.z", "right.position.x", "right.position.z"},
     0.05},
};

static void rest_of(const machine *m, const char *method, double step, double *values,
                    double *deepest)
{
    FILE *file = fopen("rest-poses.yaml", "w"); // in a file: it may name others
    assert_non_null(file);
    (void)fprintf(file, "gravity: [0, 0, -9.81]\nmethod: {type: %s, step: %g}\n%s", method, step,
                  m->text);
    (void)fclose(file);
    hf_error error = {0};
    hf_model *model = hf_model_load("rest-poses.yaml", &error);
    (void)remove("rest-poses.yaml");
    if (model == NULL) {
        fail_msg("%s", error.text);
    }
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, m->end);
    for (int k = 0; k < MOST_CHANNELS && m->channels[k] != NULL; ++k) {
        values[k] = value_of(sim, m->channels[k]);
    }
    *deepest = hf_sim_get_stats(sim).largest_penetration;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void one_rest(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MACHINES / sizeof *MACHINES; ++i) {
        const machine *m = &MACHINES[i];
        double rigid[MOST_CHANNELS], values[MOST_CHANNELS], deepest;
        rest_of(m, "timestep", 1e-3, rigid, &deepest);
        for (int k = 0; k < METHOD_COUNT; ++k) {
            char what[120];
            rest_of(m, METHODS[k].name, METHODS[k].step, values, &deepest);
            hf_check_below(deepest, k == 0 ? 1e-4 : 3e-3, METHODS[k].name, m->name);
            for (int c = 0; c < MOST_CHANNELS && m->channels[c] != NULL; ++c) {
                (void)snprintf(what, sizeof what, "%s, %s, %s", m->name, METHODS[k].name,
                               m->channels[c]);
                hf_check_near(values[c], rigid[c], LAYERS * deepest + NEAR, what, "timestep");
            }
        }
    }
}

// A cube that tumbles onto a plane: under switch its corners are exact contacts.
static void a_cube_lands(void **state)
{
    (void)state;
    static const machine cube = {
        "cube",
        "bodies:\n"
        "  ground: {type: static, shape: {type: plane}}\n"
        "  cube: {type: rigid, mass: 1, shape: {type: box, size: [0.2, 0.2, 0.2]},\n"
        "    position: [0, 0, 0.12], orientation: {axis: [1, 0, 0], angle: 0.1}}\n"
        "forces:\n"
        "  - {name: contact, type: collide, among: [cube, ground], friction: 0.5,\n"
        "     restitution: 0}\n",
        {"cube.position.x", "cube.position.y", "cube.position.z"},
        0.6};
    double rigid[3], values[3], deepest;
    rest_of(&cube, "timestep", 1e-3, rigid, &deepest);
    rest_of(&cube, "switch", 1e-2, values, &deepest);
    hf_check_near(rigid[2], 0.1, 1e-6, "timestep, cube.position.z", "half an edge");
    hf_check_near(values[2], 0.1, 1e-8, "switch, cube.position.z", "half an edge");
    hf_check_near(values[1], rigid[1], 2e-3, "switch, cube.position.y", "timestep");
}

// A body of several shapes, a convex mesh and links of an arm come to rest on a plane: under switch
// where timestep has them, but for what bounces and slides on the way.
static void corners_on_planes(void **state)
{
    (void)state;
    static const machine machines[] = {
        {"tee",
         "bodies:\n"
         "  ground: {type: static, shape: {type: plane}}\n"
         "  tee:\n"
         "    type: rigid\n"
         "    mass: 1\n"
         "    position: [0, 0, 0.12]\n"
         "    shapes:\n"
         "      a: {type: box, size: [0.3, 0.05, 0.05], position: [0, 0, 0.05]}\n"
         "      b: {type: box, size: [0.05, 0.05, 0.1], position: [0, 0, -0.025]}\n"
         "      c: {type: sphere, radius: 0.03, position: [0.1, 0, -0.04]}\n"
         "forces:\n"
         "  - {name: c, type: collide, among: all, friction: 0.4, restitution: 0}\n",
         {"tee.position.x", "tee.position.z"},
         0.7},
        {"tetrahedron",
         "bodies:\n"
         "  ground: {type: static, shape: {type: plane}}\n"
         "  tet: {type: rigid, mass: 1, shape: {type: mesh, file: rest-tet.obj},\n"
         "    position: [0, 0, 0.1], orientation: {axis: [1, 0, 0], angle: 0.2}}\n"
         "forces:\n"
         "  - {name: c, type: collide, among: all, friction: 0.4, restitution: 0}\n",
         {"tet.position.x", "tet.position.z"},
         0.7},
        {"arm",
         "bodies:\n"
         "  ground: {type: static, shape: {type: plane}}\n"
         "  arm:\n"
         "    type: tree\n"
         "    joints:\n"
         "      a: {type: revolute, axis: [0, 1, 0], offset: [0, 0, 0.3], mass: 1,\n"
         "        center: [0.2, 0, 0], inertia: [0.01, 0.02, 0.02], damping: 0.3,\n"
         "        shape: {type: box, size: [0.3, 0.05, 0.05]}}\n"
         "      b: {type: revolute, parent: a, axis: [0, 1, 0], offset: [0.4, 0, 0], mass: 0.5,\n"
         "        center: [0.1, 0, 0], inertia: [0.005, 0.01, 0.01], damping: 0.3,\n"
         "        shape: {type: box, size: [0.2, 0.05, 0.05]}}\n"
         "forces:\n"
         "  - {name: c, type: collide, among: [ground, arm.a, arm.b], friction: 0.4,\n"
         "     restitution: 0, except: [[arm.a, arm.b]]}\n",
         {"arm.a.position", "arm.b.position"},
         1.0}};
    FILE *file = fopen("rest-tet.obj", "w");
    assert_non_null(file);
    (void)fputs("v 0 0 0\nv 0.2 0 0\nv 0 0.2 0\nv 0 0 0.2\n"
                "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
                file);
    (void)fclose(file);
    for (size_t i = 0; i < sizeof machines / sizeof *machines; ++i) {
        double rigid[MOST_CHANNELS], values[MOST_CHANNELS], deepest;
        rest_of(&machines[i], "timestep", 2e-4, rigid, &deepest);
        rest_of(&machines[i], "switch", 1e-2, values, &deepest);
        for (int c = 0; c < 2; ++c) {
            hf_check_near(values[c], rigid[c], 5e-5, machines[i].channels[c], "timestep");
        }
    }
    (void)remove("rest-tet.obj");
}

int main(void)
{
    hf_work_in_own_folder();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rest),
        cmocka_unit_test(a_cube_lands),
        cmocka_unit_test(corners_on_planes),
    };
    return hf_run_tests(tests);
}
