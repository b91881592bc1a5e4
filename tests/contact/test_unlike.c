// SPDX-License-Identifier: Apache-2.0
// Method timestep: bodies of very unlike masses that slide on each other.
#include "contact_test.h"

enum { TEXT = 4096 };

// 10 kg slide on something light, from 10 g to 10 ug, which a stronger friction holds to the world
// or to a mass on a spring: as they would without it, until they rest.
static void light_between_heavy(void **state)
{
    (void)state;
    static const double light[] = {1e-2, 1e-4, 1e-6, 1e-7, 1e-8};
    const char *const machine =
        "bodies:\n"
        "  a: {type: mass, dim: 1, mass: 1}\n"
        "  l: {type: mass, dim: 1, mass: %g}\n"
        "  h: {type: mass, dim: 1, mass: 10, velocity: 1}\n"
        "forces:\n"
        "  - {name: f, on: h, to: %s, type: friction, law: coulomb, level: 5}\n"
        "  - {name: g, on: l, to: %s, type: friction, law: coulomb, level: 6}\n"
        "  - {name: k, on: a, type: spring, stiffness: 100}\n";
    for (int i = 0; i < 10; ++i) {
        char text[TEXT], without[TEXT];
        double mass = light[i % 5], h = 5e-3;
        (void)snprintf(text, sizeof text, machine, mass, "l", i < 5 ? "world" : "a");
        (void)snprintf(without, sizeof without, machine, 1e-2, i < 5 ? "world" : "a", "world");
        double way = value_after(text, timestep(h), 3.0, "h.position"),
               alone = value_after(without, timestep(h), 3.0, "h.position");
        hf_check_near(way, alone, 2e-5 + 0.1 * mass, "way of the heavy mass",
                      "without the light one");
        double swing = value_after(text, timestep(h), 3.0, "a.position"),
               free = value_after(without, timestep(h), 3.0, "a.position");
        hf_check_near(swing, free, 1e-4 + mass, "place of the mass on the spring",
                      "without the light one");
    }
}

// A body of a stack: a box, or a cylinder whose radius is `width`, and its middle.
typedef struct layer {
    double mass;
    bool round;
    double width, height, x, y, z;
} layer;

static void write_stack(char *text, size_t size, const layer *layers)
{
    size_t used = (size_t)snprintf(text, size,
                                   "gravity: [0, 0, -9.81]\nbodies:\n"
                                   "  ground: {type: static, shape: {type: plane}}\n");
    for (int i = 0; i < 10; ++i) {
        const layer *l = &layers[i];
        used +=
            (size_t)snprintf(text + used, size - used,
                             "  b%d: {type: rigid, mass: %g, position: [%g, %g, %g], shape: ", i,
                             l->mass, l->x, l->y, l->z);
        used += (size_t)(l->round ? snprintf(text + used, size - used,
                                             "{type: cylinder, radius: %g, length: %g}}\n",
                                             l->width, l->height)
                                  : snprintf(text + used, size - used,
                                             "{type: box, size: [%g, %g, %g]}}\n", l->width,
                                             l->width, l->height));
    }
    (void)snprintf(text + used, size - used,
                   "forces:\n  - {name: c, type: collide, among: all, friction: 0.5}\n");
}

static void find_places(hf_sim *sim, double places[30])
{
    for (int k = 0; k < 30; ++k) {
        char name[32];
        (void)snprintf(name, sizeof name, "b%d.position.%c", k / 3, "xyz"[k % 3]);
        places[k] = value_of(sim, name);
    }
}

// Bodies of 0.001 to 1000 kg that fall on each other are at rest after some time, to the last bit:
// neither does a light one that closes a gap hold what lies on it (that crept by 6 um/s), nor are
// those that are squeezed moved to and fro out of what they overlap.
static void stacks_rest(void **state)
{
    (void)state;
    static const layer stacks[][10] = {
        {{0.01, false, 0.1, 0.1, -0.00524071, 0.000884585, 0.051},
         {1000, false, 0.1, 0.1, -0.0026009, 0.0020784, 0.152},
         {0.01, false, 0.1, 0.1, 0.00251441, -0.00868942, 0.253},
         {1000, false, 0.1, 0.1, -0.00973664, 0.00674938, 0.354},
         {0.01, false, 0.1, 0.1, -0.00481292, -0.00531338, 0.455},
         {1000, false, 0.1, 0.1, 0.0099129, -0.00059473, 0.556},
         {0.01, false, 0.1, 0.1, 0.00672923, -0.000472936, 0.657},
         {1000, false, 0.1, 0.1, 0.00278136, -0.00698767, 0.758},
         {0.01, false, 0.1, 0.1, 0.00269721, 0.00736091, 0.859},
         {1000, false, 0.1, 0.1, 0.000463624, 0.00482504, 0.96}},
        {{0.01, true, 0.0710087, 0.0820767, -0.00401516, -0.00717035, 0.0430383},
         {1000, false, 0.119038, 0.028158, -0.00401071, 0.00369894, 0.100156},
         {0.01, true, 0.0539901, 0.0837718, -0.00577972, 0.00187924, 0.158121},
         {1000, false, 0.110473, 0.0372385, 0.00771874, 0.00595852, 0.220626},
         {0.01, false, 0.109083, 0.0974845, -0.00484994, 0.00744154, 0.289987},
         {1000, false, 0.108298, 0.0316562, -0.00695776, -0.00317825, 0.356558},
         {0.01, true, 0.0516506, 0.0484281, -0.00310297, 0.00314272, 0.3986},
         {1000, false, 0.10285, 0.098008, -0.00763415, 0.00399672, 0.473818},
         {0.01, true, 0.0591546, 0.0662815, -0.00785475, -0.00725237, 0.557962},
         {1000, false, 0.105951, 0.0396869, 0.00511189, -0.000604714, 0.612947}},
        {{0.001, false, 0.12, 0.0246399, 0.000118972, -0.00740007, 0.01242},
         {0.001, false, 0.12, 0.0247288, 0.00104726, 0.0071592, 0.0372043},
         {0.001, false, 0.12, 0.0517344, 0.00762008, -0.00725468, 0.075536},
         {1000, true, 0.06, 0.0656731, 0.000964116, 0.00291204, 0.13434},
         {1000, false, 0.12, 0.0638196, -0.00699538, -0.00704638, 0.199186},
         {30, false, 0.12, 0.0572481, 0.00677506, -0.00221468, 0.25982},
         {1000, false, 0.12, 0.0440199, -7.81382e-05, -0.00250439, 0.310554},
         {0.001, false, 0.12, 0.0534498, 0.00411425, -0.00556825, 0.359389},
         {0.001, false, 0.12, 0.0658421, 0.00600764, -0.00298004, 0.419135},
         {30, true, 0.06, 0.0274877, -0.00368097, 0.00315267, 0.4659}}};
    static const double steps[] = {1e-4, 2e-3, 1e-3};
    for (int i = 0; i < 3; ++i) {
        char text[TEXT];
        double rest[30], after[30], from = i == 0 ? 0.2 : 0.5;
        // A moment at rest
        write_stack(text, sizeof text, stacks[i]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_with(model, timestep(steps[i]));
        run_until(sim, from);
        find_places(sim, rest);
        // and another
        run_until(sim, from + 0.1);
        find_places(sim, after);
        for (int k = 0; k < 30; ++k) {
            hf_check_near(after[k], rest[k], 0.0, "place of a body", "0.1 s before");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(light_between_heavy),
                                       cmocka_unit_test(stacks_rest)};
    return hf_run_tests(tests);
}
