// SPDX-License-Identifier: Apache-2.0
// Method timestep: bodies of very unlike masses that slide on each other.
#include "contact_test.h"

enum { TEXT = 2048 };

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(light_between_heavy)};
    return hf_run_tests(tests);
}
